"""The places of a posting: what it shows, what its platform knows of each, and what its title adds. Pure.

A text outranks the address behind it: boards give "Remote" and "EMEA" the address of an office.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from pipeline.normal.countries import (
    country_coded,
    country_misspelled,
    country_named,
    regions_coded,
    regions_named,
)
from pipeline.normal.place_readings import Reading, readings
from pipeline.normal.place_titles import apart_in_title
from pipeline.normal.place_words import WIDE
from pipeline.normal.spelling import folded
from pipeline.normal.types import Place
from pipeline.sources.types import Listing, PlaceHint
from schema.text import clean, shorten

_MAX_PLACES = 100
_MAX_CHARS = 200
_MAX_CODE_CHARS = 3
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{2,60})[)\]]")
_APART = r"(?:\s[-\u2013\u2014|/]|,)\s*"
_NO_BREAK = r"(?:(?!\s[-/]\s)[^()\[\]|,\u2013\u2014])"
_LAST_PARTS = (
    re.compile(rf"{_APART}({_NO_BREAK}{{2,40}},\s?[A-Z]{{2}})$"),
    re.compile(rf"{_APART}({_NO_BREAK}{{2,40}})$"),
)


class _Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What the places of a posting say by themselves; `settles` when a title has nothing to add."""

    told: tuple[Reading, ...]
    places: tuple[Place, ...]
    settles: bool


def places_of(listing: Listing, title: str) -> tuple[Place, ...]:
    """Every place the posting names, in its order, each once; "Remote", "HQ" and "7 Locations" are none."""
    shown = _shown(listing.places, listing.locations)
    told = shown.told if shown.settles else _with_title(shown.told, listing, title)
    return shown.places if told is shown.told else _distinct(_supported(told))


# The postings of a board stand at few places, and most at one of them.
@lru_cache(maxsize=1_000)
def _shown(places: tuple[PlaceHint, ...], locations: tuple[str, ...]) -> _Shown:
    told = [each for hint in places[:_MAX_PLACES] for each in _with_hint(hint)]
    hinted = {folded(hint.text) for hint in places}
    shown = (text for text in locations[:_MAX_PLACES] if folded(text) not in hinted)
    told += [each for text in shown for each in readings(clean(text))]
    return _Shown(
        told=tuple(told),
        places=_distinct(_supported(told)),
        settles=any(each.country or each.candidates for each in told),
    )


def _with_hint(hint: PlaceHint) -> tuple[Reading, ...]:
    """What a text says, its gaps filled from the parts the platform knows."""
    parts = _parts(hint)
    said = readings(clean(hint.text))
    if parts is None and not any(map(_says_where, said)):
        return _countries_of(hint) or said
    if len(said) != 1:
        return said or _bare(hint, parts)
    (only,) = said
    if parts is not None and _is_that_city(only, parts):
        return (msgspec.structs.replace(parts, text=only.text),)
    if parts is None or (only.country and parts.country and only.country != parts.country):
        return said
    return (_filled(_chosen(only, parts.country), parts),)


def _says_where(reading: Reading) -> bool:
    return bool(reading.country or reading.wide or reading.candidates)


def _countries_of(hint: PlaceHint) -> tuple[Reading, ...]:
    """An address whose country are several: "US, Canada"."""
    several = readings(_name(hint.country) or "")
    text = clean(hint.text).strip()
    return tuple(msgspec.structs.replace(each, text=text or each.text) for each in several if each.country)


def _is_that_city(said: Reading, parts: Reading) -> bool:
    """A text that is a city's name and no more is that city of the address: London in Ontario."""
    is_named = parts.city is not None and folded(said.text) == folded(parts.city)
    return is_named and parts.region is not None and parts.country is not None


def _bare(hint: PlaceHint, parts: Reading | None) -> tuple[Reading, ...]:
    """A text that is no place: "Remote" with an office's address is that country, "HQ" is that office."""
    text = clean(hint.text).strip()
    if parts is None:
        return ()
    if not text:
        return (parts,)
    if re.search("remot|virtual|home|anywhere", text, re.IGNORECASE):
        kept = Reading(text=text, country=parts.country, region=parts.wide, wide=parts.wide)
        return (kept,) if parts.country or parts.wide else ()
    return (msgspec.structs.replace(parts, text=text),)


def _chosen(reading: Reading, country: str | None) -> Reading:
    """The candidate that lies in a country, if only one does."""
    fitting = [each for each in reading.candidates if each.country == country]
    return msgspec.structs.replace(fitting[0], text=reading.text) if len(fitting) == 1 else reading


