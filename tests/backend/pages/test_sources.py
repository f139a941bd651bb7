"""Boards: one more to read, one read now; what is under way is shown, after a reload too, never twice."""

import json

import httpx2
import msgspec
import pytest
from emulators.boards import Boards, ashby_board, ashby_job
from emulators.web import Reply, Web
from fixtures.html import Seen, follow, see, send, submit
from fixtures.people import FixedClock
from fixtures.worker import Tasks

from pipeline.previews.tasks import preview_handler
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.settings import SourceSettings
from schema.tasks import PreviewSource

BOARD = "https://jobs.ashbyhq.com/engines"


@pytest.fixture
async def source(tasks: Tasks, account: AccountId) -> int:
    """A board that nothing reads at the moment."""
    rows = await tasks.fetch(
        "INSERT INTO sources (platform, board, url, created_at) VALUES ('ashby', 'engines', %s, now())"
        " RETURNING id",
        BOARD,
    )
    return rows[0][0]


async def set_running(tasks: Tasks, progress: str | None = None) -> None:
    await tasks.fetch(
        "UPDATE tasks SET status = 'running', worker = gen_random_uuid(), lease_expires_at = now(),"
        " claim_seq = 1, attempts = 1, started_at = now(), progress = %s::jsonb,"
        " progress_at = CASE WHEN %s::jsonb IS NOT NULL THEN now() END",
        progress,
        progress,
    )


def run_of(database: Database, clock: FixedClock, task_id: int = 1) -> TaskRun:
    async def quiet(progress: TaskProgress) -> None: ...

    return TaskRun(
        db=database, clock=clock, task_id=TaskId(task_id), account_id=None, attempt=1, report=quiet
    )


def row_of(page: Seen, source: int) -> str:
    return page.text(f'[data-subject="source:{source}"] td:last-child')


async def test_an_operator_adds_a_board_and_it_is_read(client: httpx2.AsyncClient, tasks: Tasks):
    page = await see(client, "/sources")
    done = await submit(client, page, "/sources", url=BOARD, company="Engines")
    shown = await follow(client, done)
    assert "engines at Ashby is read from now on" in shown.text(".flash")
    assert "Waits for a worker" in shown.text("tbody")
    assert await tasks.fetch("SELECT kind, status FROM tasks") == [("source.pull.v1", "pending")]
    again = await submit(client, shown, "/sources", url="https://jobs.ashbyhq.com/Engines")
    assert "in the list already; it is being read" in (await follow(client, again)).text(".flash")
    assert await tasks.fetch("SELECT count(*) FROM tasks") == [(1,)]
    await tasks.fetch("UPDATE tasks SET status = 'cancelled', finished_at = now()")
    later = await follow(client, await send(client, "/sources", url=BOARD))
    assert "in the list already; it is read once more" in later.text(".flash")


