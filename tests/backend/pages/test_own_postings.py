"""Postings only one person knows: saved by their address, written down by hand, read, applied to, removed."""

import httpx2
import psycopg
import pytest
from emulators.greenhouse import Greenhouse, greenhouse_job
from emulators.web import Asked, Reply, Web
from fixtures.html import follow, see, send, submit
from fixtures.people import FixedClock

from pipeline.kept.tasks import forget_own, read_own_handler
from pipeline.worker.types import TaskProgress, TaskRun, Transient
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.settings import SourceSettings
from schema.tasks import ForgetOwnPosting, ReadOwnPosting

URL = "https://gardens.example/jobs/42?utm_source=mail"
PAGE = b"""<html><head><script type="application/ld+json">{"@context": "https://schema.org",
"@type": "JobPosting", "title": "Head Gardener", "hiringOrganization": {"name": "Green Gardens"},
"description": "<p>Roses &amp; <b>hedges</b>.</p><script>alert(1)<\\/script>",
"jobLocation": {"address": {"addressLocality": "Kassel", "addressCountry": "DE"}},
"baseSalary": {"currency": "EUR", "value": {"minValue": 40000, "maxValue": 48000, "unitText": "YEAR"}}}
</script></head><body>Roses</body></html>"""


async def quiet(_: TaskProgress) -> None: ...


def task(database: Database, clock: FixedClock, account: AccountId, attempt: int = 1) -> TaskRun:
    return TaskRun(
        db=database, clock=clock, task_id=TaskId(1), account_id=account, attempt=attempt, report=quiet
    )


@pytest.fixture
def own_id(owner_url: str):
    """The newest posting somebody keeps."""

    def newest() -> int:
        with psycopg.connect(owner_url) as owner:
            row = owner.execute("SELECT max(id) FROM own_postings").fetchone()
            assert row
            return row[0]

    return newest


async def test_an_address_from_elsewhere_is_read_and_kept_for_its_person(
    client: httpx2.AsyncClient,
    other_client: httpx2.AsyncClient,
    database: Database,
    clock: FixedClock,
    account: AccountId,
    web: Web,
    web_settings: SourceSettings,
    own_id,
):
    web.sites["gardens.example"] = lambda _: Reply(PAGE, content_type="text/html")
    asked = await see(client, "/postings/save")
    done = await submit(client, asked, "/postings/save", url=URL)
    page = await follow(client, done)
    assert page.title == "gardens.example"
    unread = await see(client, "/postings?show=saved")
    assert "company unknown" in unread.text("tbody")
    assert "its page is being read" in page.text("#words")
    read = await read_own_handler(web_settings)(
        task(database, clock, account), ReadOwnPosting(own_posting_id=own_id())
    )
    assert read.word == "read"
    page = await see(client, done.location)
    # A page that stands open takes its new heading along, as everything that reading tells.
    assert page.text("h1[id][data-live]") == "Head Gardener"
    assert "Green Gardens" in page.text(".lede[id][data-live]")
    assert "hedges" in page.text("#words")
    assert "alert" not in page.text("#words")
    facts = page.text("#facts")
    assert "Kassel" in facts
    assert "EUR 40 000 to 48 000 a year" in facts
    assert "its page, read by Jobtrail" in facts
    shelf = await see(client, "/postings?show=saved")
    assert shelf.texts("tbody .role") == ["Head Gardener"]
    assert "only you see it" in shelf.text("tbody")
    assert (await see(other_client, done.location)).status == 404
    assert (await see(other_client, "/postings?show=saved")).texts("tbody .role") == []
    again = await send(client, "/postings/save", url="gardens.example/jobs/42")
    assert again.location == done.location


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(b"<html><body>Welcome</body></html>", content_type="text/html"), "its page says nothing"),
        (Reply(b"", 404), "its page is gone"),
        (Reply(b"", 403), "the platform refuses to show it"),
    ],
)
async def test_a_page_that_tells_nothing_is_said_so_and_can_be_written_down(
    client: httpx2.AsyncClient,
    database: Database,
    clock: FixedClock,
    account: AccountId,
    web: Web,
    web_settings: SourceSettings,
    own_id,
    reply: Reply,
    said: str,
):
    web.sites["gardens.example"] = lambda _: reply
    done = await send(client, "/postings/save", url=URL)
    payload = ReadOwnPosting(own_posting_id=own_id())
    await read_own_handler(web_settings)(task(database, clock, account), payload)
    page = await see(client, done.location)
    assert said in page.text("#facts")
    form = await see(client, f"{done.location}/edit")
    await submit(client, form, f"{done.location}/edit", title="Gardener", text="By word of mouth")
    page = await see(client, done.location)
    assert page.title == "Gardener"
    assert "you" in page.text("#facts")