def _filled(said: Reading, parts: Reading) -> Reading:
    """A text that names a city keeps it; one that names less takes from the address what fits it."""
    same_city = said.city is None or parts.city is None or folded(said.city) == folded(parts.city)
    names_nothing = not (said.city or said.region or said.country)
    is_wide = said.wide is not None or (said.country is not None and not said.city and not said.region)
    return Reading(
        text=said.text,
        city=said.city
        or (parts.city if names_nothing or (said.region is not None and not is_wide) else None),
        region=said.region or (parts.region if same_city and not is_wide else None),
        country=said.country or parts.country,
        wide=said.wide,
    )


def _parts(hint: PlaceHint) -> Reading | None:
    """The address as a reading; None when it says nothing."""
    country, wide = _country_of(hint.country)
    region = _region_of(hint.region, country)
    city = _name(hint.city)
    if city is not None and (country_named(folded(city)) == country or folded(city) in WIDE):
        city = None
    words = ", ".join(filter(None, (city, _name(hint.region), _name(hint.country))))
    found = readings(words)
    read = _chosen(found[0], country) if len(found) == 1 else None
    if read is not None and country in {None, read.country}:
        region, country = region or read.region, country or read.country
        city = read.city or (city if not read.candidates or country else None)
    if not (city or region or country or wide):
        return None
    is_same = city is not None and region is not None and country is None and folded(city) == folded(region)
    return Reading(
        text=words, city=city, region=None if is_same else region or wide, country=country, wide=wide
    )


def _country_of(text: str | None) -> tuple[str | None, str | None]:
    """A country field: a name or a code, however it is written; or a region wider than a country."""
    name = _name(text)
    if name is None:
        return None, None
    code = name.replace(".", "").upper()
    coded = country_coded(code) if len(code) <= _MAX_CODE_CHARS else None
    found = coded or country_named(folded(name))
    if found is not None:
        return found, None
    said = readings(name)
    if any(map(_says_where, said)):
        return (said[0].country, said[0].wide) if len(said) == 1 else (None, None)
    return country_misspelled(folded(name)), None


def _region_of(text: str | None, country: str | None) -> str | None:
    """A region field in the words of the table where it knows them in that country, else as it is written."""
    name = _name(text)
    if name is None:
        return None
    found = [each for each in (*regions_coded(name.replace(".", "").upper()), *regions_named(folded(name)))
             if country in {None, each.country}]  # fmt: skip
    if country is None and len({each.country for each in found}) != 1:
        return None if len(name) <= _MAX_CODE_CHARS else name
    is_country = country is not None and _country_of(name)[0] == country and not found
    return None if is_country else (found[0].name if found else name)


def _name(text: str | None) -> str | None:
    """A field that holds a name, in a length a name can have."""
    plain = " ".join(clean(text or "").split())
    return plain if 0 < len(plain) <= _MAX_CHARS and any(map(str.isalpha, plain)) else None


def _with_title(told: tuple[Reading, ...], listing: Listing, title: str) -> tuple[Reading, ...]:
    """The country a title names apart ("[Remote-US]"), for a posting whose places name none."""
    text = listing.locations[0].strip() if listing.locations else ""
    last = (words for part in _LAST_PARTS for words in part.findall(title))
    for words in (*_BRACKETED.findall(title), *last):
        found = apart_in_title(words)
        if found and not (told and all(each.wide for each in found)):
            named = [each for each in told if each.city or each.region]
            return (*named, *(msgspec.structs.replace(each, text=text or each.text) for each in found))
    return told


def _supported(told: Sequence[Reading]) -> list[Reading]:
    """Places that can be in several countries, settled by the countries of the others, or by the one that
    all of them can be in: "CA or WA".
    """
    countries = {each.country for each in told if each.country is not None}
    regions = {each.region for each in told if each.region is not None}
    open_ = [{each.country for each in one.candidates if each.country} for one in told if one.candidates]
    if not countries and len(open_) > 1:
        countries = {each for each in open_[0] if all(each in others for others in open_)}
    return [_leaning(each, countries, regions) for each in told]


def _leaning(reading: Reading, countries: set[str], regions: set[str]) -> Reading:
    fitting = [each for each in reading.candidates if each.country in countries]
    near = [each for each in fitting if each.region in regions]
    chosen = near if len(near) == 1 else fitting
    return msgspec.structs.replace(chosen[0], text=reading.text) if len(chosen) == 1 else reading


def _distinct(told: list[Reading]) -> tuple[Place, ...]:
    found: dict[tuple[str | None, ...], Place] = {}
    for each in told:
        place = Place(
            text=shorten(each.text, _MAX_CHARS), city=each.city, region=each.region, country=each.country
        )
        known = (each.city, each.region, each.country)
        found.setdefault(known if any(known) else (each.text,), place)
    return tuple(found.values())[:_MAX_PLACES]
