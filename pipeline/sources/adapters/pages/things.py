"""Structured data as items with properties, whichever way a page writes it down. Pure."""

from collections.abc import Iterator
from typing import Union

import msgspec

from schema.text import clean

Value = Union[str, int, float, bool, "Thing"]
MAX_DEPTH = 40


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """One item: its types and, by property, its values in the order of the page. Names carry no prefix."""

    types: frozenset[str]
    values: dict[str, tuple[Value, ...]]

    def text(self, *names: str) -> str:
        """The first value under any of the names that is text or a number, edges trimmed."""
        return next((told for name in names for told in self.texts(name)), "")

    def texts(self, name: str) -> list[str]:
        told = (_as_text(value) for value in self.values.get(name, ()))
        return [each for each in told if each]

    def things(self, name: str) -> list["Thing"]:
        return [value for value in self.values.get(name, ()) if isinstance(value, Thing)]

    def number(self, name: str) -> str | float | None:
        """The first value that is a number, or text that may hold one."""
        values = (value for value in self.values.get(name, ()) if not isinstance(value, Thing))
        found = next((value for value in values if not isinstance(value, bool)), None)
        return float(found) if isinstance(found, int) and abs(found) < _MOST else found


_MOST = 10**15


def _as_text(value: Value) -> str:
    if isinstance(value, str):
        return clean(value).strip()
    if isinstance(value, Thing | bool):
        return ""
    return str(value) if abs(value) < _MOST else ""


def bare(name: str) -> str:
    """A property or type without the vocabulary it is taken from: "http://schema.org/title" is "title"."""
    return name.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def all_of(kind: str, things: list[Thing]) -> Iterator[Thing]:
    """Every item of that type, the outer ones before what lies inside them."""
    waiting = list(reversed(things))
    while waiting:
        thing = waiting.pop()
        if kind in thing.types:
            yield thing
        inner = [value for values in thing.values.values() for value in values if isinstance(value, Thing)]
        waiting.extend(reversed(inner))


def plain(thing: Thing, *left_out: str) -> dict[str, object]:
    """The item as JSON can hold it, less some properties of its own."""
    told: dict[str, object] = {"@type": sorted(thing.types)} if thing.types else {}
    for name, values in thing.values.items():
        if name not in left_out:
            written = [plain(value) if isinstance(value, Thing) else value for value in values]
            told[name] = written[0] if len(written) == 1 else written
    return told
