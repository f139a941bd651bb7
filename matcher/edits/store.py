"""The log of corrections and its only writer; the application itself is written by its own store."""

from collections.abc import Sequence
from datetime import datetime
from typing import NewType

import msgspec
from psycopg.types.json import Jsonb

from matcher.applications.types import Facts
from matcher.edits.rules import FieldName
from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query, Statement

EditId = NewType("EditId", int)


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    edit_id: EditId


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    before: bytes
    after: bytes
    undone_at: datetime | None


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    before: Facts
    after: Facts
    is_undone: bool


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that stands as the person corrected it."""

    field: FieldName
    at: datetime


APPEND = Query(
    "edits.append",
    _Id,
    """INSERT INTO application_edits (application_id, fields, before, after, created_at)
       VALUES (%(application_id)s, %(fields)s, %(before)s, %(after)s, %(now)s) RETURNING id AS edit_id""",
)
ONE = Query(
    "edits.one",
    _Row,
    """SELECT application_id, before, after, undone_at FROM application_edits
       WHERE id = %(edit_id)s FOR UPDATE""",
)
UNDO = Statement("edits.undo", "UPDATE application_edits SET undone_at = %(now)s WHERE id = %(edit_id)s")
CORRECTED = Query(
    "edits.corrected",
    Corrected,
    """SELECT f.field, max(e.created_at) AS at
       FROM application_edits e CROSS JOIN LATERAL unnest(e.fields) AS f (field)
       WHERE e.application_id = %(application_id)s AND e.undone_at IS NULL
       GROUP BY f.field ORDER BY f.field""",
)


async def append_edit(
    unit: Unit,
    application_id: ApplicationId,
    fields: Sequence[FieldName],
    before: Facts,
    after: Facts,
    *,
    now: datetime,
) -> EditId:
    appended = await unit.one(
        APPEND,
        application_id=application_id,
        fields=list(fields),
        before=Jsonb(before),
        after=Jsonb(after),
        now=now,
    )
    return appended.edit_id


async def edit_held(unit: Unit, edit_id: EditId) -> Edit:
    """One correction, locked to the end of the transaction; another account's is `Missing`."""
    row = await unit.one(ONE, edit_id=edit_id)
    return Edit(
        application_id=row.application_id,
        before=msgspec.json.decode(row.before, type=Facts),
        after=msgspec.json.decode(row.after, type=Facts),
        is_undone=row.undone_at is not None,
    )


async def mark_undone(unit: Unit, edit_id: EditId, *, now: datetime) -> None:
    await unit.run(UNDO, edit_id=edit_id, now=now)


async def corrected_fields(unit: Unit, application_id: ApplicationId) -> dict[FieldName, datetime]:
    """Which facts of an application the person corrected, and when last."""
    return {row.field: row.at for row in await unit.all(CORRECTED, application_id=application_id)}
