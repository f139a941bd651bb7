"""The extension's own pages have no fault that axe finds, in light and in dark, before and after a fill."""

from pathlib import Path

import pytest
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


async def faults(page: Page, npm_folder: Path) -> list[str]:
    """In light and in dark."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate((npm_folder / "node_modules" / "axe-core" / "axe.min.js").read_text())
    found: list[str] = []
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        shown = await page.evaluate("(tags) => axe.run({ runOnly: tags })", RULES)
        found += [
            f"{scheme}, {one['id']}: {node['html']}" for one in shown["violations"] for node in one["nodes"]
        ]
    return found


async def test_the_panel_has_no_fault(
    paired: Extension, page_server: PageServer, server: StandIn, npm_folder: Path
):
    page_server.pages["/apply"] = """<title>Apply</title><form><label>Email <input></label>
      <label>Phone <input></label><label><input type=checkbox> I agree to the terms</label></form>"""
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await panel.set_viewport_size({"width": 360, "height": 700})
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    assert await faults(panel, npm_folder) == []
    server.go()
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.get_by_role("alert")).to_be_visible()
    assert await faults(panel, npm_folder) == []


async def test_the_options_page_has_no_fault(extension: Extension, npm_folder: Path):
    options = await extension.open("options/options.html")
    await options.get_by_role("button", name="Pair").click()
    await expect(options.get_by_role("alert")).to_be_visible()
    assert await faults(options, npm_folder) == []


@pytest.mark.parametrize("path", ["welcome/welcome.html", "privacy/privacy.html"])
async def test_the_greeting_and_the_privacy_page_have_no_fault(
    extension: Extension, npm_folder: Path, path: str
):
    shown = await extension.open(path)
    await expect(shown.get_by_role("heading", level=1)).not_to_be_empty()
    assert await faults(shown, npm_folder) == []
    while (
        (onward := shown.locator("#next"))
        and await onward.count()
        and await shown.locator("#skip").is_visible()
    ):
        await onward.click()
        assert await faults(shown, npm_folder) == []


async def test_the_panel_with_a_draft_and_what_may_be_remembered_has_no_fault(
    paired: Extension, page_server: PageServer, server: StandIn, npm_folder: Path
):
    why = "Why do you want to work here?"
    server.plans = {why: {"reason": "own_words", "source": None}, "Tool": {"may_be_remembered": True}}
    server.plans["Notice"] = {"action": "suggest", "value": "One month", "source": "answer"}
    page_server.pages["/apply"] = f"""<title>Apply</title><form><label>Email <input></label>
      <label>Tool <input id="tool"></label><label>Notice <input></label>
      <label>{why} <textarea></textarea></label></form>"""
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    await panel.set_viewport_size({"width": 360, "height": 900})
    drafts = panel.locator("#drafts")
    await drafts.get_by_role("button", name="Have a draft written").click()
    await expect(drafts.get_by_role("textbox")).to_have_value("A first version.")
    await page.bring_to_front()
    await page.locator("#tool").press_sequentially("Spade")
    await panel.bring_to_front()
    await expect(panel.locator("#changed")).to_contain_text("Tool")
    assert await faults(panel, npm_folder) == []
    server.draft |= {"generation": 7, "text": "Written elsewhere."}
    await drafts.get_by_role("textbox").fill("My own.")
    await drafts.get_by_role("button", name="Save for later").click()
    await expect(drafts.get_by_role("alert")).to_be_visible()
    assert await faults(panel, npm_folder) == []
