"""The fill plan: for each field of a form what to put there, or why it is left. Pure.

What is the person's alone is left whatever the profile holds; what is not understood for certain is left;
what the profile does not say is left. The form as a whole is read first, because one field's meaning can
depend on the others ("Name" beside "Vorname" is the last name).
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from extension_api.answers import sentences
from extension_api.answers.attaching import document_for, wanted_document
from extension_api.answers.choosing import choose_equal_opportunity, choose_fact, equal_opportunity_choice
from extension_api.answers.guards import guard_of, is_equal_opportunity
from extension_api.answers.legal import answer, legal_question, touches_law
from extension_api.answers.meanings import EQUAL_OPPORTUNITY, Meaning
from extension_api.answers.options import Choice, Unmatched, choose_yes_or_no
from extension_api.answers.understanding import Understood, place_of, understood
from extension_api.answers.values import Form, country_name, has_current_work, place, salary_text, value_of
from extension_api.answers.words import words
from extension_api.countries import BY_CODE
from extension_api.profiles.types import Profile
from extension_api.protocol import FieldDescription, KnownDocument, PlannedField, Reason

_TYPED = frozenset({"text", "textarea"})
_CHOSEN = frozenset({"select", "combobox", "radio", "buttons"})
_BARE_NAME = frozenset({("name",), ("nom",), ("nombre",), ("your", "name")})
_LATEST = frozenset({"recent", "latest", "last"})
_CANONICAL = 0.95
"""Of an option chosen by its meaning, not by its words."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A field and what is known of it before the profile is opened. `entry` counts repeated sections."""

    field: FieldDescription
    guard: Reason | None
    understood: Understood | None
    entry: int = 0

    @property
    def meaning(self) -> Meaning | None:
        return self.understood.meaning if self.understood else None


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    profile: Profile
    documents: Sequence[KnownDocument]
    form: Form


def plan(
    fields: Sequence[FieldDescription], profile: Profile, documents: Sequence[KnownDocument]
) -> list[PlannedField]:
    """One line for each field, in order."""
    readings = read(fields)
    asks: frozenset[Meaning] = frozenset(
        reading.meaning for reading in readings if reading.meaning and not reading.guard
    )
    facts = Facts(profile=profile, documents=documents, form=Form(asks=asks))
    return [_planned(reading, facts) for reading in readings]


def read(fields: Sequence[FieldDescription]) -> list[Reading]:
    """What each field asks, in the light of the others."""
    first = [Reading(field=field, guard=guard_of(field), understood=understood(field)) for field in fields]
    asks: set[Meaning | None] = {reading.meaning for reading in first}
    seen: Counter[Meaning] = Counter()
    counted: list[Reading] = []
    for reading in first:
        known = _named_in_context(reading, asks)
        entry = 0
        if known and place_of(reading.field) != "form":
            entry = seen[known.meaning]
            seen[known.meaning] += 1
        counted.append(msgspec.structs.replace(reading, understood=known, entry=entry))
    return counted


def _named_in_context(reading: Reading, asks: set[Meaning | None]) -> Understood | None:
    """A bare "Name" beside one part of a name is the other part."""
    known = reading.understood
    if known is None or known.meaning != "full_name" or words(reading.field.label) not in _BARE_NAME:
        return known
    if "first_name" in asks and "last_name" not in asks:
        return Understood(meaning="last_name", rule="label_beside_first_name", confidence=0.9)
    if "last_name" in asks and "first_name" not in asks:
        return Understood(meaning="first_name", rule="label_beside_last_name", confidence=0.9)
    return known


def _planned(reading: Reading, facts: Facts) -> PlannedField:
    field = reading.field
    if reading.guard is not None:
        return _left(reading, reading.guard, rule=f"guard_{reading.guard}")
    if field.has_value:
        return _left(reading, "has_value")
    if field.kind == "file":
        return _attached(reading, facts)
    if is_equal_opportunity(field):
        return _equal_opportunity(reading, facts)
    if touches_law(field.label):
        return _legal(reading, facts)
    return _fact(reading, facts)


