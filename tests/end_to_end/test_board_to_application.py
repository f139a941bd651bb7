"""From a board's address to a posting somebody saved and applied for: real processes, a captured board."""

import asyncio
import re
from pathlib import Path

import pytest
import pytest_asyncio
from emulators.boards import Boards
from fixtures.installation import Installation
from playwright.async_api import Browser, BrowserContext, expect

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.asyncio(loop_scope="session")]

BOARD = "WunderGraph"


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser):
    made = await browser.new_context()
    made.set_default_timeout(15_000)
    yield made
    await made.close()


@pytest.mark.timeout(120)
async def test_a_captured_board_becomes_postings_one_of_which_is_applied_for(
    installation: Installation, boards: Boards, shared_data: Path, context: BrowserContext
):
    counts = boards.show_captured(shared_data / "ats" / "ashby")
    [board] = [name for name in counts if name.endswith(BOARD)]
    installation.settings |= {
        "JOBTRAIL_SOURCE_GATEWAY": boards.url,
        "JOBTRAIL_SOURCE_ALLOW_PRIVATE_ADDRESSES": "true",
    }
    site = await asyncio.to_thread(installation.start)
    added = await asyncio.to_thread(
        installation.command, "source", "add", f"https://jobs.ashbyhq.com/{board}", "--company", "WunderGraph"
    )
    assert added.returncode == 0, added.stderr

    page = await context.new_page()
    await page.goto(site)
    await page.get_by_label("Your name").fill("Kim")
    await page.get_by_label("E-mail address").fill("kim@example.org")
    await page.get_by_label("Password").fill("a long enough pass")
    await page.get_by_role("button", name="Make the account").click()

    await page.goto(f"{site}/postings")
    await expect(page.get_by_role("main")).to_contain_text("WunderGraph", timeout=20_000)
    rows = page.locator("[data-row]")
    links = rows.locator('a[href*="/postings/"]').filter(has_text=re.compile(r"\w"))
    await expect(rows).to_have_count(counts[board])

    title = await links.first.inner_text()
    await links.first.click()
    await page.get_by_role("button", name="Save", exact=False).first.click()
    await expect(page.get_by_role("button", name="Unsave")).to_be_visible()
    await page.get_by_role("button", name="I applied").click()
    await page.goto(f"{site}/applications")
    row = page.locator("[data-row]").filter(has_text=title)
    await expect(row).to_contain_text("WunderGraph")
