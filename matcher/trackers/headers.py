"""What people and programs call the columns of their trackers, in English, German, French and Spanish. Pure.

Exact names only, compared without case, accents and marks: a name that is not here is decided by the values
below it, or kept for the note.
"""

import re
import tomllib
from pathlib import Path

import msgspec

from matcher.trackers.types import Field
from schema.identity.tokens import folded

#: A card's title on a board: the employer, the position or both, so that the values decide.
UNSURE = frozenset({"name", "card name", "card title", "task name", "nom", "nombre", "bezeichnung"})
#: Columns of our own export that say again what others say, or hold only where they were exported.
OURS = ("jobtrail_id", "company", "role", "status", "status_at", "status_by", "applied", "url", "requisition",
        "archived", "note", "origin", "platform", "recorded_at", "last_news", "last_news_at")  # fmt: skip
_OF_OURS: dict[str, Field] = {
    "company": "company",
    "role": "role",
    "status": "status",
    "status_at": "status_date",
    "applied": "applied",
    "url": "url",
    "requisition": "requisition",
    "archived": "archived",
    "note": "note",
}
_WORD = re.compile(r"[^\W_]+")


def plain(name: str) -> str:
    """A header as headers are compared: words without case, accents and marks, one space between them."""
    return " ".join(_WORD.findall(folded(name)))


class Named(msgspec.Struct, frozen=True):
    """What a name says; of two columns for one field the lower rank is the better name for it."""

    field: Field
    rank: int


_TABLE = tomllib.loads(Path(__file__).with_name("headers.toml").read_text(encoding="utf-8"))
_NAMED = {
    plain(name): Named(field, rank)
    for field, names in msgspec.convert(_TABLE, dict[Field, list[str]]).items()
    for rank, name in enumerate(names)
}


def named(name: str) -> Named | None:
    """What a column of this name is; None when the name does not say it."""
    return _NAMED.get(plain(name)) or _NAMED.get(_without_brackets(name))


def field_of(name: str) -> Field | None:
    found = named(name)
    return found.field if found else None


def fields_of_ours(header: tuple[str, ...]) -> tuple[Field, ...] | None:
    """The columns of a file that `outgoing.py` wrote; None for any other."""
    return tuple(_OF_OURS.get(name, "skip") for name in header) if header == OURS else None


def _without_brackets(name: str) -> str:
    """ "Date applied (dd/mm/yyyy)" and "Company *" are what stands before the mark."""
    return plain(re.split(r"[(\[*:?]", name, maxsplit=1)[0])
