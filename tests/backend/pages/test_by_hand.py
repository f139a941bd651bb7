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
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.tasks import ImportMail

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

BODY = "Hello Ada, your application at Northwind is still under review."


async def says(page: Page, words: str) -> None:
    await page.wait_for_selector(f".flash:has-text('{words}')")


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
        await page.click("#timeline summary:has-text('Why it is here')")
        await page.wait_for_selector("#timeline .evidence >> text=names Northwind")
        await page.click("#timeline button:has-text('It belongs here')")
        await says(page, "Attached to")
        await page.select_option("#f-status", "offer")
        await page.click("button:has-text('Set the status')")
        await says(page, "Status set: offer")
        await page.keyboard.press("u")
        await says(page, "The status is as it was before")
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
