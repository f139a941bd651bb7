"""What tokens of a place mean together: "Paris" and "Paris, TX" are two, "Tbilisi, Georgia" no state.

A run of tokens is read in every way it can be (city, region and country, in the orders people write them);
the ways that fit the tables are kept, and what stays between two countries is told as such. Pure.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from pipeline.normal.cities import City, has_states
from pipeline.normal.countries import Region, country_named, region
from pipeline.normal.place_names import REGION_WEIGHT, Token, country_weight, region_weight, token
from pipeline.normal.place_offices import place_inside
from pipeline.normal.place_tokens import alternatives, tokens, without_flags
from pipeline.normal.place_words import AREAS, CONTESTED, COUNTY, WORDS
from pipeline.normal.spelling import folded

_MAX_CHARS = 300
#: A city is meant when the next one of its name, in another country, has less than half its people.
_CLEARLY = 2.0
_CLEARLY_TOGETHER = 3.0
#: "Paris, United States" is more likely two places than a town with a hundredth of the people of Paris.
_TOO_SMALL = 0.02
#: After a country ("Canada, London") a city must not be the small one of its name.
_SMALL = 0.1
_LARGE = 100_000
#: A city of this size before the name of a state it does not lie in is a place of its own.
_FAMOUS = 1e6
_NATIONS = frozenset({"ENG", "SCT", "WLS", "NIR"})
_Roles = tuple[str, ...]
#: Longest first; "t" a town, "r" a region, "c" a country, "x" another code.
_PATTERNS: tuple[tuple[_Roles, ...], ...] = (
    (("t", "r", "r", "c"),),
    (("t", "r", "c"), ("c", "r", "t"), ("t", "r", "r")),
    # "Lima, LI, Peru": a code that is a country's, and means a part of another one here.
    (("t", "x", "c"),),
    (("t", "r"), ("t", "c"), ("r", "c"), ("c", "t"), ("c", "r")),
)
#: Where people write the codes of regions after towns; elsewhere "Valencia, CA" is no Cádiz.
_WRITE_CODES = frozenset({"AR", "AT", "BR", "CH", "CN", "DE", "IN", "IT", "MX", "MY", "NL"})


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One place of a text. With `candidates` it can be in several countries, and names none itself.

    `wide` is wider than a country. A reading with a text only is a name the tables do not hold.
    """

    text: str
    city: str | None = None
    region: str | None = None
    country: str | None = None
    wide: str | None = None
    candidates: tuple["Reading", ...] = ()


class _Way(msgspec.Struct, frozen=True, kw_only=True):
    """One way to read a run, in one country."""

    country: str
    weight: float
    city: City | None = None
    region: Region | None = None
    is_area: bool = False
    is_country: bool = False


@lru_cache(maxsize=20_000)
def readings(text: str) -> tuple[Reading, ...]:
    """The places of a text in its order; empty when it names none ("Remote", "HQ", "7 Locations")."""
    text = text[:_MAX_CHARS].strip()
    parts = alternatives(without_flags(text))
    found: list[Reading] = []
    for part in parts:
        found += _read([token(each) for each in tokens(part)], text if len(parts) == 1 else part)
    known = [each for each in found if each.country or each.wide or each.candidates]
    return tuple(known or found)


def _read(names: list[Token], shown: str) -> Iterator[Reading]:
    """Runs of tokens that belong together, the longest first."""
    names = _belonging(names)
    if names and not any(each.is_known for each in names):
        inside = [place for each in names if (place := place_inside(each.text)) is not None]
        if len(inside) != 1:
            yield Reading(text=shown)
            return
        names = [token(inside[0])]
    start = 0
    while start < len(names):
        length, reading = _longest(names[start:])
        whole = length == len(names)
        words = shown if whole else ", ".join(each.text for each in names[start : start + length])
        yield msgspec.structs.replace(reading, text=words)
        start += length


def _belonging(names: list[Token]) -> list[Token]:
    """Without repetitions ("London, London"), and beside known names without unknown ones but towns."""
    distinct = [each for i, each in enumerate(names) if i == 0 or not _repeats(each, names[i - 1])]
    if not any(each.is_known for each in distinct):
        return distinct
    followers = [*distinct[1:], None]
    return [
        each
        for each, after in zip(distinct, followers, strict=True)
        if each.is_known or (after is not None and after.states and COUNTY.search(each.name) is None)
    ]


