"""Today: what needs me, what changed, is everything running."""

from datetime import UTC, datetime

import httpx2
import psycopg
import pytest
from fixtures.html import Seen, follow, see, submit
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from backend.pages.today import mail_sign, work_sign, worker_sign
from backend.today.store import Import, Work, Workers
from schema.ids import TaskId
from schema.requests import UnderWay

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def signs(page: Seen) -> dict[str, str]:
    """Each part of the machinery with its state."""
    return {
        card.css_first("span").text(): card.css_first(".badge").text()  # pyright: ignore
        for card in page.all("#running li")
    }


async def test_one_line_says_that_everything_runs_and_trouble_opens_the_parts(
    client: httpx2.AsyncClient, owner_url: str
):
    page = await see(client, "/")
    assert page.text("#t-running") == "Not everything is running"
    assert page.has("#signs[open]")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO workers (id, name, release, kinds) VALUES (gen_random_uuid(), 'w', '1', '{}')"
        )
    page = await see(client, "/")
    assert page.text("#t-running") == "Everything is running"
    assert not page.has("#signs[open]")


async def test_a_calm_day_says_so(client: httpx2.AsyncClient):
    page = await see(client, "/")
    assert "Nothing right now" in page.text("#needs")
    assert "No news yet" in page.text("#changed")
    assert signs(page) == {
        "Worker": "Never seen",
        "Tasks": "Nothing to do",
        "Mail": "None brought in yet",
        "Database": "Answers",
    }


