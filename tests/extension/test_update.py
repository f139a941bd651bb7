"""The extension is updated while a page is being filled: the old instance lets go, the new one goes on."""

import pytest
from extension.conftest import EXTENSION
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SLOW = ("Country", "Region", "Town")
"""Lists that never load: each holds the fill for four seconds, which all that happens meanwhile fits into."""
LISTS = "".join(
    f"""<label for="{name}">{name}</label>
    <input id="{name}" class="slow" role="combobox" aria-haspopup="listbox" aria-expanded="false"
      aria-controls="{name}-list"><ul id="{name}-list" role="listbox" hidden><li>Loading</ul>"""
    for name in SLOW
)
FORM = f"""<!doctype html><title>Apply</title><form><label>First name <input id="first"></label>{LISTS}
  <label>Last name <input id="last"></label><label>Email <input id="email"></label></form>
  <script>
    window.written = [];
    for (const slow of document.querySelectorAll(".slow")) {{
      const show = (on) => {{
        slow.nextElementSibling.hidden = !on;
        slow.setAttribute("aria-expanded", String(on));
      }};
      slow.addEventListener("mousedown", () => show(true));
      slow.addEventListener("blur", () => show(false));
    }}
    addEventListener("input", ({{ target }}) => written.push(target.id), true);
  </script>"""
IS_SLOW = "() => [...document.querySelectorAll('.slow')].some((one) => one.value !== '')"
IS_LEFT = "() => [...document.querySelectorAll('.slow')].every((one) => one.value === '')"


async def reload(extension: Extension) -> None:
    """As an update does: every page of the extension closes, and what it had in pages is left alone."""
    async with extension.context.expect_event("serviceworker"):
        await extension.browser.send("Extensions.loadUnpacked", {"path": str(EXTENSION)})


async def test_an_update_in_the_middle_of_a_fill_leaves_nobody_writing_and_the_next_goes_on(
    paired: Extension, page_server: PageServer, server: StandIn
):
    page_server.pages["/apply"] = FORM
    server.answers |= dict.fromkeys(SLOW, "Portugal")
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await panel.get_by_role("button", name="Fill").click()
    await page.wait_for_function(IS_SLOW)
    await panel.get_by_role("button", name="Pause").click()
    await expect(panel.locator("#status")).to_contain_text("Paused")
    await panel.get_by_role("button", name="Go on").click()
    await expect(panel.locator("#status")).not_to_contain_text("Paused")
    await reload(paired)
    await page.wait_for_function(IS_LEFT)
    panel = await paired.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    assert await page.evaluate("() => [first.value, last.value, email.value]") == ["Morgan", "", ""]
    for name in SLOW:
        await panel.get_by_role("checkbox", name=name).uncheck()
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done: 2 of 2")
    written = await page.evaluate("() => written.filter((one) => one === one.toLowerCase())")
    assert written == ["first", "last", "email"]
    assert len((await server.hears("/fills/2")).fields) == 6