def _attached(reading: Reading, facts: Facts) -> PlannedField:
    kind = wanted_document(reading.field)
    if kind is None:
        return _left(reading, "not_understood")
    found = document_for(kind, facts.documents)
    if found is None:
        return _left(reading, "not_in_profile", rule=f"file_{kind}", said=kind)
    return PlannedField(
        key=reading.field.key,
        action="fill",
        document_id=found.id,
        source="document",
        rule=f"file_{kind}",
        confidence=0.95,
        say=sentences.attached(found.file_name),
    )


def _equal_opportunity(reading: Reading, facts: Facts) -> PlannedField:
    meaning = reading.meaning
    if meaning not in EQUAL_OPPORTUNITY or reading.field.kind not in _CHOSEN:
        return _left(reading, "equal_opportunity")
    choice = equal_opportunity_choice(meaning, facts.profile.equal_opportunity)
    if choice is None:
        return _left(reading, "equal_opportunity")
    return _chosen(reading, choose_equal_opportunity(meaning, choice, reading.field.options))


def _legal(reading: Reading, facts: Facts) -> PlannedField:
    asked = legal_question(reading.field.label)
    right = next((one for one in facts.profile.work_rights if asked and one.country == asked.country), None)
    stated = answer(asked.asked, right) if asked and right else None
    if asked is None or stated is None or reading.field.kind not in _CHOSEN:
        return _left(reading, "legal_question", rule="legal")
    choice = choose_yes_or_no(reading.field.options, stated)
    if not isinstance(choice, Choice):
        return _left(reading, "legal_question", rule=f"legal_{asked.asked}")
    return PlannedField(
        key=reading.field.key,
        action="fill",
        option=choice.option,
        source="profile",
        rule=f"legal_{asked.asked}",
        confidence=0.9,
        say=sentences.answered(stated, country_name(asked.country)),
    )


def _fact(reading: Reading, facts: Facts) -> PlannedField:
    field, meaning = reading.field, reading.meaning
    if meaning is None or field.kind not in _TYPED | _CHOSEN:
        return _left(reading, "own_words" if field.kind == "textarea" else "not_understood")
    value = _value(reading, meaning, facts)
    if not value:
        return _left(reading, "not_in_profile")
    if field.kind in _CHOSEN:
        return _chosen(reading, choose_fact(meaning, value, field.options, facts.profile))
    if field.max_length is not None and 0 < field.max_length < len(value):
        return _left(reading, "too_long")
    return _filled(reading, value=value)


def _value(reading: Reading, meaning: Meaning, facts: Facts) -> str:
    field, profile = reading.field, facts.profile
    if meaning == "salary":
        typed = field.kind in _TYPED and field.type != "number"
        return salary_text(profile, field.label) if typed else ""
    if meaning == "city" and field.kind == "combobox" and not field.options:
        return place(profile)  # a list that loads as one types has several cities of one name
    if meaning == "phone_country" and field.kind in _TYPED:
        country = BY_CODE.get(profile.phone.country)
        return f"+{country.calling_code}" if country else ""
    if meaning in {"current_company", "current_title"} and not has_current_work(profile):
        return value_of(meaning, profile, facts.form) if _LATEST & set(words(field.label)) else ""
    return value_of(meaning, profile, facts.form, reading.entry)


def _chosen(reading: Reading, found: Choice | Unmatched) -> PlannedField:
    if isinstance(found, Choice):
        return _filled(reading, option=found)
    return _left(reading, found)


def _filled(reading: Reading, *, value: str | None = None, option: Choice | None = None) -> PlannedField:
    known = reading.understood
    if known is None:
        return _left(reading, "not_understood")
    sure = known.confidence * (1.0 if option is None or option.exact else _CANONICAL)
    return PlannedField(
        key=reading.field.key,
        action="fill",
        value=value,
        option=option.option if option else None,
        source="profile",
        rule=f"{known.rule}_{known.meaning}",
        confidence=round(sure, 3),
        say=sentences.filled(known.meaning),
    )


def _left(
    reading: Reading, reason: Reason, *, rule: str | None = None, said: Meaning | None = None
) -> PlannedField:
    known = reading.understood
    return PlannedField(
        key=reading.field.key,
        action="leave",
        rule=rule or (f"{known.rule}_{known.meaning}" if known else "none"),
        confidence=known.confidence if known else 0.0,
        reason=reason,
        say=sentences.left(reason, said or reading.meaning),
    )
