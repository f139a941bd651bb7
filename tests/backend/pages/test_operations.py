"""The operator's list of tasks and workers: true counts, filters in the address, and nobody else gets in."""

from datetime import timedelta

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, see, send
from fixtures.pages import routes
from fixtures.people import FixedClock
from fixtures.queue_rows import KIND, Rows
from fixtures.worker import Tasks

from backend.pages.fleet import RELEASE
from backend.pages.tasks import ROWS
from schema.ids import AccountId
from schema.tasks import CATALOGUE

BOX = "11111111-1111-1111-1111-111111111111"


async def worker(tasks: Tasks, name: str = "box-1", release: str = RELEASE, **columns: object) -> None:
    values = {"id": BOX, "name": name, "release": release, "kinds": sorted(CATALOGUE), "slots": 4, **columns}
    names, marks = ", ".join(values), ", ".join(["%s"] * len(values))
    await tasks.fetch(f"INSERT INTO workers ({names}) VALUES ({marks})", *values.values())


def ids(page: Seen) -> list[int]:
    return [int(row.attributes["data-row"] or 0) for row in page.all("#list tbody tr")]


def cells(page: Seen, kind: str) -> list[str]:
    """The figures of one kind, as they stand in its row."""
    row = next(row for row in page.all("table.kinds tbody tr") if row.css_first("th").text() == kind)  # pyright: ignore
    return [" ".join(cell.text().split()) for cell in row.css("td")]


@pytest.mark.parametrize(
    "path",
    [template for template in routes("GET") if template.startswith("/operations")] + ["/operations/none"],
)
async def test_for_others_the_place_does_not_exist(other_client: httpx2.AsyncClient, rows: Rows, path: str):
    path = path.replace("{task_id}", str(await rows.insert()))
    theirs, never = [await see(other_client, each) for each in (path, "/never-was-there")]
    assert theirs.status == never.status == 404
    numberless = [page.text().rpartition(":")[0] for page in (theirs, never)]
    assert numberless[0] == numberless[1]


@pytest.mark.parametrize("verb", ["replay", "cancel", "archive"])
async def test_others_cannot_act(other_client: httpx2.AsyncClient, rows: Rows, verb: str):
    task_id = await rows.insert("pending" if verb == "cancel" else "failed")
    before = await rows.states()
    assert (await send(other_client, f"/operations/tasks/{task_id}/{verb}", reason="mine")).status == 404
    assert await rows.states() == before


async def test_only_operators_are_led_there(client: httpx2.AsyncClient, other_client: httpx2.AsyncClient):
    assert (await see(client, "/")).has('nav.wide a[href="/operations"][data-go="o"]')
    assert "go to Operations" in (await see(client, "/")).text("dl.keys")
    assert not (await see(other_client, "/")).has('a[href="/operations"]')


async def test_an_empty_queue_says_what_to_do_next(client: httpx2.AsyncClient):
    page = await see(client, "/operations")
    assert page.title == "Operations"
    assert "No worker is alive" in page.text("#overview")
    assert page.texts(".figures .figure") == ["0"] * 5
    assert page.one(".empty a").attributes["href"] == "/sources"


async def test_figures_are_true_and_say_since_when(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks, clock: FixedClock
):
    await worker(tasks)
    old = clock.now() - timedelta(days=4)
    await rows.insert("pending", created_at=old)
    await rows.insert("pending", created_at=clock.now())
    await rows.insert("pending", due=False, not_before=clock.now() + timedelta(minutes=20))
    for status in ("running", "running", "waiting", "awaiting_batch", "failed", "done", "cancelled"):
        await rows.insert(status)
    page = await see(client, "/operations")
    assert page.texts(".figures .figure") == ["2", "2", "1", "2", "1"]
    assert cells(page, KIND) == ["2", "2", "26 Feb 09:00", "1, next 09:20", "2", "1"]
    assert "source.pull.v1" in page.text("#overview")  # nothing of it is open, which is said
    assert not page.has("#overview .notice")


async def test_what_no_worker_alive_knows_and_another_release_are_said_first(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks
):
    await worker(tasks, release="0.0.1", kinds=["source.pull.v1"])
    await rows.insert("pending", kind="board.publish.v9")
    page = await see(client, "/operations")
    said = page.texts("#overview .notice")
    assert f"box-1 runs release 0.0.1; this server is {RELEASE}" in said[0]
    assert "No worker alive knows board.publish.v9" in said[1]
    assert cells(page, "board.publish.v9")[1] == "1"


async def test_counting_stops_and_says_so(
    client: httpx2.AsyncClient, tasks: Tasks, monkeypatch: pytest.MonkeyPatch, rows: Rows
):
    monkeypatch.setattr("backend.operations.store.MOST", 3)
    monkeypatch.setattr("backend.pages.tasks.MOST", 3)
    await rows.insert_many(5)
    page = await see(client, "/operations")
    assert page.texts(".figures .figure")[-1] == "3 + and more"


