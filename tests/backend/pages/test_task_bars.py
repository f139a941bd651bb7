"""In a real browser: a task's bar moves without a read of the page, and an end is read at once."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.samples import Samples
from fixtures.site import Opener, Site
from fixtures.worker import Echo, Tasks, until, working
from playwright.async_api import Page, Route

from pipeline.worker.types import Done, TaskRun
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.live import CHANNEL, TaskProgress, TaskState, encoded
from schema.queue import enqueue
from schema.teller import TELL
from schema.vocabulary import TaskStatus

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

COUNTED = """
const parse = DOMParser.prototype.parseFromString;
window.reads = 0;
DOMParser.prototype.parseFromString = function (...given) {
  window.reads += 1;
  return parse.apply(this, given);
};
window.tasks = 0;
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, ...given) {
  if (name === "task") listen.call(this, name, () => (window.tasks += 1));
  return listen.call(this, name, ...given);
};
"""
"""Counts the reads of the page and the messages it was told about tasks."""


@pytest.fixture
async def watched(site: Opener, tasks: Tasks) -> AsyncGenerator[Site]:
    """A browser on a server that hears of changes already, so that every read of a page has its reason."""

    async def hears() -> bool | None:
        found = await tasks.fetch(
            "SELECT pid FROM pg_stat_activity"
            " WHERE datname = current_database() AND starts_with(query, 'LISTEN')"
        )
        return True if found else None

    await until(hears, 10, "the server listens")
    async with site() as seen:
        await seen.page.add_init_script(COUNTED)
        yield seen
        assert not seen.complaints


async def settled(watched: Site, path: str) -> Page:
    """The page, connected, after the read that follows the connection."""
    page = await watched.open(path)
    await page.wait_for_function("() => window.reads === 1")
    return page


class Telling:
    """Says how a task stands, as a worker does after a commit."""

    def __init__(self, tasks: Tasks, account: AccountId | None, task_id: TaskId, **subjects: int) -> None:
        self._tasks = tasks
        self._account = account
        self._id = task_id
        self._subjects = subjects

    async def __call__(self, status: TaskStatus, done: int, total: int | None = None, note: str = "") -> None:
        state = TaskState(
            account_id=self._account,
            id=self._id,
            kind="test.echo.v1",
            status=status,
            attempts=1,
            progress=TaskProgress(done=done, total=total, note=note),
            subjects=self._subjects,
        )
        named = TELL.replace("%(channels)s", "%s").replace("%(payloads)s", "%s")
        await self._tasks.fetch(named, [CHANNEL], [encoded(state)])


async def until_bar(page: Page, selector: str, value: int, most: int) -> None:
    await page.wait_for_function(
        "([selector, value, most]) => { const bar = document.querySelector(selector);"
        " return bar && !bar.hidden && bar.value === value && bar.max === most; }",
        arg=[selector, value, most],
    )


async def test_the_bar_of_a_task_moves_in_place_and_its_end_is_read(
    watched: Site, rows: Rows, tasks: Tasks, account: AccountId
):
    task_id = await rows.insert("running", account_id=account)
    tell = Telling(tasks, account, task_id)
    page = await settled(watched, f"/operations/tasks/{task_id}")
    assert await page.is_visible("[data-still]")
    await tell("running", 1, 4, "messages")
    await until_bar(page, "#state progress", 1, 4)
    await tell("running", 3, 4, "more messages")
    await until_bar(page, "#state progress", 3, 4)
    assert await page.inner_text("#state .moving") == "75 % more messages"
    assert not await page.is_visible("[data-still]")
    assert await page.evaluate("window.reads") == 1  # what moved, moved without a read
    await rows.end(task_id, "done")
    await tell("done", 4, 4)
    await page.wait_for_selector("#t-state:has-text('Done')")
    assert await page.evaluate("window.reads") == 2


async def test_the_list_moves_its_bars_and_reads_when_a_status_changes(
    watched: Site, rows: Rows, tasks: Tasks, other_account: AccountId
):
    task_id = await rows.insert("running", account_id=other_account)
    tell = Telling(tasks, other_account, task_id)
    page = await settled(watched, "/operations")
    await tell("running", 5, 10)
    await until_bar(page, f'#list [data-task="{task_id}"] progress', 5, 10)
    await until_bar(page, f'#running [data-task="{task_id}"] progress', 5, 10)
    assert await page.evaluate("window.reads") == 1
    await rows.end(task_id, "failed")
    await tell("failed", 5, 10)
    await page.wait_for_selector(f"#list [data-task='{task_id}'][data-status=failed]")
    await page.wait_for_selector("#running table", state="detached")


async def test_a_task_that_is_not_shown_yet_appears(
    watched: Site, rows: Rows, tasks: Tasks, account: AccountId
):
    page = await settled(watched, "/operations")
    task_id = await rows.insert("running", account_id=account)
    await Telling(tasks, account, task_id)("running", 0)
    await page.wait_for_selector(f"#running [data-task='{task_id}']")


async def test_what_is_heard_while_the_page_is_read_is_newer_than_what_is_read(
    watched: Site, rows: Rows, tasks: Tasks, account: AccountId
):
    task_id = await rows.insert("running", account_id=account)
    path = f"/operations/tasks/{task_id}"
    tell = Telling(tasks, account, task_id)
    page = await settled(watched, path)
    asked, heard = asyncio.Event(), asyncio.Event()

    async def answer_late(route: Route) -> None:
        asked.set()
        old = await route.fetch()
        await heard.wait()
        await route.fulfill(response=old)

    await page.route(f"**{path}", answer_late)
    other = await rows.insert("running", account_id=account)
    await Telling(tasks, account, other)("running", 0)
    await asked.wait()
    await tell("running", 3, 4)
    await Telling(tasks, account, other)("running", 1, 1)  # once this is heard, so is the one before
    await page.wait_for_function("() => window.tasks >= 3")
    heard.set()
    await page.wait_for_function("() => window.reads === 2")
    await until_bar(page, "#state progress", 3, 4)


async def test_many_changes_cost_few_reads_and_none_is_forgotten(
    watched: Site, rows: Rows, tasks: Tasks, account: AccountId
):
    page = await settled(watched, "/operations")
    made = [await rows.insert("pending", account_id=account) for _ in range(30)]
    for task_id in made:
        await Telling(tasks, account, task_id)("pending", 0)
    await page.wait_for_selector(f"#list [data-task='{made[-1]}']")
    assert await page.evaluate("window.reads") <= 10


async def test_an_import_and_a_board_find_their_bars_by_what_is_worked_on(
    watched: Site, samples: Samples, tasks: Tasks, account: AccountId, rows: Rows
):
    import_id = samples.insert(
        "mail_imports",
        mailbox_id=samples.mailbox(),
        name="All.mbox",
        path="x",
        spooled=False,
        state="running",
        bytes_total=1000,
        created_at="2026-03-01",
    )
    task_id = await rows.insert(
        "running",
        kind="mail.import.v1",
        account_id=account,
        payload=f'{{"import_id": {import_id}}}',
        dedupe_key=f"mail.import.v1:{import_id}",
    )
    tell = Telling(tasks, account, task_id, **{"import": import_id})
    for path in (f"/mail/imports/{import_id}", "/mail/import", "/"):
        page = await settled(watched, path)
        await tell("running", 250, 1000, "9 messages read")
        await until_bar(page, f'[data-subject="import:{import_id}"] progress', 250, 1000)
        assert await page.evaluate("window.reads") == 1, path


async def test_pull_now_is_followed_to_its_end_without_a_reload(
    watched: Site, tasks: Tasks, rows: Rows, account: AccountId
):
    rows_ = await tasks.fetch(
        "INSERT INTO sources (platform, board, url, created_at)"
        " VALUES ('ashby', 'engines', 'https://jobs.ashbyhq.com/engines', now()) RETURNING id"
    )
    source = rows_[0][0]
    page = await settled(watched, "/sources")
    row = f"#source-{source}"
    await page.click(f"{row} button:has-text('Read now')")
    await page.wait_for_selector(f"{row}:has-text('Waits for a worker')")
    await page.wait_for_function("() => window.reads === 1")
    (task_id,) = (await tasks.fetch("SELECT id FROM tasks"))[0]
    tell = Telling(tasks, None, task_id, source=source)
    await tasks.fetch(
        "UPDATE tasks SET status = 'running', worker = gen_random_uuid(), lease_expires_at = now(),"
        " claim_seq = 1, attempts = 1, started_at = now()"
    )
    await tell("running", 0, None)
    await page.wait_for_selector(f"{row}:has-text('Under way')")
    await tell("running", 312, None, "312 postings read")
    await page.wait_for_selector(f"{row} .moving:has-text('312 postings read')")
    await page.reload()
    await page.wait_for_selector(f"{row}:has-text('Under way')")
    await rows.end(task_id, "done")
    await tell("done", 312)
    await page.wait_for_selector(f"{row} button:has-text('Read now')")


async def test_a_page_that_is_not_an_operators_hears_only_of_its_own_tasks(
    watched: Site, rows: Rows, tasks: Tasks, account: AccountId, other_account: AccountId
):
    await tasks.fetch("UPDATE accounts SET is_operator = false")
    theirs = await rows.insert("running", account_id=other_account)
    mine = await rows.insert("running", account_id=account)
    page = await settled(watched, "/")
    await page.evaluate(
        "ids => { for (const id of ids) { const bar = document.createElement('progress');"
        " bar.dataset.task = id; bar.dataset.status = 'running'; document.body.append(bar); } }",
        [theirs, mine],
    )
    await Telling(tasks, other_account, theirs)("running", 7, 10)
    await Telling(tasks, None, theirs)("running", 7, 10)
    await Telling(tasks, account, mine)("running", 3, 10)
    await until_bar(page, f'[data-task="{mine}"]', 3, 10)
    assert await page.evaluate(f"document.querySelector('[data-task=\\'{theirs}\\']').position") == -1


async def test_what_a_real_worker_does_is_seen_as_it_happens(
    watched: Site, database: Database, clock: FixedClock, account: AccountId
):
    gates = [asyncio.Event() for _ in range(3)]

    async def handler(run: TaskRun, _: Echo) -> Done:
        for step, gate in enumerate(gates):
            await run.progress(step, 3, f"step {step}")
            await gate.wait()
        return Done("walked")

    async with database.as_account(account) as unit:
        task_id = await enqueue(unit, Echo())
    page = await settled(watched, f"/operations/tasks/{task_id}")
    assert "Waits for a worker" in await page.inner_text("#t-state")
    async with working(database, clock, Echo=handler):
        await page.wait_for_selector("#t-state:has-text('Runs')")
        for step, gate in enumerate(gates):
            await until_bar(page, "#state progress", step, 3)
            gate.set()
        await page.wait_for_selector("#t-state:has-text('Done')")
    assert "Ended as walked." in await page.inner_text("#state")
