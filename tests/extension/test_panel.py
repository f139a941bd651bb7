"""The extension as it ships: its toolbar button opens a page to it, its panel plans, fills and undoes."""

from pathlib import Path

import pytest
import pytest_asyncio
from extension.planner import PERSON
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

from extension_api.protocol import FillReport, Resolve

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def live_page(paired: Extension, page_server: PageServer, live_form: dict[str, Path]) -> Page:
    page_server.pages |= live_form
    page = await paired.context.new_page()
    await page.goto(page_server.url("/"))
    await page.wait_for_selector("#application-form")
    return page


async def filled(panel: Page) -> None:
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done")


async def state(page: Page) -> dict[str, str]:
    return {name: value for name, value in (await page.evaluate("() => window.__state")).items() if value}


async def test_before_a_click_on_the_toolbar_a_page_stays_closed_and_nothing_leaves_it(
    paired: Extension, live_page: Page, server: StandIn
):
    await live_page.fill("#first_name", "Mo")
    panel = await paired.open(f"panel/panel.html?tab={await paired.tab_id(live_page)}")
    await expect(panel.locator("#status")).to_have_text("Nothing was read yet.")
    assert not server.told("/resolve")
    await panel.get_by_role("button", name="Read this form").click()
    await expect(panel.get_by_role("alert")).to_contain_text("only after you press its button")
    assert not server.told("/resolve")


async def test_the_toolbar_button_opens_the_side_panel(paired: Extension, live_page: Page):
    tab = await paired.click_toolbar_button(live_page, opens_beside=True)
    assert await paired.shows(f"panel/panel.html?tab={tab}")


