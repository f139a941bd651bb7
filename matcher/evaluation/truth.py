"""What a truth file holds: people, their applications and mail, and which belongs to which. Only structs."""

from datetime import date, datetime
from pathlib import Path

import msgspec

from schema.errors import Refusal
from schema.vocabulary import ApplicationOrigin, Stage


class TruthUnreadable(Refusal):
    """The truth file cannot be read."""

    code = "match_truth_unreadable"
    kind = "invalid"


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Whose mailbox it is: an account of its own. `owners` are the own addresses, in lower case."""

    name: str
    owners: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What the person set, and when."""

    stage: Stage
    at: datetime


class TrueApplication(msgspec.Struct, frozen=True, kw_only=True):
    """As the person recorded it. Its id is unique among the person's."""

    id: str
    person: str
    company: str | None = None
    role: str | None = None
    aliases: tuple[str, ...] = ()
    requisition: str | None = None
    url: str | None = None
    platform: str | None = None
    board: str | None = None
    vendor_id: str | None = None
    applied_at: datetime | None = None
    applied_on: date | None = None
    origin: ApplicationOrigin = "tracker"
    states: tuple[State, ...] = ()
    threads: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The application nobody recorded that a message is about."""

    company: str
    role: str | None = None


class TrueMessage(msgspec.Struct, frozen=True, kw_only=True):
    """`truth` names the applications it is about: none, one, all of several, or, when it is not decidable,
    those among which nobody can choose.

    `raw` is the whole message; None when it stands in `file`. `confirmed`: a person told the truth before the
    run; it teaches and is not measured.
    """

    id: str
    person: str
    raw: bytes | None
    file: Path | None
    truth: tuple[str, ...]
    decidable: bool = True
    confirmed: bool = False
    family: str = ""
    language: str = ""
    about: About | None = None

    def whole(self) -> bytes:
        return self.raw if self.raw is not None else self.file.read_bytes() if self.file else b""


class TruthFile(msgspec.Struct, frozen=True, kw_only=True):
    """`notes` tell one sentence of everything that was passed over."""

    people: tuple[Person, ...]
    applications: tuple[TrueApplication, ...]
    messages: tuple[TrueMessage, ...]
    notes: tuple[str, ...] = ()
