"""Reads a truth file: JSON Lines, or one JSON object with lists. What does not fit is told in one line.

A row says what it is by its one key (`{"application": {...}}`), by a word (`"type": "message"`), or by what
it carries.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, cast

import msgspec

from matcher.evaluation.fields import Fields, Object
from matcher.evaluation.letters import CARRIERS
from matcher.evaluation.rows import COMPANY, TRUTH, application_of, message_of, person_of, require_unique
from matcher.evaluation.truth import Person, TrueApplication, TrueMessage, TruthFile, TruthUnreadable

_Kind = Literal["mailbox", "application", "message", "other"]
_KINDS: dict[str, _Kind] = {
    "mailbox": "mailbox",
    "person": "mailbox",
    "account": "mailbox",
    "application": "application",
    "app": "application",
    "job": "application",
    "message": "message",
    "mail": "message",
    "email": "message",
}
_NAMES_KIND = ("type", "kind", "row", "record", "object")
_LISTS: tuple[tuple[str, _Kind], ...] = (
    ("mailboxes", "mailbox"),
    ("people", "mailbox"),
    ("mailbox", "mailbox"),
    ("applications", "application"),
    ("messages", "message"),
    ("mails", "message"),
    ("emails", "message"),
)
_Row = tuple[_Kind, Fields]


def truth_file(path: Path) -> TruthFile:
    """Raises `TruthUnreadable`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TruthUnreadable(f"{path}: {error.strerror}.") from error
    return read_truth(data, path.parent)


def read_truth(data: bytes, folder: Path) -> TruthFile:
    """`folder` is where the files of messages are."""
    filling = _Filling(folder)
    for kind, fields in _rows(data):
        filling.add(kind, fields)
    return filling.done()


class _Filling:
    """Rows as they come: a mailbox row begins another person, and rows below it are theirs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._people: dict[str, Person] = {}
        self._current = ""
        self._applications: list[tuple[TrueApplication, Fields]] = []
        self._messages: list[tuple[str, Fields]] = []
        self._passed_over: list[str] = []

    def add(self, kind: _Kind, fields: Fields) -> None:
        if kind == "mailbox":
            person = person_of(fields, f"mailbox {len(self._people) + 1}")
            self._people[person.name] = person
            self._current = person.name
        elif kind == "application":
            person = self._person(fields)
            self._applications.append((application_of(fields, person), fields))
        elif kind == "message":
            self._messages.append((self._person(fields), fields))
        else:
            self._passed_over.append(fields.place)

    def done(self) -> TruthFile:
        applications = [found for found, _ in self._applications]
        require_unique([(found.person, found.id, fields) for found, fields in self._applications])
        known: dict[str, set[str]] = {}
        for found in applications:
            known.setdefault(found.person, set()).add(found.id)
        messages = [
            (message_of(fields, person, self._folder, known.get(person, ())), fields)
            for person, fields in self._messages
        ]
        require_unique([(found.person, found.id, fields) for found, fields in messages])
        if not messages:
            raise TruthUnreadable("The file holds no message; docs/match-truth.md says how one is written.")
        return TruthFile(
            people=tuple(self._people.values()),
            applications=tuple(applications),
            messages=tuple(found for found, _ in messages),
            notes=self._notes([found for found, _ in messages]),
        )

    def _person(self, fields: Fields) -> str:
        """By name where the row gives one; else of the last mailbox above."""
        name = fields.text("mailbox", "person", "account", "owner_id", "user") or self._current
        self._people.setdefault(name, Person(name=name))
        return name

    def _notes(self, messages: list[TrueMessage]) -> tuple[str, ...]:
        if not self._passed_over:
            return ()
        many = len(self._passed_over)
        return (f"{many} of {many + len(messages)} rows are of another kind, first {self._passed_over[0]}.",)


def _rows(data: bytes) -> Iterator[_Row]:
    data = data.removeprefix(b"\xef\xbb\xbf")
    whole = _as_whole(data)
    if isinstance(whole, list):
        for number, row in enumerate(cast("list[object]", whole)):
            yield _row(f"[{number}]", row)
    elif whole is not None:
        yield from _of_object(cast("dict[str, object]", whole))
    else:
        for number, line in enumerate(data.splitlines(), 1):
            if line.strip():
                yield _row(f"line {number}", _decoded(line, f"line {number}"))


def _as_whole(data: bytes) -> object:
    """The one JSON value the file is; None when it is lines."""
    try:
        found: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        first = next((line.strip() for line in data.splitlines() if line.strip()), b"")
        if first in (b"", b"{", b"["):
            _decoded(data, "the file")
        return None
    if not isinstance(found, dict):
        return found
    whole = cast("dict[str, object]", found)
    return whole if any(name in whole for name, _ in _LISTS[3:]) else None


def _decoded(data: bytes, place: str) -> object:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TruthUnreadable(f"{place} is not JSON: {error}.") from error


def _of_object(whole: dict[str, object]) -> Iterator[_Row]:
    fields = Fields("the file", whole)
    if fields.has("owner", "owners", "owner_address", "owner_addresses"):
        yield "mailbox", fields
    for name, kind in _LISTS:
        for number, row in enumerate(fields.objects(name)):
            yield kind, Fields(f"{name}[{number}]", row)


def _row(place: str, row: object) -> _Row:
    if not isinstance(row, dict):
        raise TruthUnreadable(f"{place} is no JSON object.")
    found = cast("Object", row)
    for name, value in found.items():
        kind = _KINDS.get(name.lower())
        if kind is not None and isinstance(value, dict):
            return kind, Fields(place, {**_beside(found, name), **cast("Object", value)})
    fields = Fields(place, found)
    said = fields.text(*_NAMES_KIND)
    kind = _KINDS.get(said.lower()) if said else None
    return kind or _kind_by_content(fields), fields


def _beside(row: Object, name: str) -> Object:
    """What stands beside the one key, such as whose it is, holds for what is in it."""
    return {key: value for key, value in row.items() if key != name}


def _kind_by_content(fields: Fields) -> _Kind:
    if fields.has(*TRUTH) and fields.has(*CARRIERS):
        return "message"
    if fields.has(*COMPANY, "url", "requisition") and not fields.has(*CARRIERS):
        return "application"
    if fields.has("owner", "owners"):
        return "mailbox"
    return "other"
