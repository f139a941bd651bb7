"""Bringing in mail by the page: to disk, read by a worker, shown how far, and said plainly when it fails."""

import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see
from fixtures.mail import mail, mbox
from fixtures.people import FixedClock
from fixtures.worker import Tasks

from backend.pages.mail_import import minutes_left
from mailsync.archive.store import Import
from mailsync.archive.tasks import import_mail
from pipeline.worker.types import Permanent, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, ImportId, MailboxId, TaskId
from schema.settings import Settings
from schema.tasks import ImportMail

THANKS = "Thank you for applying to the Data Engineer role at Northwind. We received your application."


def letters(count: int) -> list[bytes]:
    return [mail(THANKS, subject=f"Receipt {n}", message_id=f"<{n}@mail.example>") for n in range(count)]


def spooled(settings: Settings) -> list[Path]:
    folder = settings.home.folder() / "spool"
    return list(folder.iterdir()) if folder.is_dir() else []


async def bring(client: httpx2.AsyncClient, name: str, content: bytes) -> Seen:
    return Seen(await client.post("/mail/import", files={"archive": (name, content)}, headers=PAGE))


Work = Callable[[Seen], Awaitable[None]]


@pytest.fixture
def work(database: Database, account: AccountId, clock: FixedClock) -> Work:
    """Does the work that an upload asked for."""

    async def report(_: TaskProgress) -> None:
        """Nobody watches."""

    async def run(answer: Seen) -> None:
        import_id = int(answer.location.rpartition("/")[2])
        task = TaskRun(
            db=database, clock=clock, task_id=TaskId(1), account_id=account, attempt=1, report=report
        )
        await import_mail(task, ImportMail(import_id=import_id))

    return run


async def test_an_archive_is_taken_read_and_shown(
    client: httpx2.AsyncClient, settings: Settings, work: Work, tasks
):
    answer = await bring(client, "All mail.mbox", mbox(letters(3)))
    waiting = await follow(client, answer)
    assert waiting.title == "All mail.mbox"
    assert "waits for a worker" in waiting.text("#progress")
    assert re.search(r"\b0 % of \d+ \w+", waiting.text("#progress"))
    assert await tasks.fetch("SELECT kind FROM tasks") == [("mail.import.v1",)]
    assert [oct(path.stat().st_mode & 0o777) for path in spooled(settings)] == ["0o600"]
    await work(answer)
    done = await see(client, answer.location)
    assert "Read whole" in done.text("#progress")
    assert "Read 3 messages New and kept 3" in done.text("dl.facts")
    assert done.one("progress").attributes["value"] == "100"
    assert not spooled(settings)
    assert len((await see(client, "/mail")).texts("tbody .subject")) == 3
    listed = (await see(client, "/mail/import")).text("#imports")
    assert "All mail.mbox" in listed
    assert "3 messages read: 3 new and kept" in listed


async def test_the_same_archive_again_is_told_as_known_and_not_as_lost(
    client: httpx2.AsyncClient, work: Work
):
    await work(await bring(client, "All mail.mbox", mbox(letters(3))))
    again = await bring(client, "All mail.mbox", mbox(letters(3)))
    await work(again)
    assert "every message of it was known already" in (await see(client, again.location)).text("#progress")
    listed = (await see(client, "/mail/import")).texts("#imports li")
    assert "3 messages read, all known already" in listed[0]
    assert "3 messages read, all known already" in (await see(client, "/")).text("#running")


async def test_the_same_archive_twice_changes_nothing(client: httpx2.AsyncClient, work: Work):
    for _ in range(2):
        answer = await bring(client, "a.mbox", mbox(letters(2)))
        await work(answer)
    assert "Known already 2" in (await see(client, answer.location)).text("dl.facts")
    assert len((await see(client, "/mail")).texts("tbody .subject")) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "found an empty file"),
        (b"%PDF-1.7 hello", "found a PDF document"),
        (b"<html><body>sign in</body></html>", "found a web page"),
        (b"just words", "found text that is not mail"),
        (b"\x00" * 100, "found a file with other content"),
    ],
    ids=["empty", "pdf", "page", "words", "nul"],
)
async def test_what_is_no_archive_is_refused_at_once_and_leaves_nothing(
    client: httpx2.AsyncClient, settings: Settings, content: bytes, said: str
):
    page = await bring(client, "a.mbox", content)
    assert page.status == 400
    assert said in page.text("#e-archive")
    assert not spooled(settings)
    assert not page.has("#imports li")


async def test_no_file_is_refused_beside_its_field(client: httpx2.AsyncClient):
    page = Seen(await client.post("/mail/import", files={"other": b"x"}, headers=PAGE))
    assert page.status == 400
    assert page.text("#e-archive") == "Error: Choose a file first."
    assert page.text("#faults h2") == "Not brought in"


async def test_an_import_that_fails_later_says_so(client: httpx2.AsyncClient, settings: Settings, work: Work):
    answer = await bring(client, "a.mbox", mbox(letters(1)))
    spooled(settings)[0].write_bytes(b"%PDF-1.7 something else now")
    with pytest.raises(Permanent):
        await work(answer)
    page = await see(client, answer.location)
    assert "It could not be read." in page.text("#progress")
    assert "found a PDF document" in page.text("#progress")
    assert "Nothing was kept of it." in page.text("#progress")
    assert "failed" in (await see(client, "/mail/import")).text("#imports")


