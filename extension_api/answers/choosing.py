"""Which option of a field is chosen for a fact, by the closed set its meaning belongs to. Pure."""

import re
from collections.abc import Callable

from extension_api.answers import closed_sets
from extension_api.answers.meanings import Meaning
from extension_api.answers.options import Choice, Unmatched, choose, choose_member
from extension_api.countries import BY_CODE
from extension_api.profiles.types import EqualOpportunity, Profile

_SETS: dict[Meaning, Callable[[str], str | None]] = {
    "country": closed_sets.country,
    "phone_country": closed_sets.country,
    "region": closed_sets.state,
    "degree": closed_sets.degree,
}
_DIAL_CODE = re.compile(r"\s*\+?\s?(\d{1,3})\s*")

_EQUAL: dict[Meaning, Callable[[str], str | None]] = {
    "gender": closed_sets.gender,
    "hispanic_or_latino": closed_sets.yes_no_declined,
    "race": closed_sets.race,
    "veteran": closed_sets.veteran,
    "disability": closed_sets.disability,
}


_IN_LISTS: frozenset[Meaning] = frozenset(
    {
        "country",
        "phone_country",
        "region",
        "city",
        "location",
        "school",
        "degree",
        "field_of_study",
        "pronouns",
        "current_company",
        "current_title",
        "entry_company",
        "entry_title",
        "entry_location",
    }
)
"""What a list that was not opened yet can hold; nobody offers e-mail addresses to choose from."""


def choose_fact(meaning: Meaning, value: str, options: list[str], profile: Profile) -> Choice | Unmatched:
    if not options and meaning not in _IN_LISTS:
        return "no_option_matches"
    found = choose(options, value, _SETS.get(meaning))
    if meaning == "phone_country" and found == "no_option_matches":
        country = BY_CODE.get(profile.phone.country or profile.address.country)
        return choose_member(options, country.calling_code, _dial_code) if country else found
    return found


def _dial_code(option: str) -> str | None:
    found = _DIAL_CODE.fullmatch(option)
    return found[1] if found else None


def equal_opportunity_choice(meaning: Meaning, choices: EqualOpportunity) -> str | None:
    """The person's explicit choice; None is no choice."""
    chosen: dict[Meaning, str | None] = {
        "gender": choices.gender,
        "hispanic_or_latino": choices.hispanic_or_latino,
        "race": choices.race,
        "veteran": choices.veteran,
        "disability": choices.disability,
    }
    return chosen.get(meaning)


def choose_equal_opportunity(meaning: Meaning, choice: str, options: list[str]) -> Choice | Unmatched:
    """Whoever is no veteran is no protected veteran; a veteran who is not protected is not one either."""
    found = choose_member(options, choice, _EQUAL[meaning])
    if choice == "veteran" and found == "no_option_matches":
        not_protected = [option for option in options if "protected" in option.lower()]
        return choose_member(not_protected, "not_a_veteran", closed_sets.veteran)
    return found
