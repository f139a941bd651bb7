"""The person's own submit becomes an application; what a script submits, or a page refuses, does not."""

from pathlib import Path

import pytest
import pytest_asyncio
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OWN_PAGES = Path(__file__).parent / "pages"
SUBMITTED = "/fills/1/submitted"


@pytest_asyncio.fixture(loop_scope="session")
async def planned(paired: Extension, page_server: PageServer):
    """Opens a sending page that answers a submit in a way of its own, with its plan in the panel."""
    page_server.pages["/own/"] = OWN_PAGES
    page_server.pages["/sent"] = "<h1>Done</h1><p>Thank you for your application, Morgan.</p>"

    async def open_page(then: str) -> tuple[Page, Page]:
        page = await paired.context.new_page()
        await page.goto(page_server.url(f"/own/sending.html?then={then}"))
        panel = await paired.open_panel_page(page)
        await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
        await page.bring_to_front()
        return page, panel

    return open_page


async def test_a_confirmed_submit_is_recorded_with_the_sentence_that_confirmed_it(planned, server: StandIn):
    page, panel = await planned("confirm")
    await page.click("#send")
    told = await server.hears(SUBMITTED)
    assert (told.evidence.kind, told.evidence.text) == ("confirmation_page", "Thank you for applying")
    assert (told.company, told.title) == ("Green Ltd", "Gardener")
    await expect(panel.locator("#questions")).to_contain_text("the page confirmed it")


async def test_a_submit_the_page_takes_in_silence_is_recorded_as_just_that(planned, server: StandIn):
    page, panel = await planned("nothing")
    await page.click("#send")
    told = await server.hears(SUBMITTED)
    assert told.evidence.kind == "trusted_submit"
    await expect(panel.locator("#questions")).to_contain_text("It did not confirm it in words")


async def test_a_submit_by_enter_counts_as_the_persons(planned, server: StandIn):
    page, _ = await planned("confirm")
    await page.focus("#email")
    await page.keyboard.press("Enter")
    assert (await server.hears(SUBMITTED)).evidence.kind == "confirmation_page"


async def test_a_confirmation_on_the_next_page_is_recognised(planned, server: StandIn):
    page, _ = await planned("post")
    await page.click("#send")
    told = await server.hears(SUBMITTED)
    assert told.evidence.kind == "confirmation_page"
    assert told.evidence.text == "Thank you for your application"
    assert told.url.endswith("/own/sending.html?then=post")


NOTES = """() => {
  window.noted = [];
  chrome.storage.local.onChanged.addListener(({ submissions }) => {
    if (submissions) noted.push(submissions.newValue);
  });
}"""


async def test_a_submit_the_page_refuses_records_nothing(planned, server: StandIn):
    page, panel = await planned("refuse")
    await panel.evaluate(NOTES)
    await page.click("#send")
    await panel.wait_for_function("() => noted.length > 1 && noted.at(-1).length === 0", polling=100)
    await expect(panel.locator("#questions")).to_be_empty()
    assert not server.told(SUBMITTED)
    # What is said in between may pass faster than it is looked at.
    [seen] = await panel.evaluate("() => noted[0]")
    await panel.evaluate("(seen) => chrome.storage.local.set({ submissions: [seen] })", seen)
    await expect(panel.locator("#questions")).to_contain_text("waiting for the page")


async def test_a_submit_by_a_script_is_not_the_persons(planned, server: StandIn):
    page, panel = await planned("confirm")
    await page.evaluate("() => document.getElementById('apply').requestSubmit()")
    await page.get_by_role("heading", name="Thank you for applying.").wait_for()
    await panel.bring_to_front()
    await expect(panel.locator("#questions")).to_be_empty()
    assert not server.told(SUBMITTED)


async def test_a_press_that_sends_by_script_needs_the_confirmation(planned, server: StandIn):
    page, _ = await planned("confirm")
    await page.click("#press")
    assert (await server.hears(SUBMITTED)).evidence.kind == "confirmation_page"


async def test_an_answer_in_the_same_moment_as_the_press_confirms(planned, server: StandIn):
    page, _ = await planned("at once")
    await page.click("#press")
    told = await server.hears(SUBMITTED)
    assert (told.evidence.kind, told.title) == ("confirmation_page", "Gardener")


async def test_a_last_step_without_any_field_sends_what_the_steps_before_it_held(planned, server: StandIn):
    page, _ = await planned("confirm")
    await page.click("#next")
    await page.click("#press")
    assert (await server.hears(SUBMITTED)).evidence.kind == "confirmation_page"


async def test_a_press_without_any_answer_is_asked_about_and_the_answer_counts(planned, server: StandIn):
    page, panel = await planned("nothing")
    await page.click("#press")
    await panel.bring_to_front()
    await panel.get_by_role("button", name="Yes, it was sent").click()
    assert (await server.hears(SUBMITTED)).evidence.kind == "person_said"


async def test_the_persons_submit_of_the_live_form_is_recorded(
    paired: Extension, page_server: PageServer, live_form: dict[str, Path], server: StandIn
):
    page_server.pages |= live_form
    page = await paired.context.new_page()
    await page.goto(page_server.url("/"))
    panel = await paired.open_panel_page(page)
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done")
    assert await page.evaluate("() => window.__submits") is None
    await page.bring_to_front()
    await page.get_by_role("button", name="Submit application").click()
    told = await server.hears(SUBMITTED)
    assert (told.evidence.kind, told.company, told.title) == ("trusted_submit", "Acme", "Backend Engineer")
    assert await page.evaluate("() => window.__submits") == 1
    assert len(server.told(SUBMITTED)) == 1
