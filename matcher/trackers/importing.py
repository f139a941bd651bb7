"""A person brings a file in: kept, shown as it would become, applied, taken back. For pages and commands.

A short file is applied in the request's own transaction; a long one by a task in portions that each commit as
a whole, and goes on where it was cut short. Applying the same file twice makes no double.
"""

import asyncio
from datetime import datetime

import msgspec

from matcher.decisions.store import hold_account
from matcher.trackers import store
from matcher.trackers.becoming import becoming, needs_order
from matcher.trackers.guessing import guess
from matcher.trackers.reading import read_sheet
from matcher.trackers.recording import planned, record, take_back
from matcher.trackers.rules import Plan
from matcher.trackers.types import Mapping, Outcome, Sheet
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import TaskId, TrackerImportId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.requests import request
from schema.tasks import ApplyTracker, MatchAccount, Payload, UndoTracker

AT_ONCE = 200
"""Rows that are written while the person waits, well under a second; of more a task has the rest."""


class OrderOpen(Refusal):
    """Whether day or month stands first in the dates is not settled by the file; say which."""

    code = "date_order_open"


class AlreadyApplied(Refusal):
    """This file was applied already; nothing was changed."""

    code = "already_applied"
    kind = "conflict"


class NothingToUndo(Refusal):
    """This import was not applied, or was taken back already; nothing was changed."""

    code = "nothing_to_undo"
    kind = "conflict"


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was not applied yet, as rows, and how they are read."""

    sheet: Sheet
    mapping: Mapping


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What applying would do now; not before `two_ways`, a date that can be read two ways, is settled.

    `left` rows below those of the plan were not looked at.
    """

    plan: Plan
    two_ways: str | None
    left: int

    def count(self, outcome: Outcome) -> int:
        return sum(each.outcome == outcome for each in self.plan.planned)

    @property
    def doubtful(self) -> list[int]:
        """The lines that become new applications and may be the same as known ones."""
        return [each.line for each in self.plan.planned if each.maybe]


def import_key(import_id: TrackerImportId) -> str:
    """One task of an import at a time; pages find it by this key."""
    return f"tracker:{import_id}"


async def bring_in(unit: Unit, *, name: str, content: bytes, now: datetime) -> TrackerImportId:
    """Keep a file with the mapping its names and values suggest. Raises `NotATable`."""
    sheet, mapping = await asyncio.to_thread(_guessed, content)
    return await store.add_import(
        unit, name=name, content=content, mapping=mapping, rows_total=len(sheet.rows), now=now
    )


def _guessed(content: bytes) -> tuple[Sheet, Mapping]:
    sheet = read_sheet(content)
    return sheet, guess(sheet)


async def opened(unit: Unit, import_id: TrackerImportId) -> Opened:
    """Raises `AlreadyApplied` once the file is no longer kept, and `Missing`."""
    content, mapping = await store.file_of(unit, import_id)
    if content is None:
        raise AlreadyApplied
    return Opened(sheet=await asyncio.to_thread(read_sheet, content), mapping=mapping)


async def preview(unit: Unit, found: Opened, *, now: datetime, limit: int | None = None) -> Preview:
    """Of the first `limit` rows, for somebody who waits for it; else of the whole file."""
    part = msgspec.structs.replace(found.sheet, rows=found.sheet.rows[:limit])
    rows = await asyncio.to_thread(becoming, part, found.mapping, now=now)
    plan = await planned(unit, rows, now=now)
    return Preview(plan=plan, two_ways=two_ways(found), left=len(found.sheet.rows) - len(part.rows))


def two_ways(found: Opened) -> str | None:
    """A date of the file that can be read two ways while nobody said how."""
    return needs_order(found.sheet, found.mapping)


async def start(unit: Unit, import_id: TrackerImportId, *, now: datetime) -> TaskId | None:
    """Apply it; the task that does, None when it is done already.

    Raises `OrderOpen`, `AlreadyApplied` and `Missing`.
    """
    found = await opened(unit, import_id)
    if two_ways(found) is not None:
        raise OrderOpen
    if not await store.begin(unit, import_id, now):
        raise AlreadyApplied
    if len(found.sheet.rows) > AT_ONCE:
        return await _asked(unit, import_id, ApplyTracker(import_id=import_id))
    await apply_some(unit, import_id, found, limit=AT_ONCE)
    return None


async def start_undo(unit: Unit, import_id: TrackerImportId, *, now: datetime) -> TaskId | None:
    """Take back what it made; the task that does, None when it is done already. Raises `NothingToUndo`."""
    found = await store.import_held(unit, import_id)
    if not await store.begin_undo(unit, import_id):
        raise NothingToUndo
    if found.rows_total > AT_ONCE:
        return await _asked(unit, import_id, UndoTracker(import_id=import_id))
    await undo_some(unit, import_id, after=0, limit=AT_ONCE, now=now)
    return None


async def _asked(unit: Unit, import_id: TrackerImportId, payload: Payload) -> TaskId:
    announce(unit, "applications", import_id)
    return await request(unit, payload, dedupe_key=import_key(import_id))


async def apply_some(unit: Unit, import_id: TrackerImportId, found: Opened, *, limit: int) -> int | None:
    """Apply the next rows of the file; how many are done, None at the end of it.

    Everything carries the instant at which the person applied it, so that the undo knows what was touched
    since. Safe to repeat: the rows done so far are in the database.
    """
    await hold_account(unit)
    now = (await store.import_held(unit, import_id)).applied_at
    if now is None:
        return None
    last = await store.last_line(unit, import_id)
    rows = [row for row in found.sheet.rows if row.number > last]
    if rows:
        part = msgspec.structs.replace(found.sheet, rows=tuple(rows[:limit]))
        await record(unit, import_id, becoming(part, found.mapping, now=now), now=now)
    if len(rows) > limit:
        return len(found.sheet.rows) - len(rows) + limit
    await store.finish(unit, import_id)
    await _ended(unit, import_id)
    return None


async def undo_some(
    unit: Unit, import_id: TrackerImportId, *, after: int, limit: int, now: datetime
) -> int | None:
    """Take back the next rows after line `after`; the last line of them, None at the end. Safe to repeat."""
    await hold_account(unit)
    rows = await store.written(unit, import_id, after=after, limit=limit)
    if rows:
        await take_back(unit, import_id, rows, now=now)
    if len(rows) == limit:
        return rows[-1].line
    await store.finish_undo(unit, import_id, now)
    await _ended(unit, import_id)
    return None


async def _ended(unit: Unit, import_id: TrackerImportId) -> None:
    # No dedupe key: a run that is just ending may have passed these applications by.
    await enqueue(unit, MatchAccount(), priority=CLICKED)
    announce(unit, "applications", import_id)
