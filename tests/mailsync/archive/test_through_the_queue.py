"""An import as it really runs: asked for in one transaction, claimed and run by a real worker."""

import asyncio
from pathlib import Path

from fixtures.mail import mail, mbox
from fixtures.people import FixedClock
from fixtures.worker import QUICK, Tasks, until

from mailsync.archive.tasks import import_mail
from pipeline.worker.loop import Worker
from schema.db import Database
from schema.tasks import ImportMail


async def test_a_worker_imports_what_was_asked_for_and_shows_how_far_it_is(
    database: Database, clock: FixedClock, importer, tmp_path: Path, tasks: Tasks
):
    path = tmp_path / "mail.mbox"
    letters = [mail("We received your application.", message_id=f"<{n}@x>") for n in range(250)]
    path.write_bytes(mbox(letters))
    import_id = await importer.ask(path)
    handlers = {ImportMail: import_mail}
    worker = Worker(database, clock, handlers, QUICK, release="test", jitter=lambda: 0.0)
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))

    async def ended() -> tuple[str, int, int] | None:
        row = await importer.row(import_id)
        return (row.state, row.seen, row.stored) if row.state == "done" else None

    try:
        assert await until(ended, 30, "the import is done") == ("done", 250, 250)
    finally:
        stop.set()
        await running
    told = await tasks.fetch("SELECT status, outcome, progress FROM tasks WHERE kind = 'mail.import.v1'")
    assert [(status, outcome) for status, outcome, _ in told] == [("done", "imported")]
    assert b"250 messages read" in bytes(told[0][2])
    # The matcher's work waits: this worker knows no such kind.
    waiting = await tasks.fetch("SELECT DISTINCT status FROM tasks WHERE kind = 'match.account.v1'")
    assert waiting == [("pending",)]
