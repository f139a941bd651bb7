"""Rows of foreign JSON, read so that one odd field costs that field and never the board. Pure."""

import functools
import hashlib
from typing import TypeVar, get_type_hints

import msgspec

from pipeline.sources.loose import cleaned, loosened

T = TypeVar("T")
RowT = TypeVar("RowT", bound=msgspec.Struct)
Fields = dict[str, msgspec.Raw]

_FIELDS = msgspec.json.Decoder(Fields)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class NotReadable(ValueError):
    """The bytes are not the JSON that was expected."""


class Row(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One row of a list, still in the platform's words; `text` is all of it, where it came as one piece."""

    fields: Fields
    fingerprint: str
    text: bytes | None = None

    def without(self, *names: str) -> bytes:
        """The row as JSON text that jsonb can hold, less some fields."""
        return msgspec.json.encode({name: value for name, value in self.fields.items() if name not in names})

    def fingerprint_without(self, *names: str) -> str:
        """For rows with fields that change by themselves, such as "Posted 5 Days Ago"."""
        told = {name: msgspec.json.decode(raw) for name, raw in self.fields.items() if name not in names}
        return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()


def rows_under(body: bytes, name: str) -> tuple[list[Row], int]:
    """The objects of the list called `name`, and how many of its members were no objects.

    Raises `NotReadable` when the body is no JSON object with such a list.
    """
    fields = _decoded(body, _FIELDS)
    if name not in fields:
        raise NotReadable(f"no list called {name}")
    return _rows(_strictly_decoded(fields[name], _LIST))


def rows_of(body: bytes) -> tuple[list[Row], int]:
    """As `rows_under`, of a body that is the list itself."""
    return _rows(_decoded(body, _LIST))


def row_of(body: bytes) -> Row:
    """The object a body is. Raises `NotReadable`."""
    row = _row(body)
    if row is None:
        raise NotReadable("no object")
    return row


def value_under(body: bytes, name: str, shape: type[T]) -> T | None:
    """One field of the object a body is; None when it is not there or something else."""
    try:
        return msgspec.json.decode(_decoded(body, _FIELDS)[name], type=shape)
    except (NotReadable, KeyError, msgspec.MsgspecError, RecursionError):
        return None


def fitted(row: Row, shape: type[RowT]) -> tuple[RowT | None, int]:
    """`row` as `shape`, and how many of its fields had to be left out because they did not fit.

    None when a field without a default is missing or does not fit.
    """
    if row.text is not None:
        try:
            return msgspec.json.decode(row.text, type=shape), 0
        except (msgspec.MsgspecError, RecursionError):
            pass
    return _fitted_by_field(row, shape)


def _fitted_by_field(row: Row, shape: type[RowT]) -> tuple[RowT | None, int]:
    values: dict[str, object] = {}
    odd = 0
    for name, alias, kind in _shape_of(shape):
        if alias in row.fields:
            try:
                values[name] = msgspec.json.decode(row.fields[alias], type=kind)
            except (msgspec.MsgspecError, RecursionError):
                odd += 1
    try:
        return shape(**values), odd
    except TypeError:
        return None, odd


@functools.cache
def _shape_of(shape: type[msgspec.Struct]) -> list[tuple[str, str, type]]:
    hints = get_type_hints(shape)
    return [
        (name, alias, hints[name])
        for name, alias in zip(shape.__struct_fields__, shape.__struct_encode_fields__, strict=True)
    ]


def _decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        body.decode()
    except UnicodeDecodeError:
        return _loosely_decoded(body, decoder)
    return _strictly_decoded(body, decoder)


def _strictly_decoded(piece: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        return decoder.decode(piece)
    except (msgspec.DecodeError, RecursionError):
        return _loosely_decoded(bytes(piece), decoder)


def _loosely_decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        return decoder.decode(loosened(body))
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise NotReadable("not the JSON of a board") from error


def _rows(members: list[msgspec.Raw]) -> tuple[list[Row], int]:
    rows = [row for member in members if (row := _row(bytes(member))) is not None]
    return rows, len(members) - len(rows)


def _row(member: bytes) -> Row | None:
    try:
        text, told = _told(member)
        fields = _FIELDS.decode(text)
    except (ValueError, RecursionError):
        return None
    # Another order of fields or other spaces are no change.
    in_order = msgspec.json.encode(told, order="sorted")
    return Row(fields=fields, fingerprint=hashlib.sha256(in_order).hexdigest(), text=text)


def _told(member: bytes) -> tuple[bytes, object]:
    """One row as strict JSON and as what it says, without what neither text nor jsonb columns can hold."""
    try:
        told: object = msgspec.json.decode(member)
    except (msgspec.MsgspecError, RecursionError):
        text = loosened(member)
        return text, msgspec.json.decode(text)
    if b"\\u0000" not in member:
        return member, told
    told = cleaned(told)
    return msgspec.json.encode(told), told