async def test_a_posting_of_a_platform_is_asked_of_the_board_its_address_named(
    client: httpx2.AsyncClient,
    database: Database,
    clock: FixedClock,
    account: AccountId,
    web: Web,
    web_settings: SourceSettings,
    own_id,
):
    job = greenhouse_job("Pilot", company_name="Northwind")
    Greenhouse(web).boards["northwind"] = [job]
    url = f"https://job-boards.greenhouse.io/northwind/jobs/{job['id']}"
    done = await send(client, "/postings/save", url=url)
    asked = ReadOwnPosting(own_posting_id=own_id())
    assert (await read_own_handler(web_settings)(task(database, clock, account), asked)).word == "read"
    page = await see(client, done.location)
    assert page.title == "Pilot"
    assert url in page.text("#facts")


async def test_a_passing_trouble_is_tried_again_and_told_in_the_end(
    client: httpx2.AsyncClient,
    database: Database,
    clock: FixedClock,
    account: AccountId,
    web: Web,
    web_settings: SourceSettings,
    own_id,
    owner_url: str,
):
    def broken(_: Asked) -> Reply:
        return Reply(b"", 500)

    web.sites["gardens.example"] = broken
    done = await send(client, "/postings/save", url=URL)
    read, payload = read_own_handler(web_settings), ReadOwnPosting(own_posting_id=own_id())
    with pytest.raises(Transient):
        await read(task(database, clock, account), payload)
    assert "its page is being read" in (await see(client, done.location)).text("#words")
    with psycopg.connect(owner_url) as owner:
        owner.execute("UPDATE tasks SET attempts = 1, due = false, not_before = now() + interval '1 minute'")
    page = await see(client, done.location)
    assert "could not be had" in page.text("#words")
    assert "tried again" in page.text("#words:has(time[datetime])")
    assert page.has(f"#words a[href='{done.location}/edit']")
    assert "its page could not be had yet" in page.text("#facts")
    await read(task(database, clock, account, attempt=ReadOwnPosting.MAX_ATTEMPTS), payload)
    assert "the platform has a fault" in (await see(client, done.location)).text("#facts")


async def test_a_platform_that_forbids_reading_is_never_asked(client: httpx2.AsyncClient, owner_url: str):
    url = "https://www.linkedin.com/jobs/view/4012345678"
    page = await follow(client, await send(client, "/postings/save", url=url))
    assert "LinkedIn's terms forbid automated reading." in page.text("#facts")
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT count(*) FROM tasks WHERE kind = 'own.read.v1'").fetchone() == (0,)


async def test_a_posting_written_down_by_hand_is_applied_to_and_removed(
    client: httpx2.AsyncClient, database: Database, clock: FixedClock, account: AccountId, own_id
):
    form = await see(client, "/postings/own/new")
    done = await submit(client, form, "/postings/own", title="Nurse", company="St. Mary's", pay_words="fair")
    page = await follow(client, done)
    assert (page.title, "fair" in page.text("#facts")) == ("Nurse", True)
    application = await follow(client, await submit(client, page, f"{done.location}/applied"))
    assert application.title == "Nurse, St. Mary's"
    assert (await see(client, done.location)).has(".card a[href^='/applications/']")
    refused = await send(client, f"{done.location}/applied", applied_on="2999-01-01")
    assert (refused.status, refused.one("main").attributes["data-at"]) == (400, done.location)
    noted = await follow(client, await submit(client, page, f"{done.location}/note", note="Ask Jo"))
    assert noted.one("#f-note").text().strip() == "Ask Jo"
    shelf = await follow(client, await submit(client, noted, f"{done.location}/remove"))
    assert shelf.texts("tbody .role") == []
    back = await follow(client, await submit(client, shelf, f"{done.location}/restore", within=".flash"))
    assert back.title == "Nurse"
    await send(client, f"{done.location}/remove")
    forgetting = ForgetOwnPosting(own_posting_id=own_id())
    assert (await forget_own(task(database, clock, account), forgetting)).word == "kept"
    clock.move(days=1, hours=1)
    assert (await forget_own(task(database, clock, account), forgetting)).word == "forgotten"
    assert (await see(client, done.location)).status == 404


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "Address of the posting"),
        ("javascript:alert(1)", "not the address of a web page"),
        ("localhost", "not the address of a web page"),
        ("https://jobs.lever.co/northwind", "lists several openings"),
    ],
)
async def test_what_is_no_posting_is_refused_beside_its_field(
    client: httpx2.AsyncClient, url: str, said: str
):
    page = await send(client, "/postings/save", url=url)
    assert page.status == 400
    assert said in page.text("#e-url")


async def test_an_address_is_kept_once_and_nothing_typed_is_lost(client: httpx2.AsyncClient):
    await send(client, "/postings/own", title="Nurse", url="https://mary.example/jobs/1")
    page = await send(client, "/postings/own", title="Other", url="https://mary.example/jobs/1?utm_source=x")
    assert page.status == 400
    assert page.one("#f-title").attributes["value"] == "Other"
    assert "already" in page.text("#e-url")
