"""What the parts of `trackers` say to each other and to the pages. Only structs and closed sets."""

from datetime import datetime
from typing import Literal, get_args

import msgspec

from matcher.applications.types import NewApplication
from schema.ids import ApplicationId, TrackerImportId
from schema.vocabulary import Stage

Field = Literal[
    "company",
    "role",
    "url",
    "applied",
    "status",
    "status_date",
    "requisition",
    "archived",
    "location",
    "salary",
    "contact",
    "note",
    "extra",
    "skip",
]
"""What a column is. `extra` goes to the note as "Header: value", `skip` is left out."""

FIELDS: tuple[Field, ...] = get_args(Field)
SINGLE: frozenset[Field] = frozenset(
    {"company", "role", "url", "applied", "status", "status_date", "requisition", "archived"}
)
"""At most one column of a file can be each of these."""

Meaning = Stage | Literal["not_yet", "note"]
"""What a status word means: a stage, not applied yet, or nothing but a line of the note."""

Outcome = Literal["new", "known", "refused"]
State = Literal["read", "applying", "applied", "undoing", "undone"]


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A file as rows. `rows` are those below the header; a line is that of the file, counted from 1."""

    header: tuple[str, ...]
    rows: tuple["Line", ...]


class Line(msgspec.Struct, frozen=True):
    number: int
    cells: tuple[str, ...]

    def cell(self, place: int) -> str:
        """Short rows end early."""
        return self.cells[place] if place < len(self.cells) else ""


class Mapping(msgspec.Struct, frozen=True, kw_only=True):
    """How a file is read: what each column is, how its slashed dates go, what its status words mean.

    `day_first` None: nothing decides it. `statuses` is keyed by the folded word.
    """

    columns: tuple[Field, ...]
    day_first: bool | None = None
    statuses: dict[str, Meaning] = {}

    def place(self, field: Field) -> int | None:
        """The column that is `field`; None when none is."""
        return self.columns.index(field) if field in self.columns else None


class Becoming(msgspec.Struct, frozen=True, kw_only=True):
    """A row as the application it would become. `status` is the person's own; None leaves it to the mail."""

    line: int
    new: NewApplication
    status: Stage | None
    status_at: datetime | None
    archived: bool


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A row that becomes nothing, and why, as a sentence."""

    line: int
    reason: str
    cells: tuple[str, ...]


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one row. `known` is its application: one there was, or with a negative id a new one.

    `maybe`: the applications a new one may be the same as; which one, nobody can tell.
    """

    line: int
    outcome: Outcome
    row: Becoming | None = None
    identity: str | None = None
    known: ApplicationId | None = None
    maybe: tuple[ApplicationId, ...] = ()
    refused: Refused | None = None


class TrackerImport(msgspec.Struct, frozen=True, kw_only=True):
    """One file and how far it is. `rows_kept`: left alone by the undo, because touched since."""

    id: TrackerImportId
    name: str
    state: State
    rows_total: int
    rows_new: int
    rows_known: int
    rows_refused: int
    rows_kept: int
    created_at: datetime
    applied_at: datetime | None
    undone_at: datetime | None
