"""One task: told in plain words, run again, cancelled, archived with a reason, refused with what blocks."""

from datetime import timedelta

import httpx2
import pytest
from fixtures.html import follow, see, send, submit
from fixtures.people import FixedClock
from fixtures.queue_rows import KIND, Rows
from fixtures.worker import Tasks

from backend.pages.task import urgency
from schema.ids import AccountId, TaskId
from schema.queue import CLICKED, ORDINARY, SWEEP

EMAIL = "ada@example.org"


def address(task_id: TaskId, verb: str = "") -> str:
    return f"/operations/tasks/{task_id}{verb and '/' + verb}"


async def test_a_failed_task_is_told_with_its_code_and_the_registers_sentence(
    client: httpx2.AsyncClient, rows: Rows, account: AccountId
):
    task_id = await rows.insert(
        kind="mail.import.v1", payload='{"import_id": 5}', account_id=account, failure_code="lease_expired"
    )
    page = await see(client, address(task_id))
    assert page.title == f"Task {task_id}"
    assert page.text(".lede") == "Read one archive into the message store."
    assert page.text("#t-state") == "State: Failed"
    assert "lease_expired : The worker went silent on the last try this task had." in page.text("#state")
    told = page.text("#state dl")
    for part in (
        f"For account {account}",
        "Works on import 5",
        "Tries 1 of 3",
        "in its turn",
        "Ended yesterday",
    ):
        assert part in told
    assert "Nothing beside the times above" in page.text("#log")
    assert not page.has("#lineage")
    assert not page.has("#children")


async def test_a_running_task_shows_how_far_it_is_and_where(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks, clock: FixedClock
):
    await tasks.fetch(
        "INSERT INTO workers (id, name, release, kinds)"
        " VALUES ('11111111-1111-1111-1111-111111111111', 'box-1', '1', '{}')"
    )
    task_id = await rows.insert(
        "running",
        host="api.example.org",
        dedupe_key="source:7",
        progress='{"done": 30, "total": 40, "note": "postings"}',
        progress_at=clock.now() - timedelta(seconds=10),
    )
    page = await see(client, address(task_id))
    bar = page.one('[data-task][data-status="running"] progress')
    assert (bar.attributes["value"], bar.attributes["max"]) == ("30", "40")
    assert page.text(".moving") == "75 % postings"
    assert not page.has("[data-still]")
    told = page.text("#state dl")
    assert "Worker box-1 , its claim holds until 1 Jan 2100" in told
    assert "Talks to api.example.org" in told
    assert "One at a time as source:7" in told


@pytest.mark.parametrize(
    ("lease", "told"),
    [
        ("2100-01-01Z", "Its worker is alive and holds on to it."),
        ("2026-03-02 08:50Z", "Its worker was not heard of since; another one takes it over."),
    ],
)
async def test_standing_still_and_being_lost_are_told_apart(
    client: httpx2.AsyncClient, rows: Rows, lease: str, told: str
):
    task_id = await rows.insert(
        "running", progress='{"done": 1}', progress_at="2026-03-02 08:45Z", lease_expires_at=lease
    )
    page = await see(client, address(task_id))
    assert page.text("[data-still]") == f"No movement since 08:45 . {told}"


async def test_what_waits_says_for_what(client: httpx2.AsyncClient, rows: Rows, clock: FixedClock):
    later = await rows.insert(
        "pending", due=False, not_before=clock.now() + timedelta(minutes=20), attempts=2, priority=10
    )
    page = await see(client, address(later))
    assert "Waits for its time" in page.text("#t-state")
    assert "Tried again 09:20" in page.text("#state")
    assert "somebody waits for it" in page.text("#state dl")
    foreign = await rows.insert("pending", kind="board.publish.v9")
    assert "does not know this kind" in (await see(client, address(foreign))).text(".lede")


async def test_parts_are_summed_up_and_listed_failed_ones_first(client: httpx2.AsyncClient, rows: Rows):
    parent = await rows.insert("waiting")
    done = await rows.insert("done", parent_id=parent)
    failed = await rows.insert("failed", parent_id=parent)
    waiting = await rows.insert("pending", parent_id=parent)
    page = await see(client, address(parent))
    assert page.text("#t-children") == "3 parts"
    assert "1 not ended, 1 failed" in page.text("#children")
    assert [int(row.attributes["data-row"] or 0) for row in page.all("#children tbody tr")] == [
        failed,
        waiting,
        done,
    ]
    assert f"Part of task {parent}" in (await see(client, address(done))).text("#state dl")


async def test_the_log_tells_tries_and_people(client: httpx2.AsyncClient, rows: Rows, tasks: Tasks):
    task_id = await rows.insert()
    for event, code, actor, reason in (
        ("retried", "attempts_exhausted", None, None),
        ("lost", None, None, None),
        ("cancelled", None, EMAIL, "not needed"),
    ):
        await tasks.fetch(
            "INSERT INTO task_events (task_id, event, attempt, code, actor, reason, at)"
            " VALUES (%s, %s, 2, %s, %s, %s, '2026-03-02 08:30Z')",
            task_id,
            event,
            code,
            actor,
            reason,
        )
    assert (await see(client, address(task_id))).texts("#log li") == [
        "Put off to be tried again attempts_exhausted 08:30 , try 2",
        "Its worker went silent 08:30 , try 2",
        f"Cancelled by {EMAIL}: “not needed” 08:30",
    ]


