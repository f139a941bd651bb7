"""Rows of a file written as applications, many at once, and taken back again; in the caller's transaction.

The SQL that writes applications stands with their one writer; what follows from a change is done here for all
of them together. A match run is asked for once, by the caller.
"""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec.structs import asdict
from psycopg.types.json import Jsonb

from matcher.applications.rules import address_of, completed
from matcher.applications.store import DISMISS_UNTOUCHED, INSERT_MANY, REWRITE_MANY
from matcher.applications.types import Kept, KnownPosting, Rewritten
from matcher.decisions.store import mark_attached_stale, mark_stale
from matcher.evidence.keys import keys_of_application
from matcher.pairs.store import find_pairs
from matcher.timeline.store import restand
from matcher.trackers import store
from matcher.trackers.rules import Change, Plan, Read, Register, identity, plan
from matcher.trackers.store import RowKept, Written
from matcher.trackers.types import Becoming, Planned, Refused
from schema.db import Unit
from schema.identity.urls import PostingUrl
from schema.ids import ApplicationId, TrackerImportId
from schema.live import announce


async def planned(
    unit: Unit,
    rows: Sequence[Becoming | Refused],
    *,
    now: datetime,
    import_id: TrackerImportId | None = None,
) -> Plan:
    """What would become of these rows now; nothing is written. Thousands of rows hold nobody else up.

    `import_id`: rows before these are written already.
    """
    addresses = await asyncio.to_thread(_addresses, rows)
    places = {
        (address.platform, address.vendor_id)
        for address in addresses.values()
        if address.platform is not None and address.vendor_id is not None
    }
    postings = await store.postings_at(unit, places) if places else {}
    read = await asyncio.to_thread(_read, rows, addresses, postings)
    register = await _register(unit, read, import_id)
    return await asyncio.to_thread(plan, read, register, now=now)


def _addresses(rows: Sequence[Becoming | Refused]) -> dict[int, PostingUrl]:
    """By line, of the rows that tell an address."""
    found: dict[int, PostingUrl] = {}
    for row in rows:
        if isinstance(row, Becoming) and row.new.url and (address := address_of(row.new)) is not None:
            found[row.line] = address
    return found


def _read(
    rows: Sequence[Becoming | Refused],
    addresses: dict[int, PostingUrl],
    postings: dict[tuple[str, str], KnownPosting],
) -> list[Read | Refused]:
    read: list[Read | Refused] = []
    for row in rows:
        if isinstance(row, Refused):
            read.append(row)
            continue
        address = addresses.get(row.line)
        place = (address.platform or "", address.vendor_id or "") if address else ("", "")
        read.append(Read(row=row, complete=completed(row.new, postings.get(place), address)))
    return read


async def _register(
    unit: Unit, rows: Sequence[Read | Refused], import_id: TrackerImportId | None
) -> Register:
    found = [row.complete for row in rows if isinstance(row, Read)]
    brought = await store.brought(unit, [identity(each) for each in found])
    faces = await store.faces(unit, brought.values(), found)
    ids = {face.application_id for face in faces}
    behind = {face.merged_into_id for face in faces if face.merged_into_id is not None} - ids
    if behind:
        faces += await store.faces(unit, behind)
    taken = await store.taken(unit, import_id, ids | behind) if import_id is not None else ()
    return Register(faces, brought, taken)


async def record(
    unit: Unit, import_id: TrackerImportId, rows: Sequence[Becoming | Refused], *, now: datetime
) -> None:
    """Write these rows and what became of each. The caller holds the account's lock."""
    found = await planned(unit, rows, now=now, import_id=import_id)
    ids = await _insert(unit, found.new, now)
    changed = await _rewrite(unit, found.changed, now)
    await store.add_rows(unit, import_id, list(_kept(found, ids, changed, now)))
    await changed_many(unit, [*ids.values(), *changed])
    written = [*found.new.values(), *(change.after for change in found.changed.values())]
    employers = {kept.company_key for kept in written if kept.company_key is not None}
    if several := await store.one_of_several(unit, employers):
        await find_pairs(unit, several, now=now)


async def _insert(
    unit: Unit, new: dict[ApplicationId, Kept], now: datetime
) -> dict[ApplicationId, ApplicationId]:
    """The real id of each planned one."""
    if not new:
        return {}
    inserted = await unit.all(INSERT_MANY, rows=Jsonb(list(new.values())), now=now)
    return dict(zip(new, [row.application_id for row in inserted], strict=True))


async def _rewrite(unit: Unit, changes: dict[ApplicationId, Change], now: datetime) -> set[ApplicationId]:
    """Those that were changed; one that somebody wrote meanwhile stays as it is."""
    rows = [
        Rewritten(**asdict(change.after), application_id=application_id, seen_at=change.updated_at)
        for application_id, change in changes.items()
    ]
    if not rows:
        return set()
    return {row.application_id for row in await unit.all(REWRITE_MANY, rows=Jsonb(rows), now=now)}


def _kept(
    found: Plan, ids: dict[ApplicationId, ApplicationId], changed: set[ApplicationId], now: datetime
) -> Iterable[RowKept]:
    waiting = set(changed)
    for each in found.planned:
        if each.refused is not None:
            refused = each.refused
            yield RowKept(line=each.line, outcome="refused", reason=refused.reason, cells=refused.cells)
        elif each.known is not None:
            real = ids.get(each.known, each.known)
            change = found.changed[real] if real in waiting else None
            waiting.discard(real)
            yield RowKept(
                line=each.line,
                outcome=each.outcome,
                identity=each.identity,
                application_id=real,
                written_at=now if each.outcome == "new" or change else None,
                replaced=change.before if change else None,
            )


async def take_back(
    unit: Unit, import_id: TrackerImportId, rows: Sequence[Written], *, now: datetime
) -> None:
    """Dismiss what these rows made and put back what they replaced, unless it was touched since."""
    new = [row for row in rows if row.before is None]
    restored = [
        Rewritten(**asdict(before), application_id=row.application_id, seen_at=row.written_at)
        for row in rows
        if (before := row.before) is not None
    ]
    dismissed = await unit.all(
        DISMISS_UNTOUCHED,
        ids=[row.application_id for row in new],
        seen=[row.written_at for row in new],
        now=now,
    )
    back = await unit.all(REWRITE_MANY, rows=Jsonb(restored), now=now) if restored else []
    ids = [row.application_id for row in (*dismissed, *back)]
    await mark_attached_stale(unit, [row.application_id for row in dismissed])
    await store.mark_taken_back(unit, import_id, ids)
    await changed_many(unit, ids)


async def changed_many(unit: Unit, ids: Sequence[ApplicationId]) -> None:
    """What follows from a change of applications, for all of them at once; but for the match run."""
    if not ids:
        return
    faces = await store.faces(unit, ids)
    await mark_stale(unit, frozenset[int]().union(*(keys_of_application(face) for face in faces)))
    await restand(unit, ids)
    announce(unit, "applications")


def first_of(found: Plan, number: int) -> list[Planned]:
    """The first rows for a preview: those that become something, then refused ones."""
    good = [each for each in found.planned if each.outcome != "refused"][:number]
    refused = [each for each in found.planned if each.outcome == "refused"][: number - len(good)]
    return sorted((*good, *refused), key=lambda each: each.line)
