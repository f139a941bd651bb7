"""What the person decides in the panel: suggestions, drafts, what is remembered and saved, which sites."""

import pytest
import pytest_asyncio
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WHY = "Why do you want to work here?"
FORM = f"""<!doctype html><title>Apply for Gardener at Green Ltd</title><h1>Gardener</h1>
<form><label>First name <input id="first"></label><label>Email <input id="email"></label>
<label>Notice period <input id="notice"></label><label>Favourite tool <input id="tool"></label>
<label>{WHY} <textarea id="why"></textarea></label>
<label><input type="checkbox" id="terms"> I agree to the terms and conditions</label>
<label>National insurance number <input id="secret"></label></form>
<button onclick="document.forms[0].insertAdjacentHTML('beforeend',
  '<label>Last name <input id=last></label><label>Phone <input id=phone></label>')">Next</button>"""


@pytest_asyncio.fixture(loop_scope="session")
async def opened(paired: Extension, page_server: PageServer, server: StandIn) -> tuple[Page, Page]:
    server.plans = {
        "Notice period": {"action": "suggest", "value": "One month", "source": "answer", "confidence": 0.8},
        "Favourite tool": {"may_be_remembered": True, "reason": "not_understood"},
        WHY: {"reason": "own_words", "source": None},
        "National insurance number": {"reason": "government_id"},
    }
    page_server.pages["/apply"] = FORM
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet. 2 fields")
    return page, panel


async def fill(panel: Page) -> None:
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done")


async def test_a_suggestion_is_written_only_after_it_was_accepted(opened: tuple[Page, Page]):
    page, panel = opened
    await fill(panel)
    assert await page.input_value("#first") == "Morgan"
    assert await page.input_value("#notice") == ""
    await panel.get_by_role("checkbox", name="Notice period").focus()
    await panel.keyboard.press("Space")
    await panel.get_by_role("button", name="Fill again").click()
    await expect(panel.locator("#suggested")).to_contain_text("filled and verified")
    assert await page.input_value("#notice") == "One month"


async def test_guarded_fields_are_led_to_and_what_was_typed_leaves_the_page_only_when_ticked(
    opened: tuple[Page, Page], server: StandIn
):
    page, panel = opened
    guarded = panel.get_by_role("region", name="Yours alone")
    await guarded.get_by_role("button", name="Show “National insurance number” in the page").click()
    await page.bring_to_front()
    await page.wait_for_function("() => document.activeElement.id === 'secret'")
    await page.locator("#tool").press_sequentially("Sickle")
    await page.locator("#why").press_sequentially("Mine alone")
    await page.locator("#secret").press_sequentially("hunter2")
    box = panel.get_by_role("region", name="Remember these answers?")
    await expect(box.get_by_role("checkbox")).to_have_count(1)
    await expect(box.get_by_role("checkbox", name="Favourite tool")).not_to_be_checked()
    await panel.bring_to_front()
    await box.get_by_role("button", name="Remember these answers").click()
    assert not any(word in repr(server.asked) for word in ("Sickle", "Mine alone", "hunter2"))
    await box.get_by_role("checkbox", name="Favourite tool").check()
    await box.get_by_label("Use them").select_option("employer")
    await box.get_by_role("button", name="Remember these answers").click()
    await expect(panel.locator("#remembered")).to_have_text("1 answers remembered.")
    [told] = server.told("/answers")
    assert (told.field.label, told.given, told.scope) == ("Favourite tool", ["Sickle"], "employer")
    assert not any(word in repr(server.asked) for word in ("Mine alone", "hunter2"))


