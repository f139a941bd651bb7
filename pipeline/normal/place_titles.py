"""The places a title names apart from the job: "[Remote-US]", "- Austin, TX". Pure.

Titles are full of what is a place elsewhere: AI, QA, IT and ML are countries' codes, Java and Spring places.
"""

from pipeline.normal.cities import City, cities_named, has_states
from pipeline.normal.countries import country_named, regions_named
from pipeline.normal.place_readings import Reading, readings
from pipeline.normal.place_tokens import alternatives, is_code, is_known, tokens, without_flags
from pipeline.normal.spelling import folded

#: Codes of countries and states that mean nothing else in a title.
_CODES = frozenset({
    "US", "USA", "UK", "GB", "UAE", "KSA", "HK", "SG", "NZ", "JP", "SGP", "HKG", "DEU", "GBR", "NY", "NJ",
    "TX", "FL",
})  # fmt: skip
#: A smaller one needs its state beside it: "Spring, TX".
_KNOWN_BY_ITSELF = 100_000


def apart_in_title(words: str) -> list[Reading]:
    """What a part of a title names, if it is nothing but places.

    Only countries, states, and cities whose state is known: "Engineer, Split" is no place.
    """
    for alternative in alternatives(without_flags(words)):
        names = tokens(alternative)
        if names and not any(is_code(each) or is_known(folded(each)) for each in names):
            return []
        *before, last = names or [""]
        names_state = bool(before) and _is_in_state(before[-1], last)
        codes = [each for each in (*before, last) if is_code(each) and each.replace(".", "") not in _CODES]
        if codes and not (names_state and codes == [last]):
            return []
    return [each for each in readings(words) if each.wide or _is_told(each)]


def _is_in_state(town: str, code: str) -> bool:
    found = readings(f"{town}, {code}")
    return is_code(code) and any(
        each.country and (_cities(each) if each.city else each.region) for each in found
    )


def _is_told(reading: Reading) -> bool:
    if reading.country is None:
        return False
    if reading.city is None:
        return reading.region is None or _names_a_state(reading)
    parts = tokens(reading.text)
    if len(parts) > 1 and (reading.region or country_named(folded(parts[-1])) or is_code(parts[-1])):
        return bool(_cities(reading))
    return reading.region is not None and any(each.weight >= _KNOWN_BY_ITSELF for each in _cities(reading))


def _names_a_state(reading: Reading) -> bool:
    """Java is a region of Indonesia, and no state of a country whose states are named by themselves."""
    return has_states(reading.country or "") or any(
        each.country == "GB" and each.code.isalpha() for each in regions_named(folded(reading.region or ""))
    )


def _cities(reading: Reading) -> list[City]:
    """The cities of the table a reading can mean."""
    return [each for each in cities_named(folded(reading.city or "")) if each.country == reading.country]
