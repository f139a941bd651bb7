"""Rows of a truth file as what they mean, under every reasonable spelling. Looks for files, reads none."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, time
from email.utils import getaddresses
from pathlib import Path
from typing import get_args

from matcher.evaluation.fields import Fields
from matcher.evaluation.letters import FILE, day_of, instant_of, whole
from matcher.evaluation.truth import About, Person, State, TrueApplication, TrueMessage
from schema.vocabulary import ApplicationOrigin, Stage

COMPANY = ("company", "employer", "company_name", "employer_name", "organisation", "organization")
ROLE = ("role", "title", "position", "job_title", "role_title")
TRUTH = ("truth", "truth_id", "truth_ids", "truth_application", "truth_application_id", "application",
         "application_id", "application_ids", "applications", "app", "app_id", "expected", "answer",
         "label")  # fmt: skip
_ORIGINS: frozenset[str] = frozenset(get_args(ApplicationOrigin)) - {"derived"}
_STAGES: frozenset[str] = frozenset(get_args(Stage))
_OTHER_STAGES: dict[str, Stage] = {
    "acknowledgement": "acknowledged",
    "received": "acknowledged",
    "interview": "interviewing",
    "refused": "rejected",
    "declined": "withdrawn",
    "accepted": "offer",
    "hired": "offer",
    "ended": "closed",
}
NONE_OF_THEM = frozenset((
    "none", "null", "no", "nothing", "untracked", "unrelated", "none_of_these", "not_an_application",
    "not_job_mail", "noise", "n_a",
))  # fmt: skip
CANNOT_TELL = frozenset((
    "cannot_tell", "cannot_be_told", "can_t_tell", "undecidable", "unknown", "ambiguous", "abstain",
    "must_abstain", "unclear", "open", "none_cannot_be_told", "none_or_cannot_be_told", "ask",
))  # fmt: skip


def person_of(fields: Fields, fallback: str) -> Person:
    told = fields.texts(
        "owner", "owners", "owner_address", "owner_addresses", "address", "addresses", "email"
    )
    addresses = [address.casefold() for _, address in getaddresses(list(told)) if "@" in address]
    name = fields.text("name", "id", "mailbox") or fallback
    return Person(name=name, owners=tuple(dict.fromkeys(addresses)))


def application_of(fields: Fields, person: str) -> TrueApplication:
    name = fields.text("id", "application_id", "key")
    if name is None:
        raise fields.wrong("id", "an application needs one.")
    instant = fields.time("applied_at", "applied", "applied_on", "date", "applied_date", "submitted_at")
    origin = fields.text("origin") or "tracker"
    return TrueApplication(
        id=name,
        person=person,
        company=fields.text(*COMPANY),
        role=fields.text(*ROLE),
        aliases=fields.texts("aliases", "alias", "employer_aliases", "company_aliases", "also_known_as"),
        requisition=fields.text("requisition", "requisition_id", "req_id", "req", "job_number"),
        url=fields.text("url", "source_url", "posting_url", "job_url", "link"),
        platform=fields.text("platform", "ats"),
        board=fields.text("board", "board_token", "tenant"),
        vendor_id=fields.text("vendor_id", "posting_id", "vendor_posting_id", "ats_job_id"),
        applied_at=instant_of(instant),
        applied_on=day_of(instant),
        origin=origin if origin in _ORIGINS else "manual",  # pyright: ignore[reportArgumentType]
        states=_states(fields),
        threads=_known(fields, "threads", "thread", "thread_ids"),
        contacts=_known(fields, "contacts", "contact", "contact_addresses"),
    )


def _known(fields: Fields, *names: str) -> tuple[str, ...]:
    inside = fields.inside("known")
    told = fields.texts(*names, *(f"known_{name}" for name in names))
    return told or (inside.texts(*names) if inside else ())


def _states(fields: Fields) -> tuple[State, ...]:
    found: list[State] = []
    for row in fields.objects("states", "state_history", "history", "status_history"):
        told = Fields(f"{fields.place}, states", row)
        stage = _stage(told.text("stage", "state", "status", "to") or "")
        at = told.time("at", "date", "on", "since", "time")
        if stage is not None and at is not None:
            instant = at if isinstance(at, datetime) else datetime.combine(at, time(12), UTC)
            found.append(State(stage=stage, at=instant))
    return tuple(sorted(found, key=lambda state: state.at))


def _stage(text: str) -> Stage | None:
    word = word_of(text)
    known = word if word in _STAGES else _OTHER_STAGES.get(word)
    return known if known != "applied" else None  # pyright: ignore[reportReturnType]


def message_of(fields: Fields, person: str, folder: Path, known: Collection[str]) -> TrueMessage:
    """`known` are the ids of the person's applications."""
    truth, decidable = _truth(fields, known)
    raw = whole(fields)
    return TrueMessage(
        id=fields.text("id", "message_id", *FILE) or fields.place,
        person=person,
        raw=raw,
        file=None if raw is not None else _file(fields, folder),
        truth=truth,
        decidable=decidable,
        confirmed=fields.flag("confirmed", "is_confirmed", "seed", "confirmed_by_person") or False,
        family=fields.text("family", "family_name", "scenario", "case") or "",
        language=fields.text("language", "lang", "locale") or "",
        about=_about(fields),
    )


def _file(fields: Fields, folder: Path) -> Path:
    named = fields.text(*FILE)
    if named is None:
        raise fields.wrong("eml", "a message needs eml, file, or fields such as from, subject and body.")
    path = folder / named
    if not path.is_file():
        raise fields.wrong("file", f"there is no file {named}.")
    return path


def _truth(fields: Fields, known: Collection[str]) -> tuple[tuple[str, ...], bool]:
    """The applications, and whether it can be told: a word in the place of an id may say that it cannot."""
    inside = fields.inside(*TRUTH)
    told = inside or fields
    names = (*TRUTH, "id", "ids") if inside else TRUTH
    flag = _decidable(told) if _decidable(told) is not None else _decidable(fields)
    if not told.has(*names) and flag is not False:
        raise fields.wrong("truth", "a message needs one: an id, null, or a list of ids.")
    values = told.texts(*names)
    opened = [value for value in values if value not in known and word_of(value) in CANNOT_TELL]
    ids = tuple(dict.fromkeys(value for value in values if not _is_word(value, known)))
    for value in ids:
        if value not in known:
            raise fields.wrong("truth", f"there is no application {value!r} of this person.")
    return ids, False if opened else flag is not False


def _is_word(value: str, known: Collection[str]) -> bool:
    return value not in known and word_of(value) in NONE_OF_THEM | CANNOT_TELL


def _decidable(fields: Fields) -> bool | None:
    told = fields.flag("decidable", "is_decidable")
    if told is not None:
        return told
    abstain = fields.flag("must_abstain", "abstain", "undecidable", "cannot_tell", "ambiguous")
    return None if abstain is None else not abstain


def _about(fields: Fields) -> About | None:
    inside = fields.inside("about", "untracked", "unrecorded")
    company = inside.text(*COMPANY) if inside else None
    return About(company=company, role=inside.text(*ROLE)) if inside and company else None


def word_of(text: str) -> str:
    kept = "".join(char if char.isalnum() else " " for char in text.casefold())
    return "_".join(kept.split())


def require_unique(rows: Sequence[tuple[str, str, Fields]]) -> None:
    """Rows as person, id and where they stand."""
    seen: dict[tuple[str, str], str] = {}
    for person, name, fields in rows:
        first = seen.setdefault((person, name), fields.place)
        if first != fields.place:
            raise fields.wrong("id", f"{name!r} was used already at {first}.")
