"""The pages used by hand in a real browser: by keys where there are keys, refreshed while somebody looks."""

from collections.abc import Awaitable, Callable

import pytest
from fixtures.mail import mail, mbox
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples
from fixtures.site import Opener
from playwright.async_api import Page, expect

from extension_api.profiles.store import current_profile
from mailsync.archive.tasks import import_mail
from matcher.resolutions.answering import resolve
from matcher.resolutions.store import item
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, MessageId, TaskId
from schema.tasks import ImportMail

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

BODY = "Hello Ada, your application at Northwind is still under review."


@pytest.fixture
async def doubts(samples: Samples, match: MatchRunner) -> list[MessageId]:
    """Three doubtful messages, as the queue shows them."""
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("Northwind", "Product Designer", applied=6)
    samples.application("Contoso", "Writer", applied=7)
    made = [
        samples.message("status_update", subject=f"Word {n}", body=BODY, employer="Northwind")
        for n in range(3)
    ]
    await match()
    return made[::-1]


async def says(page: Page, words: str) -> None:
    await page.wait_for_selector(f".flash:has-text('{words}')")


async def test_the_whole_review_is_done_by_keys(site: Opener, doubts: list[MessageId]):
    async with site() as seen:
        page = await seen.open("/review")
        await page.wait_for_url(f"**/review/{doubts[0]}")
        await page.keyboard.press("n")
        await page.wait_for_url(f"**/review/{doubts[1]}")
        await page.keyboard.press("c")
        await says(page, "Attached to")
        assert page.url.endswith(f"/review/{doubts[2]}")
        await page.keyboard.press("u")
        await page.wait_for_url(f"**/review/{doubts[1]}")
        await says(page, "Taken back")
        await page.keyboard.press("r")
        await says(page, "Not that one")
        await page.goto(f"{seen.server}/review/{doubts[2]}")
        await page.keyboard.press("a")
        await page.keyboard.type("contoso")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#another ~ .rows >> text=Writer")
        await page.keyboard.press("j")
        await page.click("#another ~ .rows button")
        await says(page, "Attached to Writer, Contoso")
        await page.goto(f"{seen.server}/review/{doubts[0]}")
        await page.keyboard.press("w")
        await page.fill("#f-role", "Pilot")
        await page.press("#f-role", "Control+Enter")
        await says(page, "Added as a new application")
        await page.keyboard.press("?")
        await page.wait_for_selector("dialog#keys >> text=not the first application")
        assert not seen.complaints


async def test_a_superseded_question_shows_the_fresh_one_by_itself(
    site: Opener, doubts: list[MessageId], database: Database, account: AccountId, clock: FixedClock
):
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        async with database.as_account(account) as unit:
            shown = await item(unit, doubts[0])
            await resolve(unit, doubts[0], version=shown.version, choice="not_job_mail", now=clock.now())
        await page.wait_for_selector("#left:has-text('2 messages')")
        await page.keyboard.press("c")
        await page.wait_for_selector("main [role=alert]:has-text('This changed since you looked at it')")
        await page.wait_for_selector("text=Not job mail, decided by you")
        assert page.url.endswith(f"/review/{doubts[0]}")


async def test_a_question_is_answered_without_scripts(site: Opener, doubts: list[MessageId]):
    async with site(scripts=False, width=390) as seen:
        page = await seen.open("/review")
        await page.click("button:has-text('Yes, this one')")
        await says(page, "Attached to")
        await page.click(".flash button")
        await says(page, "Taken back")


async def test_an_application_moves_while_it_is_looked_at_and_is_changed_by_hand(
    site: Opener, samples: Samples, match: MatchRunner
):
    applied = samples.application("Northwind", "Data Engineer", applied=5)
    async with site() as seen:
        page = await seen.open(f"/applications/{applied}")
        await page.fill("#f-note", "half a thought")
        samples.message(
            "rejection",
            body="We will not move forward with Data Engineer at Northwind.",
            employer="Northwind",
            role="Data Engineer",
        )
        await match()
        await page.wait_for_selector("#timeline .badge:has-text('Rejection')")
        assert await page.input_value("#f-note") == "half a thought"
        await page.press("#f-note", "Control+Enter")
        await says(page, "Note saved")
        await page.click("#timeline summary")
        await page.wait_for_selector("#timeline .evidence >> text=names Northwind")
        await page.click("#timeline button:has-text('It belongs here')")
        await says(page, "Attached to")
        await page.select_option("#f-status", "offer")
        await page.click("button:has-text('Set the status')")
        await says(page, "Status set: offer")
        await page.keyboard.press("u")
        await says(page, "follows the mail")
        assert not seen.complaints