async def test_a_read_that_was_asked_for_is_shown_until_it_ends(
    client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    page = await see(client, "/sources")
    assert row_of(page, source) == "Read now"
    asked = await follow(client, await submit(client, page, f"/sources/{source}/pull"))
    assert "engines is read as soon as a worker is free" in asked.text(".flash")
    assert row_of(asked, source) == "Waits for a worker"
    (task_id,) = (await tasks.fetch("SELECT id FROM tasks"))[0]
    place = asked.one(f"#source-{source}")
    assert place.attributes["data-status"] == "pending"
    assert asked.one("td:last-child a").attributes["href"] == f"/operations/tasks/{task_id}"
    await set_running(tasks)
    running = await see(client, "/sources")
    assert row_of(running, source) == "Under way"
    assert running.has("td:last-child progress:not([value])")  # how much there is nobody knows
    await set_running(tasks, '{"done": 312, "note": "312 postings read"}')
    assert row_of(await see(client, "/sources"), source) == "Under way 312 postings read"
    await set_running(tasks, '{"done": 1, "total": 4, "note": "pages"}')
    assert row_of(await see(client, "/sources"), source) == "Under way 25 % pages"
    await tasks.fetch(
        "UPDATE tasks SET status = 'done', outcome = 'done', finished_at = now(), worker = NULL,"
        " lease_expires_at = NULL"
    )
    ended = await see(client, "/sources")
    assert row_of(ended, source) == "Read now"
    assert ended.one(f"#source-{source}").attributes["data-status"] == ""


async def test_a_read_that_met_trouble_says_when_it_goes_on(
    client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    await send(client, f"/sources/{source}/pull")
    await tasks.fetch("UPDATE tasks SET due = false, attempts = 1, not_before = '2026-03-02 09:20Z'")
    assert row_of(await see(client, "/sources"), source) == "Met a passing trouble, goes on 09:20"


async def test_asking_twice_leads_to_the_task_that_does_it(
    client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    await send(client, f"/sources/{source}/pull")
    (task_id,) = (await tasks.fetch("SELECT id FROM tasks"))[0]
    again = await send(client, f"/sources/{source}/pull")
    assert again.location == f"/sources#source-{source}"
    assert f"Task {task_id} reads engines already" in (await follow(client, again)).text(".flash")
    assert await tasks.fetch("SELECT count(*) FROM tasks") == [(1,)]


@pytest.mark.parametrize("path", ["/sources/{}/pull", "/api/sources/{}/pull"])
async def test_a_program_that_asks_twice_is_told_which_task_does_it(
    client: httpx2.AsyncClient, tasks: Tasks, source: int, path: str
):
    first = await client.post(path.format(source), content=b"")
    assert first.status_code in {202, 303}
    (task_id,) = (await tasks.fetch("SELECT id FROM tasks"))[0]
    again = await client.post(path.format(source), content=b"")
    assert again.status_code == 409
    problem = again.json()
    assert (problem["code"], problem["task_id"]) == ("already_under_way", task_id)
    assert str(task_id) in problem["detail"]


async def test_a_program_asks_for_a_read(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    path = f"/api/sources/{source}/pull"
    assert (await other_client.post(path)).status_code == 404
    assert await tasks.fetch("SELECT count(*) FROM tasks") == [(0,)]
    asked = await client.post(path)
    assert asked.status_code == 202
    assert await tasks.fetch("SELECT id, priority FROM tasks") == [(asked.json()["task_id"], 10)]
    for number in (source + 1, 0, 2**63):
        assert (await client.post(f"/api/sources/{number}/pull")).status_code == 404


@pytest.mark.parametrize(
    "url",
    ["", "nowhere", "https://jobs.smartrecruiters.com/Engines", "x.example/" + "x" * 1_985, "x" * 1_000_000],
)
async def test_what_is_no_readable_board_is_refused_beside_its_field(client: httpx2.AsyncClient, url: str):
    page = await send(client, "/sources", url=url)
    assert page.status == 400
    assert page.has("#e-url")


async def test_an_operator_looks_before_a_board_is_read(
    client: httpx2.AsyncClient,
    other_client: httpx2.AsyncClient,
    tasks: Tasks,
    database: Database,
    clock: FixedClock,
    boards: Boards,
    source_settings: SourceSettings,
):
    boards.show("engines", ashby_job("Engine Builder"), ashby_job("Ghost", isListed=False))
    page = await see(client, "/sources")
    assert page.one("button[formaction]").attributes["formaction"] == "/sources/previews"
    done = await send(client, "/sources/previews", url=BOARD, company="Engines")
    waiting = await follow(client, done)
    assert "Waits for a worker" in waiting.text("#look")
    ((task_id, payload),) = await tasks.fetch("SELECT id, payload::text FROM tasks")
    preview = PreviewSource(preview_id=msgspec.json.decode(payload)["preview_id"])

    run = run_of(database, clock, task_id)
    assert (await preview_handler(source_settings)(run, preview)).word == "complete"
    assert await tasks.fetch("SELECT count(*) FROM postings") == [(0,)]
    shown = await see(client, done.location)
    look = shown.text("#look")
    for said in ("2 listings", "1 posting", "is_listed", "Ghost", "Engine Builder"):
        assert said in look, look
    added = await follow(client, await submit(client, shown, "/sources"))
    assert "is read from now on" in added.text(".flash")
    assert (await see(client, done.location)).has("#look a[href^='/sources/']")
    assert (await see(other_client, done.location)).status == 404


async def test_a_companys_own_page_leads_to_its_board(
    client: httpx2.AsyncClient,
    tasks: Tasks,
    database: Database,
    clock: FixedClock,
    web: Web,
    web_settings: SourceSettings,
):
    pages = [b"<html>Join us</html>", f'<html><iframe src="{BOARD}/embed"></iframe></html>'.encode()]
    web.sites["engines.example"] = lambda _: Reply(pages.pop(0), content_type="text/html")
    web.sites["api.ashbyhq.com"] = lambda _: Reply(ashby_board(ashby_job("Engine Builder")))
    done = await send(client, "/sources/previews", url="https://engines.example/careers")
    unlooked = await send(client, "/sources", url="engines.example/careers")
    assert unlooked.location.startswith("/sources/previews/")
    for told in ("its page shows none", "Engine Builder"):
        assert "engines.example: a look" in (await see(client, done.location)).text("h1")
        number = int(done.location.rpartition("/")[2])
        await preview_handler(web_settings)(run_of(database, clock), PreviewSource(preview_id=number))
        page = await see(client, done.location)
        assert told in page.text("#look")
        if pages:
            done = await submit(client, page, "/sources/previews")
    assert "engines at Ashby: a look" in page.text("h1")
    added = await follow(client, await submit(client, page, "/sources"))
    assert "engines at Ashby is read from now on" in added.text(".flash")
    assert await tasks.fetch("SELECT platform, board, url FROM sources") == [("ashby", "engines", BOARD)]


async def test_a_board_without_a_company_takes_one_from_a_later_look(
    client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    await tasks.fetch("UPDATE sources SET company = NULL")
    done = await send(client, "/sources/previews", url=BOARD, company="Engines Ltd")
    result = '{"coverage":"complete","evidence":{},"listings":1,"admitted":1}'
    await tasks.fetch("UPDATE source_previews SET result = %s, finished_at = now()", result)
    shown = await see(client, done.location)
    named = await follow(client, await submit(client, shown, "/sources"))
    assert "Its company is Engines Ltd from now on." in named.text(".flash")
    assert "Engines Ltd" in named.text(f"#source-{source}")
    assert not (await see(client, done.location)).has("#look form")


async def test_a_look_that_failed_says_why_and_counts_nothing(client: httpx2.AsyncClient, tasks: Tasks):
    done = await send(client, "/sources/previews", url=BOARD)
    result = (
        b'{"coverage":"failed","evidence":{"problem":"board_unknown","status":404},"listings":0,"admitted":0}'
    )
    await tasks.fetch("UPDATE source_previews SET result = %s, finished_at = now()", result.decode())
    shown = await see(client, done.location)
    look = shown.text("#look")
    assert "The platform knows no such board; status 404." in look
    assert "See that its name is written" in look
    assert "0 " not in look
    again = await submit(client, shown, "/sources/previews")
    assert again.location.startswith("/sources/previews/")
    assert again.location != done.location


async def test_what_is_forbidden_is_offered_no_further_look(client: httpx2.AsyncClient, tasks: Tasks):
    done = await send(client, "/sources/previews", url="https://www.linkedin.com/company/engines/jobs")
    for refusal, problem, is_offered in (
        ("The page could not be read.", "robots_forbid", False),
        ("", "policy_forbid", False),
        ("The page could not be read.", "timeout", True),
    ):
        result = {"coverage": "failed", "listings": 0, "admitted": 0, "refusal": refusal}
        result["evidence"] = {"problem": problem}
        await tasks.fetch("UPDATE source_previews SET result = %s, finished_at = now()", json.dumps(result))
        assert (await see(client, done.location)).has("#look form") is is_offered


async def test_a_read_that_failed_is_not_told_as_a_board_without_postings(
    client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    await tasks.fetch("UPDATE sources SET last_pull_at = now()")
    await tasks.fetch(
        "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
        """ written) VALUES (%s, now(), now(), 'failed', '{"problem": "unreachable"}', 0, 0, 0)""",
        source,
    )
    assert "0 postings" not in (await see(client, "/sources")).text(f"#source-{source}")
    assert "not known" in (await see(client, f"/sources/{source}")).text("#pulls")


async def test_a_refused_address_leaves_a_page_that_can_be_read_again(client: httpx2.AsyncClient):
    refused = await send(client, "/sources/previews", url="https://www.linkedin.com/jobs/view/12345")
    assert "LinkedIn's terms forbid automated reading." in refused.text("#e-url")
    assert (await see(client, "/sources/previews")).has("#sources")


async def test_a_board_shows_its_reads_its_doubts_and_its_switch(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, tasks: Tasks, source: int
):
    await tasks.fetch(
        "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
        " written) VALUES (%s, now(), now(), 'failed',"
        """ '{"problem": "throttled", "status": 429}', 0, 0, 0)""",
        source,
    )
    await tasks.fetch(
        "INSERT INTO suspicions (source_id, kind, raised_at, expires_at, expected, shown, held) VALUES"
        " (%s, 'drop', now(), now() + interval '3 days', 40, 9, 31)",
        source,
    )
    refused = await send(client, f"/sources/{source}/company", company="x" * 301)
    assert (refused.status, refused.one("main").attributes["data-at"]) == (400, f"/sources/{source}")
    page = await see(client, f"/sources/{source}")
    assert "the platform asks for a pause; status 429" in page.text("#pulls")
    assert "shows 9 postings where about 40 were expected" in page.text("#doubts")
    assert "holds 31 postings open" in page.text("#doubts")
    listed = await see(client, "/sources?show=doubted&q=ENGINES")
    assert "1 doubt" in listed.text(f"#source-{source}")
    assert (await see(client, "/sources?q=zebra")).text(".empty-title") == "No board fits."
    off = await follow(client, await submit(client, page, f"/sources/{source}/off"))
    assert "Switched off by a person" in off.text("#state")
    on = await follow(client, await submit(client, off, f"/sources/{source}/on", within=".flash"))
    assert on.has(f"form[action='/sources/{source}/off']")
    for path in (f"/sources/{source}", "/sources/999999"):
        assert (await see(other_client, path)).status == 404
    assert (await send(other_client, f"/sources/{source}/off")).status == 404


async def test_platforms_that_are_not_read_stand_there_with_their_reason(client: httpx2.AsyncClient):
    page = await see(client, "/sources")
    assert "BambooHR's terms forbid automated reading." in page.text("#unread")
