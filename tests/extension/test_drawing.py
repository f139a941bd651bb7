"""Pages that are still being drawn, and fills that lose the page or the worker that ran them."""

import asyncio
import json

import pytest
from extension.planner import PERSON
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FORM = "<form><label>First name <input id=first></label><label>Email <input id=email></label></form>"
ROWS = """<title>Apply</title><form><label>Email <input id=email></label>
<fieldset><legend>Work experience</legend><div id=rows></div>
<button type=button>Add another</button></fieldset>
</form><script>
const add = () => rows.insertAdjacentHTML("beforeend", "<p><label>Company <input></label></p>");
document.querySelector("button").addEventListener("click", add);
add();
</script>"""


async def shown(extension: Extension, page_server: PageServer, html: str) -> tuple[Page, Page]:
    page_server.pages["/apply"] = html
    page = await extension.context.new_page()
    await page.goto(page_server.url("/apply"))
    return page, await extension.open_panel_page(page)


async def fill(panel: Page) -> None:
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done")


@pytest.mark.parametrize("first", ["", "<form><label>Phone <input id=phone></label></form>"])
async def test_fields_drawn_after_the_press_join_the_plan_by_themselves(
    paired: Extension, page_server: PageServer, first: str
):
    late = f"setTimeout(() => document.body.insertAdjacentHTML('beforeend', {json.dumps(FORM)}), 700)"
    page, panel = await shown(paired, page_server, f"<body>{first}<script>{late}</script>")
    expected = 3 if first else 2
    await expect(panel.locator("#planned").get_by_role("listitem")).to_have_count(expected)
    await fill(panel)
    assert await page.input_value("#email") == PERSON["email"]


async def test_fields_of_two_frames_are_counted_apart(paired: Extension, page_server: PageServer):
    page_server.pages["/inner"] = FORM
    page, panel = await shown(paired, page_server, f"{FORM}<iframe src='/inner'></iframe>")
    await expect(panel.locator("#planned").get_by_role("listitem")).to_have_count(4)
    await fill(panel)
    more = "document.forms[0].insertAdjacentHTML('beforeend', '<label>Last name <input></label>')"
    await page.evaluate(more)
    await expect(panel.locator("#grown")).to_contain_text("a new field")
    await page.frames[1].evaluate(more)
    await expect(panel.locator("#grown")).to_contain_text("2 new fields")


async def test_a_row_that_was_only_thought_of_is_not_listed(
    paired: Extension, page_server: PageServer, server: StandIn
):
    server.answers["Company"] = "Green Ltd"
    page, panel = await shown(paired, page_server, ROWS)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await fill(panel)
    rows = await page.locator("#rows p").count()
    assert rows > 1, "rows are added while the plan has something for them"
    await expect(panel.locator("#planned").get_by_role("listitem")).to_have_count(1 + rows)
    assert await page.locator("#rows input").evaluate_all("all => all.map((one) => one.value)") == (
        ["Green Ltd"] * rows
    )


async def test_a_fill_whose_frame_goes_away_has_an_end(paired: Extension, page_server: PageServer):
    page_server.pages["/inner"] = (
        FORM + "<script>document.addEventListener('input', () => parent.lose())</script>"
    )
    outer = "<form><label>Phone <input id=phone></label></form><iframe src='/inner'></iframe>"
    lose = "<script>lose = () => setTimeout(() => document.querySelector('iframe').remove())</script>"
    page, panel = await shown(paired, page_server, outer + lose)
    await expect(panel.locator("#planned").get_by_role("listitem")).to_have_count(3)
    await fill(panel)
    assert await page.input_value("#phone") == PERSON["phone"]
    await expect(panel.locator("#planned")).to_contain_text("could not be filled")


async def test_a_fill_whose_worker_ends_before_its_page_heard_of_it_has_an_end(
    paired: Extension, page_server: PageServer
):
    page, panel = await shown(paired, page_server, FORM)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    tab = await paired.tab_id(page)
    stuck = """async (key) => {
      const { [key]: state } = await chrome.storage.session.get(key);
      await chrome.storage.session.set({ [key]: { ...state, phase: "filling" } });
    }"""
    await paired.worker.evaluate(stuck, f"tab.{tab}")
    await expect(panel.get_by_role("button", name="Stop")).to_be_visible()
    await expect(panel.locator("#status")).to_contain_text("Done: 0 of")
    await fill(panel)  # what it waits for was said of the fill before, too
    await expect(page.locator("#email")).to_have_value(PERSON["email"])


FAILS_ONCE = """() => {
  const { executeScript } = chrome.scripting;
  chrome.scripting.executeScript = async () => {
    chrome.scripting.executeScript = executeScript;
    throw new Error("Frame with ID 0 was removed.");
  };
}"""


async def test_two_tabs_are_filled_at_once_also_one_just_put_in_place(
    paired: Extension, page_server: PageServer
):
    await paired.worker.evaluate(FAILS_ONCE)
    both = [await shown(paired, page_server, FORM) for _ in range(2)]
    for _, panel in both:
        await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await asyncio.gather(*(fill(panel) for _, panel in both))
    assert [await page.input_value("#email") for page, _ in both] == [PERSON["email"]] * 2