async def test_a_failed_task_is_run_again_and_the_lineage_says_who_and_why(
    client: httpx2.AsyncClient, rows: Rows, tasks: Tasks
):
    failed = await rows.insert()
    page = await see(client, address(failed))
    done = await submit(client, page, address(failed, "replay"), reason="the board is back")
    new = await follow(client, done)
    assert done.location != address(failed)
    assert new.text(".flash") == f"Task {failed} is run once more, as this one."
    assert new.text("#t-state") == "State: Waits for a worker"
    assert f"Repeats task {failed}" in new.text("#state dl")
    original, replayed = new.texts("#lineage li")
    assert original.startswith(f"Task {failed} Failed handler_error")
    assert f"Asked for by {EMAIL}: “the board is back”" in replayed
    assert "this one" in replayed
    assert await tasks.fetch("SELECT actor, reason FROM tasks WHERE replay_of_id = %s", failed) == [
        (EMAIL, "the board is back")
    ]
    again = await see(client, address(failed))
    assert "Run again as" in again.text("#state dl")
    assert again.texts("#acts button") == ["Archive it"]


async def test_a_refused_replay_says_what_blocks_and_leads_there(client: httpx2.AsyncClient, rows: Rows):
    failed = await rows.insert()
    later = await rows.replay_of(failed, "pending")
    before = await rows.states()
    page = await send(client, address(failed, "replay"), reason="once more")
    assert page.status == 409
    assert page.text("#faults h2") == "Nothing was changed"
    assert f"Task {failed} cannot be replayed: task {later} of its lineage is pending." in page.text(
        "#faults"
    )
    assert page.one("#faults a").attributes["href"] == address(later)
    assert page.one("#f-reason").attributes["value"] == "once more"  # nothing typed is lost
    assert await rows.states() == before


@pytest.mark.parametrize("verb", ["replay", "cancel", "archive"])
@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
async def test_every_act_needs_a_reason(client: httpx2.AsyncClient, rows: Rows, verb: str, reason: str):
    task_id = await rows.insert("pending" if verb == "cancel" else "failed")
    before = await rows.states()
    page = await send(client, address(task_id, verb), reason=reason)
    assert page.status == 400
    assert page.one("main").attributes["data-at"] == f"/operations/tasks/{task_id}"
    assert "The reason" in page.text("#e-reason")
    assert await rows.states() == before


async def test_a_task_that_has_not_ended_is_cancelled_with_its_parts(client: httpx2.AsyncClient, rows: Rows):
    parent = await rows.insert("waiting")
    await rows.insert("pending", parent_id=parent)
    page = await see(client, address(parent))
    assert page.texts("#acts button") == ["Cancel it"]
    done = await follow(client, await submit(client, page, address(parent, "cancel"), reason="a mistake"))
    assert done.text(".flash") == "Cancelled, with 1 of its parts."
    assert done.text("#t-state") == "State: Cancelled"
    assert f"by {EMAIL}: “a mistake”" in done.text("#log")
    refused = await send(client, address(parent, "cancel"), reason="once more")
    assert (refused.status, refused.texts("#faults a")) == (409, [])
    assert f"Task {parent} is cancelled already." in refused.text("#faults")


async def test_a_lineage_is_archived_and_still_explained(
    client: httpx2.AsyncClient, rows: Rows, account: AccountId
):
    failed = await rows.insert(kind="mail.import.v1", payload='{"import_id": 5}', account_id=account)
    again = await rows.replay_of(failed, "failed")
    page = await see(client, address(again))
    assert page.texts("#acts button") == ["Run it again", "Archive it"]
    done = await follow(client, await send(client, address(again, "archive"), reason="the file is gone"))
    assert done.text(".flash") == "2 tasks left the queue; the archive keeps what happened."
    for task_id in (failed, again):
        kept = await see(client, address(task_id))
        assert "Archived" in kept.text("#t-state")
        assert f"by {EMAIL}: “the file is gone”" in kept.text(".lede")
        assert "It ended as failed: handler_error" in kept.text("main .card")
    first = await see(client, address(failed))
    assert f"For account {account} Works on import 5" in first.text("dl.facts")
    assert await rows.count() == 0
    assert (await see(client, f"/operations?kind={KIND}")).text("#list .empty-title") == "No task fits."


async def test_a_lineage_under_way_is_not_archived(client: httpx2.AsyncClient, rows: Rows):
    failed = await rows.insert()
    running = await rows.replay_of(failed, "running")
    page = await send(client, address(failed, "archive"), reason="away")
    assert page.status == 409
    assert page.one("#faults a").attributes["href"] == address(running)


@pytest.mark.parametrize("number", ["0", "424242", "9223372036854775807", "9223372036854775808", "9" * 40])
@pytest.mark.parametrize("verb", ["", "replay", "cancel", "archive"])
async def test_a_number_nobody_has_is_missing(client: httpx2.AsyncClient, number: str, verb: str):
    path = f"/operations/tasks/{number}"
    page = await send(client, f"{path}/{verb}", reason="why") if verb else await see(client, path)
    assert page.status == 404


async def test_a_program_is_told_the_problem_and_what_blocks(client: httpx2.AsyncClient, rows: Rows):
    failed = await rows.insert()
    done = await rows.replay_of(failed, "done")
    answer = await client.post(address(failed, "replay"), data={"reason": "why"})
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["task_id"]) == ("task_lineage_blocked", done)


def test_urgency_follows_priority():
    assert [urgency(each) for each in (0, CLICKED, ORDINARY, SWEEP)] == [
        "somebody waits for it",
        "somebody waits for it",
        "in its turn",
        "when nothing else waits",
    ]
