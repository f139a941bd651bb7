"""What of a form may be remembered, and what may be offered for remembering. Pure.

Never: what guards leave to the person (secrets, official numbers, payment, births, signatures, consents,
facts about others), equal-opportunity answers, files, questions that only make sense beside another. Essays
and entries of repeated sections are not offered; an essay is remembered when the person asks for it.
"""

import re

from extension_api.answers.guards import guard_of, is_equal_opportunity
from extension_api.answers.understanding import place_of
from extension_api.answers.wording import question_key, tokens
from extension_api.answers.words import word_set
from extension_api.protocol import FieldDescription, Reason
from extension_api.remembered.types import Kind

_KINDS: dict[str, Kind] = {
    "text": "text",
    "textarea": "text",
    "select": "choice",
    "combobox": "choice",
    "radio": "choice",
    "buttons": "choice",
    "checkboxes": "choices",
}
_DEPENDENT = re.compile(
    r"^(?:if (?:yes|no|so|not|other|applicable|any|you (?:answered|selected|chose))\b"
    r"|please (?:specify|explain|elaborate|clarify|provide details)\b|other\b|why not\b"
    r"|wenn ja\b|falls ja\b|si oui\b|en caso afirmativo\b)"
)
_BARE = word_set(
    "other details specify explain comments comment notes note date year month from to start end number "
    "level yes no name value answer question text description type status rating score ja nein oui non si "
    "input select choose response duration reason why and or"
)
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_DIGITS = re.compile(r"[\d -]{13,25}")
_CARD_DIGITS = range(13, 20)


def kind_of(field: FieldDescription) -> Kind | None:
    """How the question is answered; None for files and single boxes, which are never remembered."""
    return _KINDS.get(field.kind)


def asked_text(field: FieldDescription) -> str:
    """The question of a field: its label, else what its group asks."""
    return field.label if question_key(field.label) else field.group


def is_dependent(text: str) -> bool:
    """The question refers to another one, or to its place in the form: alone it says nothing."""
    key = question_key(text)
    return (
        not key
        or bool(_DEPENDENT.match(key))
        or all(word in _BARE or word.isdigit() for word in tokens(text))
    )


def why_never(field: FieldDescription) -> Reason | None:
    """Why an answer to this field is never remembered, whatever the person asks; None when it may be."""
    return guard_of(field) or why_never_unguarded(field)


def why_never_unguarded(field: FieldDescription) -> Reason | None:
    """The same for a field that no guard holds."""
    if is_equal_opportunity(field):
        return "equal_opportunity"
    if kind_of(field) is None or is_dependent(asked_text(field)):
        return "not_understood"
    return None


def may_be_offered(field: FieldDescription) -> bool:
    """What the person enters in this field, which no guard holds, may be offered for remembering."""
    return why_never_unguarded(field) is None and field.kind != "textarea" and place_of(field) == "form"


def reads_as_a_secret(given: str) -> bool:
    """The text itself is a social security or card number, whatever was asked."""
    tidy = given.strip()
    if _SSN.fullmatch(tidy):
        return True
    digits = [int(char) for char in tidy if char.isascii() and char.isdigit()]
    return bool(_DIGITS.fullmatch(tidy)) and len(digits) in _CARD_DIGITS and _passes_luhn(digits)


def _passes_luhn(digits: list[int]) -> bool:
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]  # noqa: PLR2004 -- two digits sum to one
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0