async def test_a_timeline_prints_without_its_forms(site: Opener, samples: Samples, match: MatchRunner):
    applied = samples.application("Northwind", "Data Engineer", applied=5)
    samples.rows("UPDATE applications SET note = 'Ask Jo' WHERE id = %s", applied)
    async with site() as seen:
        page = await seen.open(f"/applications/{applied}")
        await page.emulate_media(media="print")
        assert await page.is_visible("h1")
        assert await page.is_visible(".print >> text=Ask Jo")
        assert not await page.is_visible("textarea")
        assert not await page.is_visible("nav.wide")


Work = Callable[[int], Awaitable[None]]


@pytest.fixture
def work(database: Database, account: AccountId, clock: FixedClock) -> Work:
    async def report(_: TaskProgress) -> None:
        """Nobody watches."""

    async def run(import_id: int) -> None:
        task = TaskRun(
            db=database, clock=clock, task_id=TaskId(1), account_id=account, attempt=1, report=report
        )
        await import_mail(task, ImportMail(import_id=import_id))

    return run


async def test_an_archive_is_chosen_and_its_progress_comes_by_itself(site: Opener, work: Work):
    letters = [
        mail("Thank you for applying at Northwind. We have received your application.", message_id=f"<{n}@x>")
        for n in range(3)
    ]
    async with site() as seen:
        page = await seen.open("/mail")
        await page.keyboard.press("i")
        await page.wait_for_url("**/mail/import")
        archive = {"name": "All mail.mbox", "mimeType": "application/mbox", "buffer": mbox(letters)}
        await page.set_input_files("#f-archive", archive)  # pyright: ignore
        await page.click("button:has-text('Bring it in')")
        await page.wait_for_selector("#progress >> text=waits for a worker")
        await work(int(page.url.rpartition("/")[2]))
        await page.wait_for_selector("#progress >> text=Read whole")
        await page.click("text=Look at the mail")
        await expect(page.locator("tbody tr")).to_have_count(3)
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/mail/*")
        await page.keyboard.press("c")
        await page.check("#f-kind-offer")
        await page.press("#f-kind-offer", "Control+Enter")
        await says(page, "You said what it says")
        await page.keyboard.press("u")
        await says(page, "taken back")
        assert not seen.complaints


async def test_the_profile_is_written_by_hand_entry_by_entry(
    site: Opener, database: Database, account: AccountId
):
    async with site() as seen:
        page = await seen.open("/profile")
        await page.fill("#f-first_name", "Ada")
        await page.fill("[id='f-work[0].company']", "Engines")
        await page.fill("[id='f-address.country']", "Germany")
        await page.click("#work button:has-text('Add another')")
        await page.wait_for_selector("text=Nothing is saved yet")
        await page.fill("[id='f-work[1].company']", "Babbage")
        await page.fill("#f-email", "nobody")
        await page.press("#f-email", "Control+Enter")
        await page.wait_for_selector("#faults:focus")
        await page.click("#faults a")
        await page.wait_for_selector("#f-email:focus")
        await page.fill("#f-email", "ada@example.org")
        await page.press("#f-email", "Control+Enter")
        await says(page, "Profile saved")
        assert not [said for said in seen.complaints if "400" not in said]
    async with database.as_account(account) as unit:
        kept = (await current_profile(unit)).profile
    assert [entry.company for entry in kept.work] == ["Engines", "Babbage"]
    assert (kept.first_name, kept.email, kept.address.country) == ("Ada", "ada@example.org", "DE")


async def test_enter_in_the_profile_saves_and_removes_nothing(
    site: Opener, database: Database, account: AccountId
):
    async with site() as seen:
        page = await seen.open("/profile")
        await page.fill("[id='f-work[0].company']", "Engines")
        await page.press("[id='f-work[0].company']", "Enter")
        await says(page, "Profile saved")
    async with database.as_account(account) as unit:
        assert [entry.company for entry in (await current_profile(unit)).profile.work] == ["Engines"]


async def test_a_posting_is_found_saved_and_applied_to_by_keys(site: Opener, samples: Samples):
    samples.rows(
        "INSERT INTO postings (platform, vendor_id, board, title, canonical_url, first_seen_at)"
        " VALUES ('ashby', 'v1', 'engines', 'Baker', 'https://jobs.ashbyhq.com/engines/v1', now())"
    )
    async with site() as seen:
        page = await seen.open("/postings")
        await page.keyboard.press("/")
        await page.keyboard.type("baker")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**q=baker**")
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/postings/*")
        await page.keyboard.press("s")
        await says(page, "Saved")
        await page.keyboard.press("u")
        await says(page, "No longer saved")
        await page.click("button:has-text('I applied')")
        await says(page, "The application is in your list")
        assert not seen.complaints
