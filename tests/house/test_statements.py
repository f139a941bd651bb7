"""Every registered statement is described by the real server and compared with its row struct."""

import re
import types
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import psycopg
import pytest
from house.source_files import import_everything

from schema.query import REGISTRY, Query, Statement

import_everything()
STATEMENTS = sorted((item for name, item in REGISTRY.items() if name != "test"), key=lambda item: item.name)
PARAMETER = re.compile(r"%\((\w+)\)[sb]")
PYTHON_OF_OID: dict[int, type] = {
    16: bool, 17: bytes, 20: int, 21: int, 23: int, 25: str, 114: bytes, 700: float, 701: float, 1043: str,
    1082: date, 1184: datetime, 1186: timedelta, 1700: Decimal, 2950: UUID, 3802: bytes, 19: str,
}  # fmt: skip
ELEMENT_OF_ARRAY = {
    1000: 16,
    1005: 21,
    1007: 23,
    1009: 25,
    1015: 1043,
    1016: 20,
    1182: 1082,
    1185: 1184,
    2951: 2950,
}
VOID = 2278


def numbered(sql: str) -> str:
    """The statement with `$1` for each distinct `%(name)s` or `%(name)b`, as the server wants it."""
    order: dict[str, int] = {}
    text = PARAMETER.sub(lambda m: f"${order.setdefault(m.group(1), len(order) + 1)}", sql)
    return text.replace("%%", "%")


def base(kind: object) -> tuple[type, bool]:
    """The plain Python type behind NewType, Literal and Optional, and whether None is allowed."""
    if isinstance(kind, NewType):
        return base(kind.__supertype__)
    if get_origin(kind) is Literal:
        return type(get_args(kind)[0]), False
    if get_origin(kind) in {Union, types.UnionType}:
        inner = [base(arg) for arg in get_args(kind) if arg is not type(None)]
        return inner[0][0], type(None) in get_args(kind)
    if get_origin(kind) in {list, tuple}:
        return list, False
    assert isinstance(kind, type), kind
    return kind, False


def element(kind: object) -> type:
    if get_origin(kind) in {Union, types.UnionType}:
        return element(next(arg for arg in get_args(kind) if arg is not type(None)))
    return base(get_args(kind)[0])[0]


@pytest.fixture(scope="module")
def connection(owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as opened:
        yield opened


def described(connection: psycopg.Connection, sql: str) -> Any:
    pgconn = connection.pgconn
    prepared = pgconn.prepare(b"described", numbered(sql).encode())
    assert prepared.status == psycopg.pq.ExecStatus.COMMAND_OK, prepared.error_message.decode()
    try:
        return pgconn.describe_prepared(b"described")
    finally:
        pgconn.exec_(b"DEALLOCATE described")


def nullable_columns(connection: psycopg.Connection) -> set[tuple[int, int]]:
    rows = connection.execute("SELECT attrelid::int, attnum::int FROM pg_attribute WHERE NOT attnotnull")
    return {(relation, column) for relation, column in rows.fetchall()}


@pytest.mark.parametrize("item", STATEMENTS, ids=lambda item: item.name)
def test_the_server_agrees(item: Statement | Query[Any], connection: psycopg.Connection):
    result = described(connection, item.sql)
    if isinstance(item, Statement):
        assert result.nfields == 0 or [result.ftype(i) for i in range(result.nfields)] in ([VOID], [25]), (
            "a Statement returns no rows; make it a Query"
        )
        return
    fields = list(item.row.__struct_fields__)
    columns = [(result.fname(i) or b"").decode() for i in range(result.nfields)]
    assert columns == fields
    nullable = nullable_columns(connection)
    hints = get_type_hints(item.row)
    for position, name in enumerate(fields):
        kind, optional = base(hints[name])
        oid = result.ftype(position)
        if oid in ELEMENT_OF_ARRAY:
            assert kind is list, f"{name} is an array"
            assert element(hints[name]) is PYTHON_OF_OID[ELEMENT_OF_ARRAY[oid]], name
        else:
            assert kind is PYTHON_OF_OID[oid], f"{name}: the server sends {PYTHON_OF_OID[oid].__name__}"
        place = (result.ftable(position), result.ftablecol(position))
        assert optional or place not in nullable, f"{name} can be NULL"


def test_there_are_statements():
    assert len(STATEMENTS) > 10
