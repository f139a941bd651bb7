"""Gmail in a real browser: to another site and back past cookie and policy, and a page that moves."""

from collections.abc import AsyncGenerator

import pytest
from emulators.gmail.server import Gmail
from emulators.gmail.world import EMAIL
from fixtures.app import serving
from fixtures.html import send
from fixtures.mail_pages import ACCOUNTS, MailDesk
from fixtures.mailroom import job_mail
from fixtures.site import Opener
from msgspec.structs import replace

from schema.settings import Settings

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
async def server(at_google: Settings, gmail: Gmail) -> AsyncGenerator[str]:
    """Google's pages stand under another name than ours, so that the browser takes them for another site."""
    away = gmail.url.replace("127.0.0.1", "localhost")
    google = replace(at_google.gmail, auth_url=f"{away}/o/oauth2/v2/auth")
    async with serving(replace(at_google, gmail=google)) as address:
        yield address


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_person_goes_to_google_and_comes_back(ready_desk: MailDesk, site: Opener, scripts: bool):
    ready_desk.control.show_consent()
    async with site(scripts=scripts) as seen:
        page = await seen.open(ACCOUNTS)
        await page.get_by_role("button", name="Connect Gmail").click()
        await page.get_by_role("button", name="Allow").click()
        await page.wait_for_url(f"**{ACCOUNTS}/*")
        assert await page.inner_text("h1") == EMAIL
        assert "code=" not in page.url
        await page.get_by_role("button", name="Disconnect").click()
        await page.get_by_role("button", name="Connect again").click()
        await page.get_by_role("button", name="Deny").click()
        await page.wait_for_url(f"**{ACCOUNTS}/answer/denied*")
        assert await page.inner_text("h1") == "You did not allow it"
        # Google has an icon, the emulator none; a form the policy stops would be told here too.
        assert not [said for said in seen.complaints if "404" not in said]


async def test_the_page_of_a_mailbox_moves_by_itself(ready_desk: MailDesk, site: Opener):
    ready_desk.control.deliver_many([job_mail(number) for number in range(6)])
    await ready_desk.connect()
    async with site() as seen:
        page = await seen.open(await ready_desk.place)
        await page.wait_for_selector("text=No mail daemon is running")
        async with ready_desk.daemon():
            await page.wait_for_selector("#stands .badge:has-text('In step')")
            await page.wait_for_function(
                "() => document.querySelector('#became .number').textContent === '6'"
            )
            ready_desk.control.revoke()
            await send(ready_desk.client, f"{await ready_desk.place}/look")
            await page.wait_for_selector("#stands >> text=Google does not say why")
        assert not seen.complaints
