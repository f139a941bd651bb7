"""What a field asks for, and by which sign of it: its label, its autofill token, its name or its type. Pure.

The label decides; the other signs confirm it, refine it, or stand in where it is empty or in a language
nobody here reads. A question that is answered by yes or no asks for no fact.
"""

from itertools import pairwise
from typing import Literal

import msgspec

from extension_api.answers.families import (
    EDUCATION_MEANINGS,
    ENTRY_FAMILIES,
    FAMILIES,
    FILLERS,
    NAME_NOISE,
    SCHOOL_DATES,
    WORK_DATES,
    Families,
    best_match,
)
from extension_api.answers.meanings import AUTOCOMPLETE, EQUAL_OPPORTUNITY, Meaning
from extension_api.answers.words import name_words, question, word_set, words
from extension_api.protocol import FieldDescription

Place = Literal["form", "work", "education"]
"""Where in the form a field stands: on its own, or in a repeated entry about a position or a school."""

MAX_ASKED_WORDS = 25
_FOREIGN_WORDS = 3
"""A label of so few unknown words may be a short label in another language."""
_WORK = word_set("experience employment berufserfahrung experiencia erfahrung experiences workexperience")
_WORK_PAIRS = (("work", "history"), ("employment", "history"), ("previous", "positions"))
_EDUCATION = word_set("education ausbildung bildungsweg formation formacion educacion studium studies")
_YES_OR_NO = word_set("are is was were does did has have will am")
_OTHERWISE = word_set(
    "custom other another additional alternative alternate secondary second previous former old andere autre "
    "otro"
)
_TYPES: dict[str, Meaning] = {"email": "email", "tel": "phone"}
_UNTYPED = frozenset({"", "text", "search", "textarea", "select-one"})
_FITTING: dict[str, frozenset[Meaning]] = {
    "email": frozenset({"email"}),
    "tel": frozenset({"phone", "phone_country"}),
    "url": frozenset({"linkedin", "github", "portfolio", "website", "twitter"}),
    "number": frozenset({"postal_code", "grade", "phone"}),
}
_REFINED: dict[tuple[Meaning, Meaning], Meaning] = {
    ("full_name", "first_name"): "first_name",
    ("full_name", "last_name"): "last_name",
    ("address", "street"): "street",
    ("location", "city"): "city",
}


class Understood(msgspec.Struct, frozen=True, kw_only=True):
    """`rule` names the sign; `confidence` is from 0 to 1."""

    meaning: Meaning
    rule: str
    confidence: float


def place_of(field: FieldDescription) -> Place:
    around = words(f"{field.section} {field.group}")
    pairs = set(pairwise(around))
    if not _EDUCATION.isdisjoint(around):
        return "education"
    if not _WORK.isdisjoint(around) or any(pair in pairs for pair in _WORK_PAIRS):
        return "work"
    return "form"


def understood(field: FieldDescription) -> Understood | None:
    """None when nobody can tell what is asked; then nothing is filled."""
    place = place_of(field)
    asked = words(question(field.label)) or words(question(field.group))
    labelled = _by_label(asked, place)
    if place != "form":
        return labelled and Understood(meaning=labelled, rule="label_in_entry", confidence=0.85)
    other = _by_other_signs(field)
    if labelled is None:
        return None if _says_something_else(asked) else other
    return _agreed(labelled, other, field.type)


def _by_label(asked: tuple[str, ...], place: Place) -> Meaning | None:
    if not asked or len(asked) > MAX_ASKED_WORDS:
        return None
    if _is_yes_or_no(asked):
        match = best_match(asked, _STATISTICAL)
    else:
        match = best_match(asked, _FAMILIES_AT[place])
    return match.meaning if match else None


_ALL = Families(FAMILIES)
_STATISTICAL = Families([family for family in FAMILIES if family.meaning in EQUAL_OPPORTUNITY])
_FAMILIES_AT: dict[Place, Families] = {
    "form": _ALL,
    "work": Families([*ENTRY_FAMILIES, *WORK_DATES]),
    "education": Families(
        [*(family for family in FAMILIES if family.meaning in EDUCATION_MEANINGS), *SCHOOL_DATES]
    ),
}


def _is_yes_or_no(asked: tuple[str, ...]) -> bool:
    return asked[0] in _YES_OR_NO or (asked[0] == "do" and asked[1:3] != ("you", "have"))


def _says_something_else(asked: tuple[str, ...]) -> bool:
    """The label has words of its own that no family explains: the other signs may not overrule it."""
    unknown = [word for word in asked if word not in FILLERS]
    if len(unknown) >= _FOREIGN_WORDS or not _OTHERWISE.isdisjoint(unknown):
        return True
    return bool(asked) and _is_yes_or_no(asked)


def _by_other_signs(field: FieldDescription) -> Understood | None:
    token = field.autocomplete.lower().split(" ")[-1]
    if token in AUTOCOMPLETE:
        return Understood(meaning=AUTOCOMPLETE[token], rule="autocomplete", confidence=0.8)
    named = tuple(word for word in name_words(field.name) if word not in NAME_NOISE and not word.isdigit())
    match = best_match(named, _ALL) if named else None
    if match is not None and (named != ("name",) or not field.label):
        return Understood(meaning=match.meaning, rule="name", confidence=0.7)
    if field.type in _TYPES:
        return Understood(meaning=_TYPES[field.type], rule="type", confidence=0.7)
    return None


def _agreed(labelled: Meaning, other: Understood | None, typed: str) -> Understood | None:
    if typed in _FITTING and labelled not in _FITTING[typed]:
        return None
    if other is None:
        return Understood(meaning=labelled, rule="label", confidence=0.95)
    if other.meaning == labelled:
        return Understood(meaning=labelled, rule=f"label_and_{other.rule}", confidence=0.99)
    refined = _REFINED.get((labelled, other.meaning))
    if refined is not None:
        return Understood(meaning=refined, rule=f"label_and_{other.rule}", confidence=0.9)
    return Understood(meaning=labelled, rule="label", confidence=0.8)
