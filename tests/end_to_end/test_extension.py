"""The extension against the real processes: a real form filled, and what goes wrong while it works."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from end_to_end.person import Person
from fixtures.extension_browser import Extension
from fixtures.installation import Installation
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.process,
    pytest.mark.timeout(240),
    pytest.mark.asyncio(loop_scope="session"),
]


@pytest_asyncio.fixture(loop_scope="session")
async def person(
    installation: Installation, extension: Extension, tmp_path: Path
) -> AsyncGenerator[Person, None]:
    """Somebody with an account, a profile and a résumé, whose browser is paired."""
    desk = await extension.context.new_page()
    made = Person(extension, desk, await asyncio.to_thread(installation.start))
    await made.make_account()
    await made.bring_profile(tmp_path)
    await made.pair_browser()
    yield made


@pytest.fixture
def forms(page_server: PageServer, live_form: dict[str, Path], shared_data: Path) -> PageServer:
    saved = shared_data / "forms" / "greenhouse" / "gh_gitlab.html"
    page_server.pages |= live_form | {"/gitlab/jobs/8620720002": saved}
    return page_server


def shown(panel: Page, label: str):
    return panel.get_by_role("listitem").filter(has_text=label).first


async def test_a_real_form_is_planned_filled_verified_and_reported_field_by_field(
    person: Person, forms: PageServer, installation: Installation
):
    form, panel = await person.open_form(forms.url("/gitlab/jobs/8620720002"))
    await person.fill(panel)
    assert await form.input_value("#first_name") == "Morgan"
    assert await form.input_value("#phone") == "+44 7700 900123"
    assert await form.evaluate("() => document.querySelector('#resume').files[0].name") == "morgan-reyes.pdf"
    await expect(shown(panel, "Email")).to_contain_text("filled and verified")
    await expect(shown(panel, "Country")).to_contain_text("its list did not open")
    await expect(shown(panel, "Gender")).to_contain_text("yours to answer or not")
    with installation.connect() as database:
        [(report,)] = database.execute("SELECT report FROM fills WHERE report IS NOT NULL").fetchall()
    outcomes = [one["outcome"] for one in (report if isinstance(report, list) else json.loads(report))]
    assert len(outcomes) == 20
    assert outcomes.count("filled") == 7


async def test_a_device_revoked_while_the_extension_works_loses_nothing(person: Person, forms: PageServer):
    form, panel = await person.open_form(forms.url("/"))
    await form.fill("#q_essay", "In my own words.")
    settings = await person.visit("/settings")
    await settings.get_by_role("button", name="Revoke").click()
    await person.fill(panel)
    await expect(panel.get_by_role("alert")).to_contain_text("was disconnected on your server")
    assert await form.input_value("#q_essay") == "In my own words."
    assert await form.input_value("#email") == "morgan.reyes@example.com"
    await person.pair_browser()
    await expect(panel.get_by_role("alert")).to_be_hidden(timeout=15_000)


async def test_a_server_gone_while_a_form_is_open_is_said_and_recovered_from(
    person: Person, forms: PageServer, installation: Installation
):
    installation.settings["JOBTRAIL_HTTP_PORT"] = person.address.rpartition(":")[2]
    form, panel = await person.open_form(forms.url("/"))
    await form.fill("#q_essay", "In my own words.")
    await asyncio.to_thread(installation.stop)
    await person.fill(panel)
    await expect(panel.get_by_role("alert")).to_contain_text("does not answer")
    await form.bring_to_front()
    await form.get_by_role("button", name="Submit application").click()
    await expect(panel.locator("#questions")).to_contain_text(
        "as soon as your server answers", timeout=20_000
    )
    assert await form.input_value("#q_essay") == "In my own words."
    await asyncio.to_thread(installation.start)
    await expect(panel.locator("#questions")).to_contain_text("Noted as applied", timeout=20_000)
    applications = await person.visit("/applications")
    await expect(applications.get_by_role("row").filter(has_text="Backend Engineer")).to_have_count(1)
