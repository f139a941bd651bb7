"""What one token of a place can be: a country, regions, cities, and how much speaks for each. Pure."""

from functools import lru_cache

import msgspec

from pipeline.normal.cities import City, cities_named, has_states, people
from pipeline.normal.countries import Region, country_coded, country_named, regions_coded, regions_named
from pipeline.normal.place_words import AREAS, WIDE
from pipeline.normal.spelling import folded

_MOST_CITIES = 12
#: Weights are numbers of people: a country outweighs every city, the states people name outweigh most.
_COUNTRY_WEIGHT = 1e9
_STATE_WEIGHT = 2e6
REGION_WEIGHT = 3e5
#: Regions of a small country are small: Manchester is a parish of Jamaica.
_REGIONS_OF_A_COUNTRY = 60


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """`area` is set when `cities` holds the area the token names ("Bay Area"), of which no city is known."""

    text: str
    name: str
    is_code: bool
    wide: str | None = None
    country: str | None = None
    regions: tuple[Region, ...] = ()
    cities: tuple[City, ...] = ()
    is_area: bool = False

    @property
    def is_known(self) -> bool:
        return bool(self.wide or self.country or self.regions or self.cities)

    @property
    def states(self) -> tuple[Region, ...]:
        """Its regions in the countries whose states are written after a town."""
        return tuple(each for each in self.regions if has_states(each.country))


@lru_cache(maxsize=20_000)
def token(text: str) -> Token:
    """Everything `text` can be by itself; codes only in capitals ("in" and "or" are words)."""
    name = folded(text)
    code = text.replace(".", "") if text.isascii() and text.isupper() else ""
    area = AREAS.get(name)
    coded = regions_coded(code) if code else ()
    return Token(
        text=text,
        name=name,
        is_code=bool(code) and bool(country_coded(code) or coded),
        wide=WIDE.get(name),
        country=(country_coded(code) if code else None) or country_named(name),
        regions=(*coded, *regions_named(name)),
        cities=cities_named(name)[:_MOST_CITIES] if area is None else (_area_city(text, area),),
        is_area=area is not None and area[2] is None,
    )


def country_weight(token: Token) -> float:
    """A state of the same name, or an American one of the same code, speaks against it: Georgia, CA, IL."""
    states = [each for each in token.states if not token.is_code or each.country == "US"]
    return _STATE_WEIGHT if states else _COUNTRY_WEIGHT


def region_weight(region: Region) -> float:
    if has_states(region.country):
        return _STATE_WEIGHT
    return min(REGION_WEIGHT, people().get(region.country, 0) / _REGIONS_OF_A_COUNTRY)


def _area_city(text: str, area: tuple[str, str, str | None]) -> City:
    country, state, city = area
    return City(city or text, country, state, _STATE_WEIGHT)
