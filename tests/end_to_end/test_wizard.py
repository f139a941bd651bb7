"""The packed extension through a hiring wizard, against the real processes, to the confirmation's mail.

A person types while it fills, takes a fill back, goes from step to step, sends the form by hand while
the server is away, and finds the application and the mail about it on the pages.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from end_to_end.letters import letter
from end_to_end.person import Person
from fixtures.browser import launch_extension
from fixtures.extension_browser import Extension
from fixtures.installation import Installation
from fixtures.page_server import PageServer
from playwright.async_api import Page, Playwright, expect

from extension_api.packing import unpack

pytestmark = [
    pytest.mark.browser,
    pytest.mark.process,
    pytest.mark.timeout(240),
    pytest.mark.asyncio(loop_scope="session"),
]

LIVE = Path(__file__).parents[1] / "extension" / "live"
NEXT = "[data-automation-id='pageFooterNextButton']"


@pytest_asyncio.fixture(loop_scope="session")
async def packed(
    playwright_driver: Playwright, chromium: str, tmp_path: Path
) -> AsyncGenerator[Extension, None]:
    """A browser of its own with what the store's zip holds."""
    folder = unpack("chromium", tmp_path / "packed")
    context = await launch_extension(playwright_driver, chromium, tmp_path / "profile", folder)
    yield await Extension.found_in(context)
    await context.close()


async def state(form: Page) -> dict[str, str]:
    return await form.evaluate("() => window.__state")


async def next_step(form: Page, panel: Page, title: str) -> None:
    """The person goes on; the panel says that the page is another, and reads it when asked."""
    await form.bring_to_front()
    await form.click(NEXT)
    await expect(form.locator("#title")).to_have_text(title)
    await panel.bring_to_front()
    await panel.locator("#read-fresh, #read").locator("visible=true").first.click()
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet", timeout=20_000)


async def test_a_wizard_is_filled_step_by_step_and_its_mail_finds_the_application(
    installation: Installation, packed: Extension, page_server: PageServer, tmp_path: Path
):
    installation.settings["JOBTRAIL_HTTP_PORT"] = "0"
    site = await asyncio.to_thread(installation.start)
    installation.settings["JOBTRAIL_HTTP_PORT"] = site.rpartition(":")[2]
    morgan = Person(packed, await packed.context.new_page(), site)
    await morgan.make_account()
    await morgan.bring_profile(tmp_path)
    await morgan.pair_browser()
    page_server.pages["/careers/"] = LIVE

    form, panel = await morgan.open_form(page_server.url("/careers/workday.html"))
    await a_fill_is_taken_back_and_a_persons_words_stay(form, panel, morgan)

    await next_step(form, panel, "My Experience")
    await morgan.fill(panel)
    assert (await state(form))["work-0--companyName"] == "Acme Ltd"
    assert (await state(form))["resume"] == "morgan-reyes.pdf"

    await form.bring_to_front()
    await form.click(NEXT)
    await form.click(NEXT)
    await expect(form.locator("#title")).to_have_text("Voluntary Disclosures")
    await form.click(NEXT)
    await expect(form.locator("#title")).to_have_text("Review")
    assert await form.evaluate("() => window.__submits") == 0

    await asyncio.to_thread(installation.stop)
    await form.click(NEXT)
    assert await form.evaluate("() => window.__submits") == 1
    await expect(panel.locator("#questions")).to_contain_text(
        "as soon as your server answers", timeout=20_000
    )
    await asyncio.to_thread(installation.start)
    await expect(panel.locator("#questions")).to_contain_text("Noted as applied", timeout=30_000)
    await the_confirmation_finds_the_application(morgan, installation, tmp_path)


async def a_fill_is_taken_back_and_a_persons_words_stay(form: Page, panel: Page, morgan: Person) -> None:
    city = "[id='address--city']"
    await form.fill(city, "Bristol")
    await panel.bring_to_front()
    await panel.get_by_role("button", name="Fill").click()
    # As soon as the first field is in, and long before the last: the person corrects one that comes later.
    await form.wait_for_function("() => window.__state['legalName--firstName']")
    await form.fill("[id='phoneNumber--phoneNumber']", "020 7946 0000")
    await expect(panel.locator("#status")).to_contain_text("Done", timeout=30_000)
    filled = await state(form)
    assert filled["legalName--firstName"] == "Morgan"
    assert filled["address--country"] == "United Kingdom"
    assert (filled["address--city"], filled["phoneNumber--phoneNumber"]) == ("Bristol", "020 7946 0000")

    await panel.get_by_role("button", name="Undo").click()
    await expect(panel.locator("body")).to_contain_text("put back", timeout=20_000)
    undone = await state(form)
    assert not undone.get("legalName--firstName")
    assert (undone["address--city"], undone["phoneNumber--phoneNumber"]) == ("Bristol", "020 7946 0000")
    await panel.locator("#read").click()
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet", timeout=20_000)
    await morgan.fill(panel)
    assert (await state(form))["legalName--firstName"] == "Morgan"


async def the_confirmation_finds_the_application(
    morgan: Person, installation: Installation, folder: Path
) -> None:
    page = await morgan.visit("/applications")
    rows = page.locator("tr, li").filter(has_text="Engineer")
    await expect(rows).to_have_count(1, timeout=15_000)
    mail = letter(
        folder,
        "receipt",
        sender="Workday Example <workdayexample@myworkday.com>",
        subject="Thank you for applying to Workday Example",
        text="Hello Morgan,\n\nwe have received your application for Engineer at Workday Example.\n",
    )
    done = await asyncio.to_thread(installation.command, "mail", "import", str(mail))
    assert done.returncode == 0, done.stderr
    await rows.first.get_by_role("link").first.click()
    await expect(page.get_by_role("main")).to_contain_text(
        re.compile("we have received your application", re.IGNORECASE), timeout=20_000
    )