def _repeats(each: Token, before: Token) -> bool:
    """ "London, London" and "Los Angeles (LA)"."""
    initials = "".join(word[0] for word in before.name.split()).upper()
    return each.name == before.name or (each.text in CONTESTED and each.text == initials)


def _longest(names: list[Token]) -> tuple[int, Reading]:
    for patterns in _PATTERNS:
        length = len(patterns[0])
        run = names[:length]
        ways = [
            way
            for roles in (patterns if len(run) == length else ())
            for way in _ways(run, roles)
            if _fits(run, roles, way)
        ]
        if ways:
            return length, _settled(ways, clearly=_CLEARLY_TOGETHER)
    small = _small_town(names)
    return small if small is not None else (1, _single(names[0]))


def _ways(run: list[Token], roles: _Roles) -> Iterator[_Way]:
    by_role = dict(zip(roles, run, strict=True))
    town, land = by_role.get("t"), by_role.get("c")
    areas = [each for each, role in zip(run, roles, strict=True) if role == "r"]
    cities: Iterable[City | None] = (None,) if town is None else town.cities
    for city in cities:
        for found in (None,) if not areas else areas[0].regions:
            countries = {each.country for each in (city, found) if each is not None}
            countries |= {land.country} if land is not None else set()
            (country, *others) = countries
            outer_fits = len(areas) < 2 or any(each.country == country for each in areas[1].regions)  # noqa: PLR2004 - an outer region
            if country is not None and not others and outer_fits:
                yield _Way(
                    country=country,
                    weight=city.weight if city is not None else REGION_WEIGHT,
                    city=city,
                    region=found,
                    is_area=town is not None and town.is_area,
                )


def _fits(run: list[Token], roles: _Roles, way: _Way) -> bool:
    """Whether the tables and the habits of writing agree with a way."""
    city = way.city
    if city is None:
        return True
    if "x" in roles and (not run[1].is_code or any(each.country == "US" for each in run[1].regions)):
        return False
    if way.region is not None:
        written = run[roles.index("r")]
        if "c" not in roles and written.is_code and written.states and _writes_none(city.country):
            return False
        return _lies_in(city, way.region, run[roles.index("r")])
    town, land = run[roles.index("t")], run[roles.index("c")]
    largest = max(each.weight for each in town.cities)
    if roles[0] == "c":
        return city.weight >= largest * _SMALL
    return land.is_code or city.weight >= largest * _TOO_SMALL


def _writes_none(country: str) -> bool:
    return not has_states(country) and country not in _WRITE_CODES


def _lies_in(city: City, found: Region, written: Token) -> bool:
    if has_states(city.country):
        return city.state in {found.code, ""}
    if found.code in _NATIONS and found.country == "GB":
        return city.state == found.code
    # "Berlin, Hamburg" are two cities, though Hamburg is a region as well.
    is_city_too = any(each.country == city.country and each.weight >= _LARGE for each in written.cities)
    return not is_city_too or written.is_code or folded(found.name) == folded(city.name)


def _small_town(names: list[Token]) -> tuple[int, Reading] | None:
    """A town the table lacks, or not in that state, before a state: "Paris, IL", "Clinton, NJ, USA"."""
    town, *after = names
    if not after or not after[0].states or town.wide or town.is_code or town.is_area:
        return None
    state = after[0]
    is_place_of_its_own = town.country or town.regions or any(each.weight >= _FAMOUS for each in town.cities)
    if not state.is_code and is_place_of_its_own:
        return None
    named_country = after[1].country if len(after) > 1 else None
    states = [each for each in state.states if named_country in {None, each.country}]
    ways = [Reading(text="", city=town.text, region=each.name, country=each.country) for each in states]
    length = 3 if named_country is not None and states else 2
    is_the_country = not state.is_code or (state.text in CONTESTED and not _means_california(town, state))
    if length == 2 and state.country is not None and is_the_country:  # noqa: PLR2004
        ways.append(Reading(text="", city=town.text, country=state.country))
    return (length, _one_of(ways)) if ways else None


def _means_california(town: Token, state: Token) -> bool:
    """Canadians write the code of their province, and their larger towns are in the table."""
    known = (*town.cities, *town.regions)
    return state.text == "CA" and not any(each.country == "CA" for each in known)