async def test_the_list_goes_on_where_it_stopped_without_skipping_or_repeating(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks
):
    await rows.insert_many(ROWS + 7)
    newest_first = sorted(await rows.states(), reverse=True)
    page = await see(client, "/operations?status=failed")
    assert ids(page) == newest_first[:ROWS]
    await rows.insert_many(3)  # what comes meanwhile does not shift the next screenful
    rest = await see(client, "/operations" + (page.one("a[rel=next]").attributes["href"] or ""))
    assert ids(rest) == newest_first[ROWS:]
    assert not rest.has("a[rel=next]")


async def test_filters_stand_in_the_address_and_in_the_form(
    client: httpx2.AsyncClient, rows: Rows, account: AccountId
):
    mine = await rows.insert(account_id=account, failure_code="lease_expired")
    other = await rows.insert(kind="source.pull.v1")
    await rows.insert("pending")
    assert set(ids(await see(client, "/operations?status=failed"))) == {mine, other}
    assert ids(await see(client, f"/operations?kind={KIND}&status=failed")) == [mine]
    assert ids(await see(client, f"/operations?account={account}")) == [mine]
    page = await see(client, "/operations?code=lease_expired")
    assert ids(page) == [mine]
    assert page.form("/operations#tasks").fields == {"status": [""], "kind": [""], "code": ["lease_expired"]}
    none = await see(client, "/operations?status=done&kind=no.such.v1")
    assert none.text("#list .empty-title") == "No task fits."
    assert (await see(client, "/operations?status=gone")).status == 400


async def test_a_row_says_in_plain_words_how_it_stands(
    client: httpx2.AsyncClient, rows: Rows, clock: FixedClock
):
    later = clock.now() + timedelta(minutes=20)
    made = {
        await rows.insert("pending"): "Waits for a worker",
        await rows.insert("pending", due=False, not_before=later): "Waits for its time until 09:20",
        await rows.insert("waiting"): "Waits for its parts",
        await rows.insert("awaiting_batch"): "Waits for a batch",
        await rows.insert("done", outcome="nothing_new"): "Done nothing new",
        await rows.insert("done"): "Done",
        await rows.insert("failed"): "Failed handler_error",
        await rows.insert("cancelled"): "Cancelled",
    }
    page = await see(client, "/operations")
    assert {each: page.text(f'[data-row="{each}"] .stand') for each in made} == made


async def test_what_runs_stands_above_with_its_bar(client: httpx2.AsyncClient, rows: Rows):
    task_id = await rows.insert(
        "running", progress='{"done": 30, "total": 40, "note": "messages"}', progress_at="2026-03-02 09:00Z"
    )
    quiet = await rows.insert("running")
    await rows.insert_many(ROWS)
    page = await see(client, "/operations")
    bar = page.one(f'#running [data-task="{task_id}"][data-status="running"] progress')
    assert (bar.attributes["value"], bar.attributes["max"]) == ("30", "40")
    assert page.text(f'#running [data-task="{task_id}"] .moving') == "75 % messages"
    assert "hidden" in page.one(f'#running [data-task="{quiet}"] progress').attributes
    assert not (await see(client, "/operations?status=failed")).has("#running table")


async def test_the_fleet_shows_each_worker_and_what_it_does(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks, account: AccountId
):
    await worker(tasks, digest="sha256:abcd", egress_group="home")
    await worker(tasks, "box-2", id="2" * 8 + BOX[8:], last_seen_at="2020-01-01")
    await worker(tasks, "box-3", "0.0.1", id="3" * 8 + BOX[8:], stopped_at="2026-03-01 12:00Z")
    task_id = await rows.insert("running", account_id=account)
    page = await see(client, "/operations/fleet")
    assert page.texts("#verdicts .notice") == [
        f"One worker is alive and runs {RELEASE}, the release of this server."
    ]
    alive, silent = page.all("#workers article")
    said = " ".join(alive.text(separator=" ").split())
    assert f"Release {RELEASE} Image sha256:abcd Reaches out by home Slots 1 of 4 in use" in said
    assert "box-1 Alive" in said
    assert f"Task {task_id} {KIND} for account {account}" in said
    assert "no movement since" in said  # it started a day before the test's now
    assert "mail.import.v1" in said
    assert "Nothing was heard of it since" in " ".join(silent.text().split())
    assert "box-3 0.0.1" in page.text("#stopped")


async def test_the_fleet_says_what_no_worker_alive_can_do(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks
):
    await worker(tasks)
    await rows.insert("pending", kind="board.publish.v9", created_at="2026-03-02 08:00Z")
    await rows.insert("failed", kind="board.publish.v9")
    page = await see(client, "/operations/fleet")
    assert page.texts("#unknown li") == [
        "board.publish.v9 1 task failed",
        "board.publish.v9 1 task waiting, the longest since 08:00",
    ]


async def test_a_program_gets_a_problem(other_client: httpx2.AsyncClient):
    answer = await other_client.get("/operations")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_place_of_another_list_is_refused(client: httpx2.AsyncClient):
    assert (await client.get("/operations?after=xx", headers=PAGE)).status_code == 400
