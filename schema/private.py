"""The private tables as the catalog tells them: read whole for an export, emptied in portions to delete.

Enumerated, never listed by hand, so that a new table cannot be forgotten. Everything runs in the account's
own scope: row-level security decides what an export sees and a deletion reaches.
"""

from collections.abc import AsyncGenerator, Collection, Iterable
from typing import cast

import msgspec
from psycopg import sql

from schema.db import Unit
from schema.query import Query

_FETCHED = 500


class PrivateTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table whose rows belong to accounts. By the columns `itself` a row points at another one of it."""

    name: str
    comment: str
    columns: list[str]
    types: list[str]
    comments: list[str]
    keys: list[str]
    points_at: list[str]
    itself: list[str]
    may_delete: bool


TABLES = Query(
    "private.tables",
    PrivateTable,
    """SELECT c.relname::text AS name, coalesce(obj_description(c.oid, 'pg_class'), '') AS comment,
         k.columns, k.types, k.comments,
         coalesce((SELECT array_agg(a.attname::text ORDER BY u.place)
          FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY u (number, place)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.number
          WHERE i.indrelid = c.oid AND i.indisprimary), '{}') AS keys,
         coalesce((SELECT array_agg(DISTINCT r.relname::text) FROM pg_constraint f
          JOIN pg_class r ON r.oid = f.confrelid
          WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid), '{}') AS points_at,
         coalesce((SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_constraint f
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = f.conkey[cardinality(f.conkey)]
          WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = c.oid), '{}') AS itself,
         has_table_privilege('jobtrail_app', c.oid, 'DELETE') AS may_delete
       FROM pg_class c
       CROSS JOIN LATERAL (
         SELECT array_agg(a.attname::text ORDER BY a.attnum) AS columns,
           array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS types,
           array_agg(coalesce(col_description(c.oid, a.attnum), '') ORDER BY a.attnum) AS comments
         FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) k
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relrowsecurity
         AND has_table_privilege('jobtrail_app', c.oid, 'SELECT')
       ORDER BY c.relname""",
)


async def private_tables(unit: Unit) -> list[PrivateTable]:
    """Every table under row-level security that an account may read, by name."""
    return await unit.all(TABLES)


def emptied_in_order(tables: Iterable[PrivateTable]) -> list[PrivateTable]:
    """Those that point at others before the others; a circle of tables is left in the order of names."""
    left = {table.name: table for table in tables}
    ordered: list[PrivateTable] = []
    while left:
        wanted = {name for table in left.values() for name in table.points_at}
        free = [name for name in left if name not in wanted] or [next(iter(left))]
        ordered += [left.pop(name) for name in free]
    return ordered


async def count_rows(unit: Unit, table: PrivateTable) -> int:
    """How many rows of it are the account's."""
    statement = sql.SQL("SELECT count(*)::int AS rows FROM {table}").format(table=sql.Identifier(table.name))
    cursor = await unit.connection.execute(statement)
    row = cast("tuple[int] | None", await cursor.fetchone())
    return row[0] if row else 0


async def rows_as_json(
    unit: Unit, table: PrivateTable, columns: Collection[str]
) -> AsyncGenerator[list[bytes], None]:
    """Its rows as JSON objects with these columns, oldest first, some hundred at a time."""
    named = [sql.Identifier(name) for name in table.columns if name in columns]
    statement = sql.SQL("SELECT to_jsonb(r) FROM (SELECT {columns} FROM {table} ORDER BY {keys}) r").format(
        columns=sql.SQL(", ").join(named),
        table=sql.Identifier(table.name),
        keys=sql.SQL(", ").join(map(sql.Identifier, table.keys)),
    )
    unit.require_open()
    async with unit.connection.cursor(name="private_rows") as cursor:
        cursor.itersize = _FETCHED
        await cursor.execute(statement)
        while rows := cast("list[tuple[bytes]]", await cursor.fetchmany(_FETCHED)):
            yield [row[0] for row in rows]


async def delete_some(unit: Unit, table: PrivateTable, limit: int) -> int:
    """Delete up to `limit` rows of the account; how many. Rows that point at others of the table go first."""
    order: sql.Composable = sql.SQL("")
    if table.itself:
        pointing = sql.SQL(", ").join(map(sql.Identifier, table.itself))
        keys = sql.SQL(", ").join(sql.SQL("{} DESC").format(sql.Identifier(key)) for key in table.keys)
        order = sql.SQL("ORDER BY num_nonnulls({}) = 0, {}").format(pointing, keys)
    statement = sql.SQL(
        "DELETE FROM {table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {table} {order} LIMIT {limit}))"
    ).format(table=sql.Identifier(table.name), order=order, limit=sql.Literal(limit))
    unit.require_open()
    cursor = await unit.connection.execute(statement)
    return cursor.rowcount
