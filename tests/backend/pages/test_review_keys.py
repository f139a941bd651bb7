"""The review in a real browser: by keys alone, where the focus goes, what happens while somebody reads."""

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.review import Doubt
from fixtures.samples import Samples
from fixtures.site import Opener
from playwright.async_api import Page

from matcher.resolutions.answering import resolve
from matcher.resolutions.items import item
from matcher.resolutions.names import message_item
from matcher.resolutions.types import Answer
from schema.db import Database
from schema.ids import AccountId, MessageId

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
async def doubts(samples: Samples, match: MatchRunner) -> list[MessageId]:
    """Three doubtful messages, as the queue shows them."""
    doubt = Doubt(samples)
    made = [doubt.message, *(doubt.add(f"Word {number}", sent=10 + number) for number in (1, 2))]
    await match()
    return made[::-1]


async def says(page: Page, words: str) -> None:
    await page.wait_for_selector(f".flash:has-text('{words}')")


async def on(page: Page, message: MessageId) -> None:
    """The page of a message, ready for an answer by a key."""
    await page.wait_for_url(f"**/review/{message}")
    await page.wait_for_selector("html[data-settled]")


async def focused(page: Page) -> str:
    return await page.evaluate("document.activeElement.id")


async def test_the_whole_review_is_done_by_keys(site: Opener, doubts: list[MessageId]):
    async with site() as seen:
        page = await seen.open("/review")
        await on(page, doubts[0])
        await page.keyboard.press("n")
        await on(page, doubts[1])
        await page.keyboard.press("c")
        await says(page, "Attached to")
        await on(page, doubts[2])
        assert await focused(page) == "m-subject"
        await page.keyboard.press("u")
        await on(page, doubts[1])
        await says(page, "Taken back")
        await page.keyboard.press("r")
        await says(page, "Not that one")
        await page.goto(f"{seen.server}/review/{doubts[0]}")
        await page.keyboard.press("w")
        assert await focused(page) == "f-company"
        await page.fill("#f-role", "Pilot")
        await page.press("#f-role", "Control+Enter")
        await says(page, "Added as a new application")
        await page.keyboard.press("h")
        await page.wait_for_url("**/review/history")
        await page.keyboard.press("l")
        await page.wait_for_url("**/review/list")
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#m-subject")
        await page.keyboard.press("?")
        await page.wait_for_selector("dialog#keys >> text=confirm all of them")
        assert not seen.complaints


async def test_a_digit_says_which_application_is_meant(site: Opener, doubts: list[MessageId]):
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        names = await page.locator(".candidate h3").all_inner_texts()
        await on(page, doubts[0])
        await page.keyboard.press("2")
        assert await page.evaluate("document.activeElement.dataset.pick") == "2"
        assert await page.locator("[data-picked]").count() == 1
        await page.keyboard.press("c")
        await says(page, f"Attached to {names[1]}")
        await page.keyboard.press("9")
        assert await page.locator("[data-picked]").count() == 1


async def test_two_strokes_answer_one_question(site: Opener, doubts: list[MessageId], samples: Samples):
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        await on(page, doubts[0])
        await page.keyboard.press("c")
        await page.keyboard.press("c")
        await page.wait_for_url(f"**/review/{doubts[1]}")
        await page.keyboard.press("c")
        await on(page, doubts[1])
        await says(page, "Attached to")
        assert samples.rows("SELECT count(*) FROM match_decisions WHERE actor = 'person'") == [(1,)]


async def test_an_application_is_found_while_typing_and_assigned_by_keys(
    site: Opener, doubts: list[MessageId]
):
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        await on(page, doubts[0])
        await page.keyboard.press("a")
        assert await focused(page) == "f-find"
        await page.keyboard.type("conto")
        await page.wait_for_selector("#found >> text=Writer, Contoso")
        assert await page.locator("#found li").count() == 1
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.activeElement.textContent.includes('It is this one')")
        await page.keyboard.press("ArrowUp")
        assert await focused(page) == "f-find"
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await says(page, "Attached to Writer, Contoso")
        assert not seen.complaints


async def test_what_is_read_is_not_swapped_but_said_to_be_superseded(
    site: Opener, doubts: list[MessageId], database: Database, account: AccountId, clock: FixedClock
):
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        names = await page.locator(".candidate h3").all_inner_texts()
        async with database.as_account(account) as unit:
            shown = await item(unit, message_item(doubts[0]))
            answer = Answer(choice="not_job_mail", version=shown.version)
            await resolve(unit, message_item(doubts[0]), answer, now=clock.now())
        await page.wait_for_selector("[data-superseded]:has-text('This changed while you were reading')")
        await page.wait_for_selector("#left:has-text('2 wait')")
        assert await page.locator(".candidate h3").all_inner_texts() == names
        await page.wait_for_selector("html[data-settled]")
        await page.keyboard.press("c")
        await page.wait_for_selector("#refused:has-text('nothing was changed')")
        await page.wait_for_selector("#refused:has-text('Now: not job mail, decided by you')")
        assert page.url.endswith(f"/review/{doubts[0]}")


async def test_what_was_only_written_anew_is_answered_as_it_stands(
    site: Opener,
    doubts: list[MessageId],
    database: Database,
    account: AccountId,
    clock: FixedClock,
    match: MatchRunner,
):
    asked = message_item(doubts[0])
    for choice in ("not_job_mail", "undo"):
        async with database.as_account(account) as unit:
            shown = await item(unit, asked)
            await resolve(unit, asked, Answer(choice=choice, version=shown.version), now=clock.now())
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        before = await page.get_attribute("#stands", "data-version")
        await match()
        await page.wait_for_selector(f"#stands:not([data-version='{before}'])", state="attached")
        assert await page.locator("[data-superseded]:visible").count() == 0
        await page.wait_for_selector("html[data-settled]")
        await page.keyboard.press("c")
        await says(page, "Attached to")


async def test_how_it_stands_now_is_shown_on_demand(
    site: Opener, doubts: list[MessageId], samples: Samples, match: MatchRunner
):
    async with site() as seen:
        page = await seen.open(f"/review/{doubts[0]}")
        samples.reading(doubts[0], "rejection", employer="Contoso")
        await match()
        await page.wait_for_selector("[data-superseded]:visible")
        await page.keyboard.press("v")
        await page.wait_for_selector(".candidate h3:has-text('Writer, Contoso')")
        assert await page.locator("[data-superseded]:visible").count() == 0


async def test_a_question_is_answered_without_scripts(site: Opener, doubts: list[MessageId]):
    async with site(scripts=False, width=390) as seen:
        page = await seen.open("/review")
        await page.click("button:has-text('Yes, this one')")
        await says(page, "Attached to")
        await page.click(".flash button")
        await says(page, "Taken back")
        await page.fill("#f-find", "contoso")
        await page.click("button:has-text('Find')")
        await page.click("#found button:has-text('It is this one')")
        await says(page, "Attached to Writer, Contoso")
