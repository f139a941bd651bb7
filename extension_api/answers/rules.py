"""The fill plan: for each field of a form what to put there, or why it is left. Pure.

What is the person's alone is left whatever is known; then a remembered answer comes first, what the profile
says second, a draft third; everything else is left. The form as a whole is read first, because one field's
meaning can depend on the others ("Name" beside "Vorname" is the last name).
"""

from collections.abc import Sequence

import msgspec

from extension_api.answers import sentences
from extension_api.answers.attaching import document_for, wanted_document
from extension_api.answers.choosing import choose_equal_opportunity, choose_fact, equal_opportunity_choice
from extension_api.answers.drafting import draft_for, is_the_persons, why_not
from extension_api.answers.guards import guard_of, is_equal_opportunity
from extension_api.answers.legal import answer, legal_question, touches_law
from extension_api.answers.mapping import settles
from extension_api.answers.meanings import EQUAL_OPPORTUNITY, Meaning
from extension_api.answers.memory import NOTHING, Memory
from extension_api.answers.options import Choice, Unmatched, choose_yes_or_no
from extension_api.answers.recalling import Recalled, recalled
from extension_api.answers.remembering import may_be_offered, why_never_unguarded
from extension_api.answers.understanding import Place, Understood, place_of, understood
from extension_api.answers.values import (
    Form,
    country_name,
    dated,
    has_current_work,
    place,
    salary_text,
    value_of,
)
from extension_api.answers.wording import wording
from extension_api.answers.words import words
from extension_api.countries import BY_CODE
from extension_api.profiles.types import Profile
from extension_api.protocol import Draft, FieldDescription, KnownDocument, PlannedField, Reason

_TYPED = frozenset({"text", "textarea"})
_CHOSEN = frozenset({"select", "combobox", "radio", "buttons"})
_BARE_NAME = frozenset({("name",), ("nom",), ("nombre",), ("your", "name")})
_DATES = frozenset({"entry_start", "entry_end", "school_start", "school_end"})
_PHONE = frozenset({"phone", "telephone", "mobile", "telefon", "telefono"})
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


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What is known beside the profile. `employers` are the comparable names the page goes by."""

    memory: Memory = NOTHING
    employers: frozenset[str] = frozenset()
    drafts: Sequence[Draft] = ()


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    profile: Profile
    documents: Sequence[KnownDocument]
    form: Form
    known: Known


def plan(
    fields: Sequence[FieldDescription],
    profile: Profile,
    documents: Sequence[KnownDocument],
    known: Known | None = None,
) -> list[PlannedField]:
    """One line for each field, in order."""
    readings = read(fields)
    asks: frozenset[Meaning] = frozenset(
        reading.meaning for reading in readings if reading.meaning and not reading.guard
    )
    facts = Facts(profile=profile, documents=documents, form=Form(asks=asks), known=known or Known())
    return [_offered(_planned(reading, facts), reading) for reading in readings]


def _offered(line: PlannedField, reading: Reading) -> PlannedField:
    if reading.guard is not None or not may_be_offered(reading.field):
        return line
    return msgspec.structs.replace(line, may_be_remembered=True)


def read(fields: Sequence[FieldDescription]) -> list[Reading]:
    """What each field asks, in the light of the others."""
    first = [Reading(field=field, guard=guard_of(field), understood=understood(field)) for field in fields]
    asks: set[Meaning | None] = {reading.meaning for reading in first}
    rows: dict[Place, _Rows] = {}
    counted: list[Reading] = []
    for reading in first:
        known, where = _named_in_context(reading, asks), place_of(reading.field)
        entry = 0
        if known and where != "form":
            entry = rows.setdefault(where, _Rows()).entry_of(known.meaning)
        counted.append(msgspec.structs.replace(reading, understood=known, entry=entry))
    return counted


class _Rows:
    """Counts the rows of a repeated section: one begins where a question comes again. A question may be
    missing from a row ("to" of a position still held)."""

    def __init__(self) -> None:
        self._row = 0
        self._asked: set[Meaning] = set()

    def entry_of(self, meaning: Meaning) -> int:
        if meaning in self._asked:
            self._row += 1
            self._asked = set()
        self._asked.add(meaning)
        return self._row


def _named_in_context(reading: Reading, asks: set[Meaning | None]) -> Understood | None:
    """A bare "Name" beside one part of a name is the other part; a country in a group about the phone is its
    code."""
    known = reading.understood
    if known is not None and known.meaning == "country" and not _PHONE.isdisjoint(words(reading.field.group)):
        return Understood(meaning="phone_country", rule="label_in_phone_group", confidence=0.9)
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
    return _answered(reading, facts)


def _answered(reading: Reading, facts: Facts) -> PlannedField:
    """A remembered answer, else the profile, else a draft; one only shown gives way to a certain fact."""
    found = _remembered(reading, facts)
    if isinstance(found, PlannedField):
        stated = _stated(reading, facts) if found.action == "suggest" else found
        return stated if stated.action == "fill" else found
    if found == "several_answers_match":
        return _left(reading, found, rule="remembered")
    stated = _stated(reading, facts)
    if stated.action == "fill":
        return stated
    return _drafted(reading, facts, _left(reading, found, rule="remembered") if found else stated)


def _stated(reading: Reading, facts: Facts) -> PlannedField:
    return _legal(reading, facts) if touches_law(reading.field.label) else _fact(reading, facts)


def _remembered(reading: Reading, facts: Facts) -> PlannedField | Reason | None:
    field = reading.field
    if place_of(field) != "form" or why_never_unguarded(field) is not None:
        return None
    found = recalled(field, facts.known.memory, facts.known.employers, facts.profile)
    if not isinstance(found, Recalled):
        return found
    return PlannedField(
        key=field.key,
        action=found.action,
        value=found.mapped.value,
        option=found.mapped.option,
        options=found.mapped.options,
        answer_id=found.answer_id,
        source="answer",
        rule=found.rule,
        confidence=round(found.confidence, 3),
        say=sentences.remembered(found.action, is_employers=found.is_employers, is_same=found.is_same),
    )


def _drafted(reading: Reading, facts: Facts, otherwise: PlannedField) -> PlannedField:
    field = reading.field
    draft = draft_for(field, facts.known.drafts) if field.kind in _TYPED else None
    if draft is None:
        return otherwise
    reason = why_not(draft, field)
    if reason is not None:
        return msgspec.structs.replace(_left(reading, reason, rule="draft"), draft_id=draft.id)
    own = is_the_persons(draft)
    return PlannedField(
        key=field.key,
        action="fill" if own else "suggest",
        value=draft.text,
        draft_id=draft.id,
        source="draft",
        rule="draft",
        confidence=0.9 if own else 0.6,
        say=sentences.drafted(is_own=own),
    )


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
    said = wording(reading.field.label, is_yes_no=True)
    if not isinstance(choice, Choice) or not all(settles(one, said) for one in reading.field.options):
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
    if meaning == "entry_current" and field.kind == "checkbox":
        holds = value_of(meaning, facts.profile, facts.form, reading.entry)
        return (
            _filled(reading, option=Choice(option=holds, exact=True))
            if holds
            else _left(reading, "not_in_profile")
        )
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
    if meaning in _DATES:
        return dated(value_of(meaning, profile, facts.form, reading.entry), field.type)
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
