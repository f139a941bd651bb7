"""`mail.import.v1`: read one archive into the message store, in batches that each commit as a whole.

A batch commits its messages, what they say, the work for the matcher, the counts and the position together.
Killed anywhere, the next try goes on behind the last batch; a second import of the same archive stores
nothing. A file that came by upload is removed once its import has ended.
"""

from collections.abc import Iterator
from pathlib import Path

from mailsync.archive import store
from mailsync.archive.batches import Batch, batches
from mailsync.archive.members import Archive, open_archive
from mailsync.archive.store import Counts, Import
from mailsync.messages.keeping import Kept, keep_messages
from mailsync.messages.store import quarantine
from pipeline.worker.types import Done, Permanent, TaskRun, Transient
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import ImportId
from schema.live import announce
from schema.queue import enqueue
from schema.tasks import ImportMail, MatchAccount


async def import_mail(run: TaskRun, payload: ImportMail) -> Done:
    """Handler of `mail.import.v1`."""
    wanted, owner_addresses = await _wanted(run, ImportId(payload.import_id))
    if wanted.state == "done":
        return Done("imported")
    archive = await _opened(run, wanted)
    async with run.db.as_account(run.owner) as unit:
        await store.begin_import(unit, wanted.id, archive.total_bytes)
    try:
        await _read_all(run, wanted, archive, owner_addresses)
    except Exception:
        await _give_up_on_the_last_try(run, wanted)
        raise
    async with run.db.as_account(run.owner) as unit:
        await store.finish_import(unit, wanted.id, now=run.clock.now())
        # Without a key: a match that is running may have passed messages of the last batches.
        await enqueue(unit, MatchAccount())
        announce(unit, "mail", wanted.id)
    await _discard(run, wanted)
    return Done("imported")


async def _give_up_on_the_last_try(run: TaskRun, wanted: Import) -> None:
    """The row says that nothing more will come; what was committed stays, and a replay goes on from there."""
    if run.attempt >= ImportMail.MAX_ATTEMPTS:
        async with run.db.as_account(run.owner) as unit:
            await store.fail_import(unit, wanted.id, "import_stopped", "", now=run.clock.now())
            announce(unit, "mail", wanted.id)


async def _wanted(run: TaskRun, import_id: ImportId) -> tuple[Import, frozenset[str]]:
    async with run.db.as_account(run.owner) as unit:
        found = await store.import_by_id(unit, import_id)
        own = await store.own_addresses(unit)
    if found is None:
        raise Permanent("import_missing")
    return found, own


async def _opened(run: TaskRun, wanted: Import) -> Archive:
    try:
        return await run.thread(
            open_archive, Path(wanted.path), uploaded_as=wanted.name if wanted.spooled else ""
        )
    except Refusal as refusal:
        async with run.db.as_account(run.owner) as unit:
            await store.fail_import(unit, wanted.id, refusal.code, refusal.detail, now=run.clock.now())
            announce(unit, "mail", wanted.id)
        await _discard(run, wanted)
        raise Permanent("archive_unreadable", refusal.code) from refusal


async def _read_all(run: TaskRun, wanted: Import, archive: Archive, owner_addresses: frozenset[str]) -> None:
    waiting = batches(archive, wanted.position, owner_addresses)
    position = wanted.position
    seen = wanted.seen
    while (batch := await run.thread(_next, waiting)) is not None:
        async with run.db.as_account(run.owner) as unit:
            await _store(unit, run, wanted, batch, position)
        position = batch.resume
        seen += batch.seen
        await run.progress(batch.bytes_done, archive.total_bytes, f"{seen} messages read")


def _next(waiting: Iterator[Batch]) -> Batch | None:
    return next(waiting, None)


async def _store(unit: Unit, run: TaskRun, wanted: Import, batch: Batch, before: str | None) -> None:
    now = run.clock.now()
    kept = await keep_messages(unit, wanted.mailbox_id, batch.read, now=now)
    await quarantine(unit, wanted.id, batch.quarantined, now=now)
    counts = _counts(batch, kept)
    moved = await store.advance_import(
        unit, wanted.id, before=before, position=batch.resume, bytes_done=batch.bytes_done, counts=counts
    )
    if not moved:
        raise Transient("overtaken", "another run has read this batch already")
    if kept.has_readings:
        await enqueue(unit, MatchAccount(), dedupe_key=MatchAccount.KIND)
    announce(unit, "mail", wanted.id)


def _counts(batch: Batch, kept: Kept) -> Counts:
    whole = sum(1 for row in kept.stored if kept.read[row.message_key].message.kept == "whole")
    return Counts(
        seen=batch.seen,
        stored=whole,
        known=len(batch.read) - len(kept.stored),
        not_kept=len(kept.stored) - whole,
        quarantined=len(batch.quarantined),
    )


async def _discard(run: TaskRun, wanted: Import) -> None:
    """Only files that Jobtrail itself put down are removed."""
    if wanted.spooled:
        await run.thread(Path(wanted.path).unlink, missing_ok=True)
