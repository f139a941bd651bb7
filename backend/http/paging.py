"""Keyset paging: a list goes on after the last row it showed, so it neither skips nor repeats.

A cursor is the sort key of that row as a struct, in the URL as opaque text. It carries nothing secret and
opens nothing: the query it goes into is scoped like any other.
"""

import base64
from typing import Generic, TypeVar

import msgspec

from schema.errors import Invalid
from schema.text import clean

ItemT = TypeVar("ItemT")
KeyT = TypeVar("KeyT", bound=msgspec.Struct)
_CURSOR_MAX = 500


class Page(msgspec.Struct, Generic[ItemT], frozen=True, kw_only=True):
    """One screenful, and the cursor of the next; None at the end."""

    items: list[ItemT]
    next: str | None = None


def cursor(key: msgspec.Struct) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def key_of(text: str | None, kind: type[KeyT]) -> KeyT | None:
    """The key in a cursor; None without one. Raises `Invalid` when it is not a cursor of this list."""
    if not text:
        return None
    try:
        raw = base64.urlsafe_b64decode(text[:_CURSOR_MAX].encode("ascii") + b"==")
        return msgspec.json.decode(clean(raw.decode()), type=kind)
    except (ValueError, msgspec.DecodeError) as error:
        raise Invalid("This is not a place in this list; start again from its top.", field="after") from error
