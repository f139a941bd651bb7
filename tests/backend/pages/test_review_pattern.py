"""A whole pattern at once: what is shown is what is decided, whole or not at all, and undone at once."""

import httpx2
import pytest
from fixtures.html import follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.review import Doubt, answers, press
from fixtures.samples import Samples

from backend.review.patterns import path_of_pattern, title
from matcher.resolutions.bulk.tasks import match_bulk
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.tasks import BulkMatch


class Many:
    """Twelve messages of one pattern."""

    def __init__(self, doubt: Doubt, path: str, pattern: str) -> None:
        self.doubt, self.path, self.pattern = doubt, path, pattern

    def outcomes(self) -> dict[str, int]:
        rows = self.doubt.samples.rows("SELECT outcome, count(*) FROM matches GROUP BY outcome")
        return {str(outcome): int(str(count)) for outcome, count in rows}


@pytest.fixture
async def many(doubt: Doubt, match: MatchRunner) -> Many:
    for number in range(11):
        doubt.add(f"Word {number}", sent=11 + number)
    await match()
    pattern = str(doubt.samples.rows("SELECT DISTINCT pattern FROM match_decisions")[0][0])
    return Many(doubt, path_of_pattern(pattern), pattern)


async def test_a_pattern_shows_what_it_means_and_exactly_which_messages(
    client: httpx2.AsyncClient, many: Many, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.pages.review_pattern.ROWS", 5)
    page = await see(client, many.path)
    assert page.title == title(many.pattern)
    assert page.text("#all") == "12 messages wait with this doubt"
    assert "not measured yet" in page.text("section[aria-labelledby=all]")
    assert "attaches 12 messages" in page.text("section[aria-labelledby=all]")
    assert len(page.texts(".sentence mark")) == 10
    rows: list[str] = []
    while True:
        rows += [str(node.attributes["data-row"]) for node in page.all("li[data-row]")]
        more = page.all("a[rel=next]")
        if not more:
            break
        page = await see(client, many.path + str(more[0].attributes["href"]))
    assert len(rows) == len(set(rows)) == 12


@pytest.mark.parametrize(
    ("choice", "becomes", "said"),
    [
        ("confirm", "attached", "12 messages attached to the first application of each."),
        ("not_an_application", "not_an_application", "12 messages set aside as not about an application."),
        ("not_job_mail", "not_job_mail", "12 messages marked as not job mail."),
    ],
)
async def test_one_press_decides_all_and_one_undo_takes_it_back(
    client: httpx2.AsyncClient, many: Many, choice: str, becomes: str, said: str
):
    answered = await press(client, await see(client, many.path), choice)
    assert answered.location == "/review"
    assert many.outcomes() == {becomes: 12}
    done = await follow(client, answered)
    assert said in done.text(".flash")
    assert "No message waits with this doubt." in (await see(client, many.path)).text("main")
    past = await see(client, "/review/history")
    assert len(past.all("li[data-row]")) == 1
    assert "for 12 messages" in past.text("#history")
    back = await submit(client, past, "/review/history/undo")
    assert many.outcomes() == {"asks": 12}
    assert "Taken back." in (await follow(client, back)).text(".flash")


async def test_the_rate_is_told_once_it_was_measured(client: httpx2.AsyncClient, many: Many):
    await press(client, await see(client, many.doubt.path), "confirm")
    page = await see(client, many.path)
    assert "first application in 1 of 1 such messages" in page.text("section[aria-labelledby=all]")


@pytest.mark.parametrize("choice", ["confirm", "not_an_application", "not_job_mail"])
async def test_when_one_message_more_or_less_waits_nothing_is_decided(
    client: httpx2.AsyncClient, many: Many, match: MatchRunner, choice: str
):
    page = await see(client, many.path)
    many.doubt.add("One more", sent=25)
    await match()
    before = many.outcomes()
    shown = await press(client, page, choice)
    assert shown.status == 409
    assert "Nothing was decided." in shown.text("#refused")
    assert shown.text("#all").startswith("13 messages")
    await press(client, await see(client, many.doubt.path), "not_job_mail")
    assert (await press(client, shown, choice)).status == 409
    assert many.outcomes() == before | {"asks": 12, "not_job_mail": 1}


async def test_a_message_answered_since_keeps_its_answer_when_all_is_taken_back(
    client: httpx2.AsyncClient, many: Many
):
    done = await follow(client, await press(client, await see(client, many.path), "confirm"))
    await press(client, await see(client, many.doubt.path), "not_job_mail")
    await submit(client, done, "/review/history/undo")
    assert many.outcomes() == {"asks": 11, "not_job_mail": 1}


async def test_many_are_done_by_a_task_with_a_bar(
    client: httpx2.AsyncClient,
    many: Many,
    monkeypatch: pytest.MonkeyPatch,
    database: Database,
    account: AccountId,
    clock: FixedClock,
):
    for place in ("answering", "doing"):
        monkeypatch.setattr(f"matcher.resolutions.bulk.{place}.AT_ONCE", 5)
    answered = await press(client, await see(client, many.path), "confirm")
    assert answered.location == many.path
    page = await follow(client, answered)
    assert "Being done for 12 messages" in page.text(".flash")
    assert "Deciding about 12 messages, as you said" in page.text("#work")
    assert page.has("#work [data-task][data-status=pending]")
    assert not answers(page, "confirm")
    assert "Deciding about 12 messages" in (await see(client, "/review/list")).text("#work")
    await finish(many.doubt.samples, database, account, clock)
    assert many.outcomes() == {"attached": 12}
    assert not (await see(client, many.path)).texts("#work p")


async def finish(samples: Samples, database: Database, account: AccountId, clock: FixedClock) -> None:
    """Do the task as a worker would."""

    async def report(_: TaskProgress) -> None:
        """Nobody watches."""

    rows = samples.rows("SELECT id, payload->>'act_id' FROM tasks WHERE kind = 'match.bulk.v1'")
    for task_id, act_id in rows:
        run = TaskRun(
            db=database,
            clock=clock,
            task_id=TaskId(int(str(task_id))),
            account_id=account,
            attempt=1,
            report=report,
        )
        await match_bulk(run, BulkMatch(act_id=int(str(act_id))))
    samples.rows("UPDATE tasks SET status = 'done', outcome = 'done', finished_at = now()")


async def test_a_pattern_nobody_has_is_empty(client: httpx2.AsyncClient):
    page = await see(client, "/review/pattern/weak%3Anothing")
    assert page.status == 200
    assert "No message waits with this doubt." in page.text("main")


@pytest.mark.parametrize("fields", [{}, {"answer": "reject", "version": "x"}, {"answer": "confirm"}])
async def test_a_broken_form_is_answered_calmly(
    client: httpx2.AsyncClient, many: Many, fields: dict[str, str]
):
    assert (await send(client, many.path, **fields)).status == 400
    assert many.outcomes() == {"asks": 12}


async def test_nothing_of_anothers_is_in_a_pattern(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, many: Many
):
    page = await see(client, many.path)
    assert "No message waits" in (await see(other_client, many.path)).text("main")
    assert (await press(other_client, page, "confirm")).status == 409
    assert many.outcomes() == {"asks": 12}