async def test_a_plan_is_shown_filled_verified_reported_and_taken_back(
    paired: Extension, live_page: Page, server: StandIn
):
    panel = await paired.open_panel_page(live_page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet. 10 fields can be filled")
    row = panel.get_by_role("listitem").filter(has_text="Phone")
    await expect(row).to_contain_text(PERSON["phone"])
    await expect(row).to_contain_text("from your profile")
    assert await state(live_page) == {}

    await filled(panel)
    assert (await state(live_page))["candidate-location"] == "London, England, United Kingdom"
    assert (await state(live_page))["resume"] == PERSON["resume"]
    await expect(panel.get_by_text("filled and verified", exact=False)).to_have_count(11)
    report: FillReport = await server.hears("/fills/1")
    assert {one.outcome for one in report.fields} == {"filled", "left"}
    assert len(report.fields) == 19

    await panel.get_by_role("button", name="Undo everything").click()
    row = panel.get_by_role("listitem").filter(has_text="Email")
    await expect(row).to_contain_text("put back")
    assert not {"email", "phone", "resume"} & (await state(live_page)).keys()


async def test_only_words_of_the_form_are_sent_never_a_value_and_what_is_unticked_is_left_out(
    paired: Extension, live_page: Page, server: StandIn
):
    await live_page.fill("#q_essay", "A secret of mine")
    await live_page.fill("#first_name", "Zaphod")
    panel = await paired.open_panel_page(live_page)
    await panel.get_by_role("checkbox", name="Phone").uncheck()
    await filled(panel)
    row = panel.get_by_role("listitem").filter(has_text="Phone")
    await expect(row).to_contain_text("you left it out")
    assert "phone" not in await state(live_page)
    everything = repr(server.asked)
    assert "A secret of mine" not in everything and "Zaphod" not in everything
    assert "<" not in everything.replace("<extension", "")
    asked: Resolve = server.told("/resolve")[0]
    assert {one.name for one in asked.fields if one.has_value} == {"first_name", "q_essay"}
    assert server.origins == {f"chrome-extension://{paired.id}"}


async def test_the_worker_may_end_at_any_moment(paired: Extension, live_page: Page):
    panel = await paired.open_panel_page(live_page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await paired.stop_worker()
    await filled(panel)
    assert (await state(live_page))["email"] == PERSON["email"]


async def test_content_scripts_cannot_read_the_token(paired: Extension, live_page: Page):
    panel = await paired.open_panel_page(live_page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    session = await paired.context.new_cdp_session(live_page)
    worlds: list[int] = []
    session.on(
        "Runtime.executionContextCreated",
        lambda event: (
            worlds.append(event["context"]["id"])
            if event["context"]["auxData"].get("type") == "isolated"
            and paired.id in event["context"]["origin"]
            else None
        ),
    )
    await session.send("Runtime.enable")
    assert worlds
    asked = await session.send(
        "Runtime.evaluate",
        {
            "expression": "chrome.storage.local.get().then(() => 'open', () => 'closed')",
            "contextId": worlds[-1],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    assert asked["result"]["value"] == "closed"


async def test_a_page_that_forbids_every_script_can_still_be_filled(
    paired: Extension, page_server: PageServer
):
    page_server.headers["Content-Security-Policy"] = (
        "default-src 'none'; sandbox allow-forms allow-same-origin"
    )
    page_server.pages["/strict"] = '<form><label>Email <input id="email"></label></form>'
    page = await paired.context.new_page()
    await page.goto(page_server.url("/strict"))
    panel = await paired.open_panel_page(page)
    await filled(panel)
    assert await page.input_value("#email") == PERSON["email"]


async def test_a_form_in_a_frame_of_the_same_site_is_part_of_the_page(
    paired: Extension, page_server: PageServer
):
    page_server.pages["/frame"] = '<form><label>Email <input id="email"></label></form>'
    page_server.pages["/outer"] = (
        '<h1>Job</h1><form><label>Phone <input id="phone"></label></form><iframe src="/frame">'
    )
    page = await paired.context.new_page()
    await page.goto(page_server.url("/outer"))
    panel = await paired.open_panel_page(page)
    await filled(panel)
    assert await page.input_value("#phone") == PERSON["phone"]
    assert await page.frames[1].input_value("#email") == PERSON["email"]


EDITOR = (
    "<!doctype html><body contenteditable=true aria-label='Rich Text Area. Press ALT-0 for help.'><p><br></p>"
)


async def test_an_editor_in_a_frame_is_called_by_the_box_it_stands_for(
    paired: Extension, page_server: PageServer, server: StandIn
):
    server.answers["Why do you want to work here?"] = 'It is near, and "real" <b>work</b>.'
    page_server.pages["/apply"] = f"""<form><label>Email <input id="email"></label>
      <label for="why">Why do you want to work here?</label>
      <textarea id="why" style="display: none"></textarea>
      <iframe id="why_ifr" title="Rich Text Area" srcdoc="{EDITOR}"></iframe></form>"""
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await filled(panel)
    assert await page.frames[1].locator("body").inner_text() == 'It is near, and "real" <b>work</b>.'


async def test_a_page_with_an_address_longer_than_any_server_takes_is_read(
    paired: Extension, page_server: PageServer
):
    page_server.pages["/apply"] = '<form><label>Email <input id="email"></label></form>'
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply") + "#" + "a" * 6000)
    await filled(await paired.open_panel_page(page))
    assert await page.input_value("#email") == PERSON["email"]


async def test_a_form_embedded_from_a_platform_is_offered_to_be_opened(
    paired: Extension, page_server: PageServer
):
    page_server.pages["/careers"] = (
        '<h1>Jobs</h1><iframe src="https://boards.greenhouse.io/embed/job"></iframe>'
    )
    page = await paired.context.new_page()
    await page.route("https://**", lambda route: route.abort())
    await page.goto(page_server.url("/careers"))
    panel = await paired.open_panel_page(page)
    await expect(panel.get_by_role("alert")).to_contain_text("No application form was found")
    await expect(panel.get_by_role("button", name="Allow reading forms on greenhouse.io")).to_be_visible()


async def test_everything_can_be_done_by_keyboard(paired: Extension, live_page: Page):
    panel = await paired.open_panel_page(live_page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await panel.keyboard.press("Tab")
    await expect(panel.get_by_role("button", name="Fill 10 fields")).to_be_focused()
    await panel.keyboard.press("Enter")
    await expect(panel.locator("#status")).to_contain_text("Done")
    assert await panel.evaluate("() => document.activeElement.tagName") == "BUTTON"
    assert (await state(live_page))["email"] == PERSON["email"]


async def test_the_panel_speaks_the_language_that_was_chosen(extension: Extension):
    options = await extension.open("options/options.html")
    await options.get_by_label("Language", exact=True).select_option(label="Deutsch")
    await expect(options.get_by_role("heading", level=1)).to_have_text("Jobtrail-Einstellungen")
    panel = await extension.open("panel/panel.html?tab=1")
    await expect(panel.get_by_role("button", name="Formular lesen")).to_be_visible()
    await options.get_by_label("Sprache", exact=True).select_option(label="Français")
    await panel.reload()
    await expect(panel.get_by_role("button", name="Lire ce formulaire")).to_be_visible()


async def test_what_is_not_read_and_what_the_page_does_not_accept_is_told(
    paired: Extension, page_server: PageServer, server: StandIn
):
    more = "".join(f"<p><label>Question {n} <input></label></p>" for n in range(310))
    page_server.pages["/long"] = f"""<form><label>Phone <input id="phone"></label>{more}</form>
      <script>phone.onchange = () => phone.setCustomValidity("Not a number of ours")</script>"""
    page = await paired.context.new_page()
    await page.goto(page_server.url("/long"))
    panel = await paired.open_panel_page(page)
    await filled(panel)
    await expect(panel.locator("#beyond")).to_contain_text("11 more fields")
    row = panel.get_by_role("listitem").filter(has_text="Phone")
    await expect(row).to_contain_text("does not accept it: Not a number of ours")
    report: FillReport = await server.hears("/fills/1")
    assert (report.fields[0].outcome, report.fields[0].detail) == ("refused", "page_refuses")
    assert len(report.fields) == 300 and "ours" not in repr(server.asked)