async def test_a_doubtful_message_waits_here_and_in_the_navigation(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("Northwind", "Product Designer", applied=6)
    samples.message("status_update", subject="Hello", body="Hello Ada.", employer="Northwind")
    await match()
    page = await see(client, "/")
    assert "1 message could not be matched for sure" in page.text("#needs")
    assert page.one('nav.wide a[href="/review"] .count').text().startswith("1")


async def test_what_an_employer_waits_for_is_marked_done_and_opened_again(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    samples.application("Northwind", "Data Engineer", applied=5)
    body = "We offer you the Data Engineer role at Northwind. Answer by Friday."
    about = {"employer": "Northwind", "role": "Data Engineer", "deadline": "by Friday"}
    samples.message("offer", subject="Offer", body=body, **about)
    await match()
    ask = samples.rows("SELECT id FROM asks")[0][0]
    page = await see(client, "/")
    assert "Answer the offer" in page.text("#needs")
    assert "“by Friday”" in page.text("#needs")
    assert "1 waits for you" in (await see(client, f"/review/ask/{ask}")).text()
    assert page.one('nav.wide a[href="/review"] .count').text().startswith("1")
    done = await follow(client, await submit(client, page, f"/review/ask/{ask}"))
    assert "Answer the offer" not in done.text("#needs")
    assert not done.has('nav.wide a[href="/review"] .count')
    await submit(client, done, "/review/history/undo", within=".flash")
    assert "Answer the offer" in (await see(client, "/")).text("#needs")


async def test_the_way_back_stays_here(client: httpx2.AsyncClient, samples: Samples):
    application = samples.application("Northwind", "Data Engineer", applied=5)
    message = samples.message("offer", subject="Offer", body="We offer.", employer="Northwind")
    ask = samples.insert(
        "asks", application_id=application, message_id=message, kind="answer_offer", opened_at="2026-03-01"
    )
    page = await see(client, "/")
    done = await submit(client, page, f"/review/ask/{ask}", back="//evil.example")
    assert done.location == "/"


async def test_news_of_an_application_is_shown_with_what_was_said_and_is_news_for_two_weeks(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner, clock: FixedClock
):
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.message(
        "rejection",
        subject="Your application as Data Engineer at Northwind",
        body="We will not go on with Northwind's Data Engineer.",
        employer="Northwind",
        role="Data Engineer",
    )
    await match()
    page = await see(client, "/")
    assert "Northwind, Data Engineer" in page.text("#changed")
    assert page.one("#changed .badge").text() == "Rejection"
    clock.move(days=29)
    assert "Northwind" not in (await see(client, "/")).text("#changed")


async def test_a_worker_that_shows_itself_is_running(client: httpx2.AsyncClient, owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO workers (id, name, release, kinds) VALUES (gen_random_uuid(), 'w', '1', '{}')"
        )
        assert signs(await see(client, "/"))["Worker"] == "Running"
        owner.execute("UPDATE workers SET last_seen_at = now() - interval '2 minutes'")
        assert signs(await see(client, "/"))["Worker"] == "Not running"


@pytest.mark.parametrize(
    ("work", "state"),
    [
        (Work(waiting=0, running=0, failed_lately=0), "Nothing to do"),
        (Work(waiting=3, running=1, failed_lately=0), "At work"),
        (Work(waiting=3, running=1, failed_lately=2), "2 failed in the last day"),
    ],
)
def test_tasks_are_told_by_what_matters_most(work: Work, state: str):
    assert work_sign(work).state == state


def an_import(state: str, finished_at: datetime | None) -> Import:
    return Import(
        id=1,
        name="a.mbox",
        state=state,
        bytes_done=1,
        bytes_total=None,
        seen=4210,
        stored=9,
        known=4201,
        not_kept=0,
        quarantined=0,
        created_at=NOW,
        finished_at=finished_at,
    )


AT_WORK = UnderWay(
    dedupe_key="mail.import.v1:1",
    id=TaskId(7),
    status="running",
    attempts=1,
    max_attempts=5,
    not_before=None,
    progress_done=None,
    progress_total=None,
    progress_note=None,
    progress_at=None,
)


@pytest.mark.parametrize(
    ("state", "finished_at", "task", "said"),
    [
        ("queued", None, AT_WORK, "Import waits for its turn"),
        ("running", None, AT_WORK, "Import is running"),
        ("running", None, None, "Import stopped before its end"),
        ("queued", None, None, "Import stopped before its end"),
        ("done", NOW, None, "Last import is done"),
        ("failed", NOW, None, "Last import failed"),
    ],
)
def test_every_state_of_an_import_has_its_words(
    state: str, finished_at: datetime | None, task: UnderWay | None, said: str
):
    sign = mail_sign(an_import(state, finished_at), task)
    assert sign.state == said
    assert sign.detail == "4\u202f210 messages read: 9 new and kept, 4\u202f201 known already"


def test_a_worker_away_is_trouble_and_one_never_seen_says_how_to_start_it(clock):
    assert worker_sign(Workers(present=0, last_seen_at=clock.now())).tone == "bad"
    assert "jobtrail worker" in worker_sign(Workers(present=0, last_seen_at=None)).detail


async def test_proposed_statuses_and_records_that_may_be_one_wait_here_too(
    client: httpx2.AsyncClient, samples: Samples
):
    first, second = samples.application(), samples.application("Fabrikam", "Analyst")
    message = samples.message("rejection", body="No.")
    samples.rows(
        "UPDATE standings SET proposal = 'rejected', proposal_message_id = %s, proposal_at = now()"
        " WHERE application_id = %s",
        message,
        first,
    )
    samples.rows(
        "INSERT INTO pairs (account_id, application_id, other_application_id, says, found_at)"
        " VALUES (%s, %s, %s, 'Alike.', now())",
        samples.account,
        first,
        second,
    )
    page = await see(client, "/")
    assert "1 status of yours is contradicted by newer mail" in page.text("#needs")
    assert "1 pair of records may be one application" in page.text("#needs")
    assert page.one('nav.wide a[href="/review"] .count').text().startswith("2")


async def test_a_date_that_has_passed_is_said_soberly(
    client: httpx2.AsyncClient, samples: Samples, clock: FixedClock
):
    application = samples.application()
    for number, due in enumerate(("2026-02-27", "2026-03-01", "2026-03-09")):
        samples.insert(
            "asks",
            application_id=application,
            message_id=samples.message("offer", subject=str(number)),
            kind="answer_offer",
            due_on=due,
            opened_at="2026-02-01",
        )
    page = await see(client, "/")
    assert [("passed" in text) for text in page.texts("#needs li")] == [True, False, False]
    assert not page.has("#needs .badge.bad")


async def test_an_unusual_silence_is_told_beside_what_is_usual(
    client: httpx2.AsyncClient, samples: Samples, clock: FixedClock
):
    for number in range(5):
        known = samples.application(f"Company {number}", applied=day(-30))
        samples.rows("UPDATE standings SET answered_at = %s WHERE application_id = %s", day(-20), known)
        samples.rows("UPDATE standings SET last_event_at = %s WHERE application_id = %s", day(10), known)
    samples.application("Quiet", "Clerk", applied=day(-10))
    clock.at = day(8)
    assert not (await see(client, "/")).has("#silent")
    clock.at = day(11)
    page = await see(client, "/")
    assert "1 application has had no news for 20 days or more" in page.text("#silent")
    assert "Half of your answers came within 10 days" in page.text("#silent")
    assert "Clerk, Quiet" in page.text("#silent")
    listed = await see(client, str(page.one("#silent .button").attributes["href"]))
    assert listed.texts(".role") == ["Clerk"]


async def test_silence_says_nothing_while_nobody_knows_what_is_usual(
    client: httpx2.AsyncClient, samples: Samples, clock: FixedClock
):
    samples.application("Quiet", "Clerk", applied=day(-200))
    clock.at = day(28)
    assert not (await see(client, "/")).has("#silent")