def _single(name: Token) -> Reading:
    if name.wide is not None:
        return Reading(text=name.text, region=name.wide, wide=name.wide)
    ways = list(_single_ways(name))
    return _settled(ways) if ways else Reading(text=name.text)


def _single_ways(name: Token) -> Iterator[_Way]:
    if name.name in AREAS:
        # What people call it by itself outweighs the codes that happen to be spelled so: SF, LA.
        yield from (_city_way(name, city) for city in name.cities)
        return
    if name.country is not None:
        yield _Way(country=name.country, weight=country_weight(name), is_country=True)
    regions = name.states if name.is_code else name.regions
    if name.is_code and name.country is not None:
        regions = tuple(each for each in regions if each.country == "US")
    elif name.country is not None:
        # Puerto Rico is a country of ISO 3166 and a state's equal, and one place.
        regions = tuple(each for each in regions if each.code != name.country)
    for each in () if name.name in WORDS and not name.is_code else regions:
        yield _Way(country=each.country, weight=region_weight(each), region=each)
    for city in () if name.name in WORDS or name.is_code else name.cities:
        yield _city_way(name, city)


def _city_way(name: Token, city: City) -> _Way:
    return _Way(country=city.country, weight=city.weight, city=city, is_area=name.is_area)


def _settled(ways: list[_Way], *, clearly: float = _CLEARLY) -> Reading:
    """The reading of the country most speaks for, when it clearly does; else what it can be."""
    best: dict[str, float] = {}
    for way in ways:
        best[way.country] = max(best.get(way.country, 0.0), way.weight)
    order = sorted(best, key=lambda country: -best[country])
    told = [_told(country, [way for way in ways if way.country == country]) for country in order]
    if len(order) == 1 or best[order[0]] >= clearly * best[order[1]]:
        return told[0]
    return Reading(text="", candidates=tuple(told))


def _one_of(ways: list[Reading]) -> Reading:
    return ways[0] if len(ways) == 1 else Reading(text="", candidates=tuple(ways))


def _told(country: str, ways: list[_Way]) -> Reading:
    """What ways in one country have in common."""
    cities = sorted((way for way in ways if way.city is not None), key=lambda way: -way.weight)
    regions = [way for way in ways if way.city is None and way.region is not None]
    if any(way.is_country for way in ways):
        own = [way for way in cities if way.city is not None and _is_all_of(country, way.city)]
        return Reading(text="", country=country, city=own[0].city.name if own and own[0].city else None)
    if not cities:
        found = regions[0].region if len({way.region for way in regions}) == 1 else None
        return Reading(text="", country=country, region=None if found is None else found.name)
    return _told_city(country, cities, regions)


def _told_city(country: str, cities: list[_Way], regions: list[_Way]) -> Reading:
    top = cities[0]
    city = top.city
    if city is None:
        return Reading(text="", country=country)
    state = region(country, city.state) if has_states(country) else None
    if any(way.region not in {state, None} for way in regions) and state is not None and top.region is None:
        return Reading(text="", country=country)
    if state is not None and any(way.region == state and _is_named(state, city) for way in regions):
        return Reading(text="", country=country, region=state.name)
    part = next((way.region for way in regions if way.region and _is_part_of(way.region, city)), None)
    if part is not None and state is None:
        return Reading(text="", country=country, region=part.name)
    is_clear = len(cities) == 1 or top.weight >= _CLEARLY * cities[1].weight or top.region is not None
    settled = top.region or (state if is_clear else None)
    return Reading(
        text="",
        country=country,
        city=None if top.is_area else city.name,
        region=None if settled is None else settled.name,
    )


def _is_named(state: Region, city: City) -> bool:
    """Quebec is a province and its capital: only the wider of the two is certain."""
    return folded(state.name) == folded(city.name)


def _is_part_of(found: Region, city: City) -> bool:
    """Bihar is a region; that it is short for Bihar Sharif is less likely."""
    return folded(city.name).startswith(f"{folded(found.name)} ")


def _is_all_of(country: str, city: City) -> bool:
    """Singapore is a city and a country; Mexico is not its capital."""
    return city.country == country and country_named(folded(city.name)) == country
