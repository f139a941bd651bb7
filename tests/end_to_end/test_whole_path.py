"""From an empty home to a filled form and a matched message, as one person lives it.

Real processes (`jobtrail up`), a real Chromium with the extension as it lies in `extension/`, a live form
built from React, and mail imported by the command line.
"""

import asyncio
import re
from pathlib import Path

import pytest
from end_to_end.letters import confirmation, doubtful_refusal
from end_to_end.person import Person
from fixtures.extension_browser import Extension
from fixtures.installation import Installation
from fixtures.page_server import PageServer
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.asyncio(loop_scope="session")]

# What the live form holds in its own state once the plain facts and the résumé are in.
EXPECTED = {
    "first_name": "Morgan",
    "last_name": "Reyes",
    "email": "morgan.reyes@example.com",
    "phone": "+44 7700 900123",
    "country": "United Kingdom",
    "question_37197588002": "https://linkedin.com/in/morgan-reyes-example",
    "question_37197590002": "United Kingdom",
    "candidate-location": "London, England, United Kingdom",
    "resume": "morgan-reyes.pdf",
}
NEVER = {"gender", "hispanic_ethnicity", "veteran_status", "disability_status", "q_essay"}


async def mail_import(installation: Installation, path: Path) -> str:
    done = await asyncio.to_thread(installation.command, "mail", "import", str(path))
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.timeout(180)
async def test_from_an_empty_home_to_a_matched_message(
    installation: Installation,
    extension: Extension,
    page_server: PageServer,
    live_form: dict[str, Path],
    tmp_path: Path,
):
    site = await asyncio.to_thread(installation.start)
    morgan = Person(extension, await extension.context.new_page(), site)
    await morgan.make_account()
    await morgan.bring_profile(tmp_path)
    await morgan.pair_browser()

    page_server.pages |= live_form
    form, panel = await morgan.open_form(page_server.url("/"))
    await morgan.fill(panel)
    state = await form.evaluate("() => window.__state")
    assert {name: state.get(name) for name in EXPECTED} == EXPECTED
    assert not NEVER & {name for name, value in state.items() if value}
    assert await form.evaluate("() => window.__submits") is None
    await expect(panel.get_by_role("listitem").filter(has_text="Email")).to_contain_text(
        "filled and verified"
    )

    await form.bring_to_front()
    await form.get_by_role("button", name="Submit application").click()
    assert await form.evaluate("() => window.__submits") == 1
    await morgan.visit("/applications")
    rows = morgan.desk.locator("tr, li").filter(has_text="Backend Engineer")
    await expect(rows.first).to_contain_text("Acme", timeout=15_000)

    letters = tmp_path / "letters"
    letters.mkdir()
    assert "1" in await mail_import(installation, confirmation(letters))
    await rows.first.get_by_role("link").first.click()
    timeline = morgan.desk.get_by_role("main")
    await expect(timeline).to_contain_text("Thank you for applying", timeout=20_000)
    await expect(timeline).to_contain_text("We have received your application")

    await a_doubtful_message_waits_and_is_settled(morgan, installation, letters)


async def a_doubtful_message_waits_and_is_settled(
    morgan: Person, installation: Installation, letters: Path
) -> None:
    await morgan.visit("/applications/new")
    await morgan.desk.get_by_label("Company").fill("Acme")
    await morgan.desk.get_by_label(re.compile("Role|Title")).fill("Data Analyst")
    await morgan.desk.locator("main form button").first.click()
    await mail_import(installation, doubtful_refusal(letters))

    await morgan.visit("/review")
    page = morgan.desk
    await expect(page.get_by_role("main")).to_contain_text("Your application to Acme", timeout=20_000)
    await expect(page.locator("mark").first).to_be_visible()
    first = page.locator(".candidates > li").filter(has_text="Backend Engineer")
    await first.get_by_role("button").first.click()
    await expect(page.get_by_role("main")).to_contain_text(re.compile("Nothing .*waits"))

    await morgan.visit("/applications")
    row = page.locator("tr, li").filter(has_text="Backend Engineer").first
    await expect(row).to_contain_text(re.compile("rejected|declined|said no", re.IGNORECASE))