async def test_what_was_set_aside_is_listed(client: httpx2.AsyncClient, work: Work, samples):
    answer = await bring(client, "a.mbox", mbox(letters(1)))
    await work(answer)
    import_id = int(answer.location.rpartition("/")[2])
    samples.insert(
        "quarantine",
        import_id=import_id,
        position="a.mbox:12",
        code="message_too_large",
        size_bytes=60_000_000,
        created_at=datetime.fromisoformat("2026-03-01T00:00:00Z"),
    )
    samples.rows("UPDATE mail_imports SET quarantined = 1 WHERE id = %s", import_id)
    page = await see(client, answer.location)
    assert "A message larger than 50 MB 60 MB a.mbox:12" in page.text("#quarantine")


async def test_another_accounts_import_is_as_missing_as_none(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient
):
    answer = await bring(client, "private.mbox", mbox(letters(1)))
    theirs = await see(other_client, answer.location)
    none = await see(other_client, "/mail/imports/999999")
    assert (theirs.status, theirs.title) == (none.status, none.title) == (404, none.title)
    assert "private" not in (await see(other_client, "/mail/import")).answer.text


async def test_another_site_brings_in_nothing(client: httpx2.AsyncClient, settings: Settings):
    headers = PAGE | {"sec-fetch-site": "cross-site"}
    answer = await client.post(
        "/mail/import", files={"archive": ("a.mbox", mbox(letters(1)))}, headers=headers
    )
    assert answer.status_code == 403
    assert not spooled(settings)


async def test_a_visitor_brings_in_nothing(visitor: httpx2.AsyncClient, settings: Settings):
    assert (await bring(visitor, "a.mbox", mbox(letters(1)))).status in {303, 401}
    assert not spooled(settings)


NOW = datetime.fromisoformat("2026-03-01T12:00:00Z")


@pytest.mark.parametrize(
    ("state", "seconds", "done", "total", "minutes"),
    [
        ("running", 60, 50, 100, 1),
        ("running", 600, 25, 100, 30),
        ("running", 60, 0, 100, None),
        ("running", 60, 10, None, None),
        ("running", 1, 10, 100, None),
        ("queued", 60, 10, 100, None),
        ("done", 60, 100, 100, None),
    ],
)
def test_the_rest_is_told_from_the_rate_so_far(state, seconds, done, total, minutes):
    found = Import(
        id=ImportId(1),
        mailbox_id=MailboxId(1),
        name="a",
        path="/a",
        spooled=True,
        state=state,
        failure_code=None,
        failure_detail=None,
        position=None,
        bytes_done=done,
        bytes_total=total,
        seen=0,
        stored=0,
        known=0,
        not_kept=0,
        quarantined=0,
        created_at=NOW - timedelta(seconds=seconds),
        finished_at=None,
    )
    assert minutes_left(found, NOW) == minutes


def place(page: Seen) -> tuple[str | None, str | None]:
    """By what a message finds the import on a page, and the status the page shows."""
    found = page.one("[data-subject]").attributes
    return found["data-subject"], found["data-status"]


async def test_every_page_finds_the_work_on_an_import_by_itself(
    client: httpx2.AsyncClient, tasks: Tasks, account: AccountId
):
    answer = await bring(client, "All.mbox", mbox(letters(3)))
    import_id = int(answer.location.rpartition("/")[2])
    await tasks.fetch(
        "UPDATE tasks SET status = 'running', worker = gen_random_uuid(), lease_expires_at = now(),"
        " claim_seq = 1, attempts = 1, started_at = now()"
    )
    await tasks.fetch("UPDATE mail_imports SET state = 'running', bytes_done = bytes_total / 4")
    for path in ("/", "/mail/import", answer.location):
        page = await see(client, path)
        assert place(page) == (f"import:{import_id}", "running")
        assert page.has("[data-subject] progress[value]"), path
    assert page.text('[data-progress="percent"]') in {"24 %", "25 %"}
    assert "is being read" in (await see(client, "/mail")).text("#reading")


async def test_an_import_that_waits_for_another_try_says_when(client: httpx2.AsyncClient, tasks: Tasks):
    answer = await bring(client, "All.mbox", mbox(letters(3)))
    await tasks.fetch("UPDATE tasks SET due = false, attempts = 1, not_before = '2026-03-02 09:20Z'")
    said = "met a passing trouble and goes on 09:20"
    assert said in (await see(client, answer.location)).text("#progress")
    assert said in (await see(client, "/")).text("#running")
    assert "goes on later" in (await see(client, "/mail/import")).text("#imports")


async def test_an_import_that_nothing_works_on_any_more_says_so(client: httpx2.AsyncClient, tasks: Tasks):
    answer = await bring(client, "All.mbox", mbox(letters(3)))
    await tasks.fetch("UPDATE mail_imports SET state = 'running'")
    await tasks.fetch(
        "UPDATE tasks SET status = 'failed', failure_code = 'lease_expired', finished_at = now()"
    )
    page = await see(client, answer.location)
    assert "Nothing works on it any more." in page.text("#progress")
    assert place(page)[1] == ""
    assert "stopped" in (await see(client, "/mail/import")).text("#imports")
    assert "Import stopped before its end" in (await see(client, "/")).text("#running")
    assert not (await see(client, "/mail")).has("#reading .notice")
