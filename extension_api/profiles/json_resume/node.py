"""Reads a decoded JSON object part by part and remembers what nobody asked for. Pure."""

from collections.abc import Iterator
from typing import cast

import msgspec

from schema.text import clean, shorten

NO_PLACE = "Jobtrail has no place for this; it was not taken over."
NOT_TEXT = "Expected text; it was not taken over."
NOT_PARTS = "Expected named parts; it was not taken over."
NOT_LIST = "Expected a list; it was not taken over."


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the file that is not in the profile now, or should be looked at: where, and why."""

    path: str
    why: str


class Node:
    """One object of the file. Whatever was not asked for when `finish` is called becomes a remark."""

    def __init__(self, value: object, path: str, remarks: list[Remark]) -> None:
        self.path = path
        self.remarks = remarks
        self._asked: set[str] = set()
        self._parts: dict[str, object] = {}
        if isinstance(value, dict):
            self._parts = cast("dict[str, object]", value)
        elif value is not None:
            self.remark(path or "file", NOT_PARTS)

    def text(self, *keys: str) -> str:
        """The first non-empty text among the keys; the others, when they say something else, are remarked."""
        found = [(key, text) for key in keys if (text := self._text(key))]
        for key, text in found[1:]:
            if text != found[0][1]:
                self.remark(self._at(key), f"“{shorten(found[0][1], 60)}” was taken instead.")
        return found[0][1] if found else ""

    def _text(self, key: str) -> str:
        value = self._take(key)
        return self._as_text(value, self._at(key))

    def _as_text(self, value: object, path: str) -> str:
        if value is None:
            return ""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            self.remark(path, NOT_TEXT)
            return ""
        return clean(value).strip()

    def texts(self, key: str) -> list[str]:
        found = (self._as_text(value, f"{self._at(key)}[{at}]") for at, value in self._list(key))
        return [text for text in found if text]

    def node(self, key: str) -> "Node":
        return Node(self._take(key), self._at(key), self.remarks)

    def nodes(self, key: str) -> list["Node"]:
        return [Node(value, f"{self._at(key)}[{at}]", self.remarks) for at, value in self._list(key)]

    def _list(self, key: str) -> Iterator[tuple[int, object]]:
        value = self._take(key)
        if isinstance(value, list):
            return enumerate(cast("list[object]", value))
        if value is not None:
            self.remark(self._at(key), NOT_LIST)
        return iter(())

    def ignore(self, key: str) -> None:
        self._asked.add(key)

    def finish(self) -> None:
        for key, value in self._parts.items():
            if key not in self._asked and value not in (None, "", [], {}):
                self.remark(self._at(key), NO_PLACE)

    def remark(self, path: str, why: str) -> None:
        self.remarks.append(Remark(path=path, why=why))

    def _take(self, key: str) -> object:
        self._asked.add(key)
        return self._parts.get(key)

    def _at(self, key: str) -> str:
        name = shorten(clean(key), 60)
        return f"{self.path}.{name}" if self.path else name
