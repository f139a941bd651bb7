"""The place in the name of an office or a part of a town: "WeWork London", "San Francisco (SoMa)". Pure.

A last resort: only where a text names no place by itself, and only places nobody mistakes.
"""

import re

from pipeline.normal.cities import cities_named, has_states
from pipeline.normal.countries import country_coded, country_named, regions_coded, regions_named
from pipeline.normal.place_words import AREAS, WIDE, WORDS
from pipeline.normal.spelling import folded

_LARGE = 500_000
_TOWN = 100_000
_FAMOUS = 1_000_000
_MAX_WORDS = 8
_SHORTEST_AREA = 4
#: Large cities whose names are as often those of streets, malls and people.
_NAMES = frozenset({"phoenix", "washington", "columbus", "orlando", "hamilton", "charlotte", "santiago"})
#: Streets are named for places they lead to.
_STREET = re.compile(
    r"stra(?:\u00dfe|sse)\b|str\.|\b(?:street|st|road|rd|avenue|ave|av|lane|ln|drive|dr|boulevard|blvd|way"
    r"|square|court|rue|calle|via|viale|piazza|plaza|avenida|rua|allee|platz|ul|ulica)\b",
    re.IGNORECASE,
)
#: Scripts that put no spaces between the names in an address.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_MAX_UNSPACED_CHARS = 40
_QUARTER = re.compile(r"^([^()]{3,40}?)\s*\(([^()]{3,40})\)$")


def place_inside(name: str) -> str | None:
    """A country, a state or a large city at an end of a name; None when there is none, or two."""
    if _UNSPACED.search(name):
        return _begins_with(name)
    words = name.split()
    if not 1 < len(words) <= _MAX_WORDS or _STREET.search(name):
        return None
    ends = [" ".join(words[:cut]) for cut in range(len(words) - 1, 0, -1)]
    ends += [" ".join(words[cut:]) for cut in range(1, len(words))]
    found = [end for end in ends if _is_unmistakable(end)] or [each for each in words if _is_land(each)]
    inner = [each for each in found if not any(each != other and each in other for other in found)]
    return inner[0] if len(inner) == 1 else None


def without_quarter(text: str) -> str:
    """A part of a large city in brackets is no small town abroad: "Lisbon (Santos)"."""
    match = _QUARTER.match(text.strip())
    if match is None:
        return text
    city, quarter = folded(match[1]), folded(match[2])
    around, abroad = cities_named(city), cities_named(quarter)
    if not around or around[0].weight < _TOWN or not abroad or abroad[0].weight >= _FAMOUS:
        return text
    is_more = quarter in AREAS or quarter in WIDE or country_named(quarter) or regions_named(quarter)
    is_abroad = all(each.country != around[0].country for each in abroad)
    is_code = bool(country_coded(match[2]) or regions_coded(match[2]))
    return match[1] if is_abroad and not is_more and not is_code else text


def _begins_with(name: str) -> str | None:
    plain = "".join(name.split())[:_MAX_UNSPACED_CHARS]
    for end in range(len(plain), 1, -1):
        part = plain[:end]
        if country_named(folded(part)) or cities_named(folded(part)) or regions_named(folded(part)):
            return part
    return None


def _is_country(word: str) -> bool:
    name = folded(word)
    if word in {"UK", "USA", "US", "UAE"}:
        return True
    is_state = any(has_states(each.country) for each in regions_named(name))
    return country_named(name) is not None and not is_state and name not in WORDS and word[0].isupper()


def _is_land(word: str) -> bool:
    """A country, or a state whose name is no country's."""
    name = folded(word)
    is_state = len(name) >= _SHORTEST_AREA and any(has_states(each.country) for each in regions_named(name))
    is_only_a_state = is_state and name not in WORDS | _NAMES and country_named(name) is None
    return _is_country(word) or is_only_a_state


def _is_unmistakable(words: str) -> bool:
    name = folded(words)
    if name in WORDS or name in _NAMES:
        return False
    if name in WIDE:
        return True
    if name in AREAS:
        return len(name) >= _SHORTEST_AREA or (words.isupper() and name != "la")
    if any(has_states(each.country) for each in regions_named(name)):
        return country_named(name) is None
    return _is_country(words) or (words[0].isupper() and _is_large_city(name))


def _is_large_city(name: str) -> bool:
    """Other names of cities only in one word: Singapore is called a garden city."""
    cities = cities_named(name)
    is_own = bool(cities) and (folded(cities[0].name) == name or " " not in name)
    return is_own and cities[0].weight >= _LARGE