async def test_a_draft_is_asked_for_edited_accepted_and_filled(opened: tuple[Page, Page], server: StandIn):
    page, panel = opened
    drafts = panel.get_by_role("region", name="Your own words")
    await drafts.get_by_role("button", name="Have a draft written").click()
    await expect(drafts).to_contain_text("Written by a machine; please read it before you accept it")
    await expect(drafts.get_by_role("status")).to_have_text("16 of 400 characters")
    assert server.told("/drafts")[0].question == WHY
    await fill(panel)
    assert await page.input_value("#why") == ""

    # It changed meanwhile: both texts are shown, and the person's own stays.
    await drafts.get_by_role("textbox").fill("Because I like moss.")
    server.draft |= {"generation": 2, "text": "Written elsewhere."}
    await drafts.get_by_role("button", name="Save for later").click()
    await expect(drafts.get_by_role("alert")).to_contain_text("Written elsewhere.")
    await expect(drafts.get_by_role("textbox")).to_have_value("Because I like moss.")
    assert server.draft["text"] == "Written elsewhere."
    await drafts.get_by_role("button", name="Save for later").click()
    await expect(drafts.get_by_role("alert")).to_have_count(0)
    assert server.draft["text"] == "Because I like moss."

    await drafts.get_by_role("button", name="Accept").click()
    await expect(drafts).to_contain_text("Accepted")
    await panel.get_by_role("button", name="Fill again").click()
    await expect(panel.locator("#planned")).to_contain_text("Because I like moss.")
    await page.wait_for_function("() => document.getElementById('why').value === 'Because I like moss.'")


async def test_fields_that_appear_are_told_and_read_on_a_press(opened: tuple[Page, Page], server: StandIn):
    page, panel = opened
    await fill(panel)
    await page.get_by_role("button", name="Next").click()
    await expect(panel.locator("#grown")).to_contain_text("2 new fields")
    assert len(server.told("/resolve")) == 1
    await panel.get_by_role("button", name="Read the new fields").click()
    await expect(panel.locator("#planned").get_by_role("listitem")).to_have_count(4)
    await expect(panel.locator("#planned")).to_contain_text("filled and verified")
    await fill(panel)
    assert await page.input_value("#last") == "Reyes"


async def test_the_posting_is_saved_and_the_button_marked(
    opened: tuple[Page, Page], paired: Extension, server: StandIn
):
    page, panel = opened
    await panel.get_by_role("button", name="Save this posting").click()
    await expect(panel.locator("#known")).to_contain_text("You saved this posting.")
    [told] = server.told("/postings")
    assert (told.title, told.company) == ("Gardener", "Green Ltd")
    badge = "async (tabId) => chrome.action.getBadgeText({ tabId })"
    tab = await paired.tab_id(page)
    assert await paired.worker.evaluate(badge, tab) == "★"
    await page.goto(page.url + "?other")
    assert await paired.worker.evaluate(badge, tab) == ""


async def test_what_is_known_of_the_page_is_said(paired: Extension, page_server: PageServer, server: StandIn):
    server.context |= {
        "posting": {"id": 1, "title": "Gardener", "company": "Green Ltd", "closed_at": None},
        "application": {"id": 2, "applied_at": "2027-01-05T10:00:00Z"},
        "form": {"fills": 3, "last_filled_at": "2027-01-04T10:00:00Z", "submitted_at": None},
    }
    page_server.pages["/apply"] = FORM
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    known = panel.locator("#known")
    await expect(known).to_contain_text("You applied here on Jan 5, 2027.")
    await expect(known).to_contain_text("Your catalog knows this posting: Green Ltd.")
    await expect(known).to_contain_text("You filled this form 3 times, last on Jan 4, 2027.")


async def test_on_a_site_that_is_switched_off_nothing_is_asked(
    paired: Extension, page_server: PageServer, server: StandIn
):
    options = await paired.open("options/options.html")
    await options.get_by_label("Host name").fill("127.0.0.1")
    await options.get_by_role("button", name="Switch off there").click()
    await expect(options.locator("#sites")).to_contain_text("127.0.0.1")
    await options.get_by_label("facts of your profile").uncheck()
    page_server.pages["/apply"] = FORM
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await expect(panel.get_by_role("alert")).to_contain_text("switched off for this site")
    assert not server.told("/resolve")
    await panel.get_by_role("button", name="Switch on for this site").click()
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet. 0 fields")
    await expect(panel.get_by_role("checkbox", name="First name")).not_to_be_checked()


async def test_the_greeting_has_three_steps_and_can_be_skipped(extension: Extension):
    page = await extension.open("welcome/welcome.html")
    await expect(page.get_by_role("status").first).to_have_text("Step 1 of 3")
    await page.get_by_role("button", name="Next").click()
    await expect(page.get_by_role("heading", name="Pair it with your server")).to_be_focused()
    async with page.expect_event("close"):
        # The page may be gone before a click of the driver's own has heard that it was made.
        await page.get_by_role("button", name="Skip").evaluate("skip => setTimeout(() => skip.click())")
