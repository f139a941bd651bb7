"""Rows of foreign JSON, read so that one odd field costs that field and never the board. Pure."""

import hashlib
import json
from typing import TypeVar, get_type_hints

import msgspec

from schema.text import clean

RowT = TypeVar("RowT", bound=msgspec.Struct)
Fields = dict[str, msgspec.Raw]

_FIELDS = msgspec.json.Decoder(Fields)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class NotReadable(ValueError):
    """The bytes are not the JSON that was expected."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a list, still in the platform's words."""

    fields: Fields
    fingerprint: str

    def without(self, *names: str) -> bytes:
        """The row as JSON text that jsonb can hold, less some fields."""
        return msgspec.json.encode({name: value for name, value in self.fields.items() if name not in names})


def rows_under(body: bytes, name: str) -> tuple[list[Row], int]:
    """The objects of the list called `name`, and how many of its members were no objects.

    Raises `NotReadable` when the body is no JSON object with such a list.
    """
    members = _members(body, name)
    rows = [row for member in members if (row := _row(member)) is not None]
    return rows, len(members) - len(rows)


def fitted(row: Row, shape: type[RowT]) -> tuple[RowT | None, int]:
    """`row` as `shape`, and how many of its fields had to be left out because they did not fit.

    None when a field without a default is missing or does not fit.
    """
    values: dict[str, object] = {}
    odd = 0
    hints = get_type_hints(shape)
    for name, alias in zip(shape.__struct_fields__, shape.__struct_encode_fields__, strict=True):
        if alias in row.fields:
            try:
                values[name] = msgspec.json.decode(row.fields[alias], type=hints[name])
            except (msgspec.MsgspecError, RecursionError):
                odd += 1
    try:
        return shape(**values), odd
    except TypeError:
        return None, odd


def _members(body: bytes, name: str) -> list[bytes]:
    try:
        body.decode()
        return [bytes(raw) for raw in _LIST.decode(_FIELDS.decode(body)[name])]
    except KeyError as error:
        raise NotReadable(f"no list called {name}") from error
    except (UnicodeDecodeError, msgspec.MsgspecError, RecursionError):
        return _members_of_loose_json(body, name)


def _members_of_loose_json(body: bytes, name: str) -> list[bytes]:
    """What strict JSON forbids and platforms send: lone surrogates, bytes that are no UTF-8, NaN, a BOM."""
    try:
        loose = msgspec.convert(json.loads(body.decode("utf-8-sig", "replace")), dict[str, object])
        return [
            msgspec.json.encode(_cleaned(member)) for member in msgspec.convert(loose[name], list[object])
        ]
    except (ValueError, KeyError, RecursionError) as error:
        raise NotReadable("not the JSON of a board") from error


def _row(member: bytes) -> Row | None:
    try:
        told = _told(member)
        fields = _FIELDS.decode(msgspec.json.encode(told))
    except (ValueError, RecursionError):
        return None
    # Another order of fields or other spaces are no change.
    in_order = msgspec.json.encode(told, order="sorted")
    return Row(fields=fields, fingerprint=hashlib.sha256(in_order).hexdigest())


def _told(member: bytes) -> object:
    """The content of one row, without what neither text nor jsonb columns can hold."""
    try:
        told: object = msgspec.json.decode(member)
    except msgspec.MsgspecError:
        return _cleaned(json.loads(member))
    return _cleaned(told) if b"\\u0000" in member else told


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in msgspec.convert(value, list[object])]
    if isinstance(value, dict):
        return {clean(key): _cleaned(each) for key, each in msgspec.convert(value, dict[str, object]).items()}
    return value
