"""The extension is updated while a page is being filled: the old instance lets go, the new one goes on."""

import pytest
from extension.conftest import EXTENSION
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SLOW = """<label for="slow">Country</label><input id="slow" role="combobox" aria-haspopup="listbox"
  aria-controls="list" aria-expanded="false"><ul id="list" role="listbox" hidden><li>Loading</li></ul>"""
FORM = f"""<!doctype html><title>Apply</title><form><label>First name <input id="first"></label>{SLOW}
  <label>Last name <input id="last"></label><label>Email <input id="email"></label></form>
  <script>
    window.written = [];
    const show = (on) => {{ list.hidden = !on; slow.setAttribute("aria-expanded", String(on)); }};
    slow.addEventListener("mousedown", () => show(true));
    slow.addEventListener("blur", () => show(false));
    addEventListener("input", ({{ target }}) => written.push(target.id), true);
  </script>"""


async def reload(extension: Extension) -> None:
    """As an update does: every page of the extension closes, and what it had in pages is left alone."""
    async with extension.context.expect_event("serviceworker"):
        await extension.browser.send("Extensions.loadUnpacked", {"path": str(EXTENSION)})


async def test_an_update_in_the_middle_of_a_fill_leaves_nobody_writing_and_the_next_goes_on(
    paired: Extension, page_server: PageServer, server: StandIn
):
    page_server.pages["/apply"] = FORM
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await panel.get_by_role("button", name="Fill").click()
    await page.wait_for_function("() => document.getElementById('slow').value !== ''")
    await panel.get_by_role("button", name="Pause").click()
    await expect(panel.locator("#status")).to_contain_text("Paused")
    await panel.get_by_role("button", name="Go on").click()
    await expect(panel.locator("#status")).not_to_contain_text("Paused")
    await reload(paired)
    await page.wait_for_function("() => document.getElementById('slow').value === ''")
    panel = await paired.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    assert await page.evaluate("() => [first.value, last.value, email.value]") == ["Morgan", "", ""]
    await panel.get_by_role("checkbox", name="Country").uncheck()
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done: 2 of 2")
    written = await page.evaluate("() => written.filter((one) => one !== 'slow')")
    assert written == ["first", "last", "email"]
    assert len((await server.hears("/fills/2")).fields) == 4
