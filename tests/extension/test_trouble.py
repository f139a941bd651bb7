"""A server that goes away, a pairing withdrawn: nothing is lost, the panel says so, and work goes on."""

import pytest
import pytest_asyncio
from extension.conftest import pair
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FORM = """<title>Apply for Gardener at Green Ltd</title>
<form onsubmit="event.preventDefault(); document.body.innerHTML = '<h1>Thank you for applying</h1>'">
  <label>First name <input id="first"></label><label>Last name <input id="last"></label>
  <label>Email <input id="email"></label><label>Notes <textarea id="notes"></textarea></label>
  <button>Submit application</button></form>"""


@pytest_asyncio.fixture(loop_scope="session")
async def form_page(paired: Extension, page_server: PageServer) -> Page:
    page_server.pages["/apply"] = FORM
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    await page.fill("#notes", "Typed by hand.")
    return page


async def ready(extension: Extension, page: Page) -> Page:
    panel = await extension.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    return panel


async def filled(panel: Page) -> None:
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done")


async def test_a_server_that_is_away_at_the_start_is_said_and_waited_for(
    paired: Extension, form_page: Page, server: StandIn
):
    server.go()
    panel = await paired.open_panel_page(form_page)
    await expect(panel.get_by_role("alert")).to_contain_text("does not answer")
    server.come()
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    await expect(panel.get_by_role("alert")).to_be_hidden()
    assert await form_page.input_value("#notes") == "Typed by hand."


async def test_a_form_is_filled_from_its_plan_while_the_server_is_away_and_reported_later(
    paired: Extension, form_page: Page, server: StandIn
):
    panel = await ready(paired, form_page)
    server.go()
    await filled(panel)
    await expect(panel.get_by_role("alert")).to_contain_text("nothing that was noted is lost")
    assert await form_page.input_value("#first") == "Morgan"
    assert await form_page.input_value("#notes") == "Typed by hand."
    server.come()
    report = await server.hears("/fills/1")
    assert {one.outcome for one in report.fields} == {"filled", "left"}
    await expect(panel.get_by_role("alert")).to_be_hidden()


async def test_a_receipt_waits_until_the_server_is_back(paired: Extension, form_page: Page, server: StandIn):
    panel = await ready(paired, form_page)
    server.go()
    await form_page.bring_to_front()
    await form_page.get_by_role("button", name="Submit application").click()
    await expect(panel.locator("#questions")).to_contain_text("as soon as your server answers")
    letters = await panel.evaluate("() => chrome.storage.local.get('outbox')")
    await paired.stop_worker()
    server.come()
    told = await server.hears("/fills/1/submitted")
    assert told.evidence.kind == "confirmation_page"
    await expect(panel.locator("#questions")).to_contain_text("Noted as applied")
    # A worker that ended before it came to send, or to say that nobody answered.
    await paired.stop_worker()
    await panel.evaluate("(letters) => chrome.storage.local.set(letters)", letters)
    await server.hears("/fills/1/submitted", times=2)


async def test_a_withdrawn_pairing_is_said_and_pairing_again_loses_nothing(
    paired: Extension, form_page: Page, server: StandIn
):
    panel = await ready(paired, form_page)
    server.is_revoked = True
    await filled(panel)
    await expect(panel.get_by_role("alert")).to_contain_text("was disconnected on your server")
    await expect(panel.get_by_role("button", name="Open settings")).to_be_visible()
    assert await form_page.input_value("#first") == "Morgan"
    assert not server.told("/fills/1")
    await pair(paired, server)
    assert len((await server.hears("/fills/1")).fields) == 4
    await expect(panel.get_by_role("alert")).to_be_hidden()


async def test_reading_goes_on_by_itself_after_pairing(
    extension: Extension, form_page: Page, server: StandIn
):
    options = await extension.open("options/options.html")
    await options.get_by_role("button", name="Disconnect this browser").click()
    panel = await extension.open_panel_page(form_page)
    await expect(panel.get_by_role("alert")).to_contain_text("not paired")
    await pair(extension, server)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")


async def test_what_was_typed_wrong_is_told_in_the_box_it_concerns(extension: Extension, server: StandIn):
    options = await extension.open("options/options.html")
    address, code = options.get_by_label("Address of your server"), options.get_by_label("Pairing code")
    pressed, told = options.get_by_role("button", name="Pair"), options.get_by_role("alert")
    # Addresses that would carry data in the clear, and between them a code that is wrong.
    for wrong in ("http://jobtrail.example.org", "ftp://127.0.0.1", "https://me:secret@example.org", ""):
        await address.fill(server.address)
        await code.fill("BAD-CODE")
        await pressed.click()
        await expect(told).to_contain_text("This code is not known")
        await expect(code).to_be_focused()
        assert await code.input_value() == "BAD-CODE"
        await address.fill(wrong)
        await code.fill("GOOD-CODE")
        await pressed.click()
        await expect(told).to_contain_text("This address will not do")
        await expect(address).to_be_focused()
    server.go()
    await address.fill(server.address)
    await pressed.click()
    await expect(told).to_have_text(
        f"No Jobtrail answers at {server.address}. Check the address and that it runs."
    )
    await expect(address).to_be_focused()


@pytest.mark.parametrize("stage", ["plan", "document", "further plan", "save"])
async def test_a_device_withdrawn_at_any_stage_is_refused_from_then_on_and_no_page_waits(
    paired: Extension, page_server: PageServer, server: StandIn, stage: str
):
    """What was planned is the person's and may still be written; nothing more is asked or told."""
    growing = "first.addEventListener('input', () => document.forms[0].append(more.content), { once: true })"
    page_server.pages["/apply"] = f"""<form><label>First name <input id="first"></label>
      <label>Résumé <input id="resume" type="file"></label></form>
      <template id="more"><label>Email <input id="email"></label></template><script>{growing}</script>"""
    server.refuses_from = {"plan": "/resolve", "document": "/documents/1/content", "save": "/postings"}.get(
        stage
    )
    if stage == "further plan":
        server.refuses_from = "/resolve#2"
    page = await paired.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await paired.open_panel_page(page)
    if stage != "plan":
        await filled(panel)
        assert await page.input_value("#first") == "Morgan"
        if stage == "save":
            await panel.get_by_role("button", name="Save this posting").click()
    await expect(panel.get_by_role("alert")).to_contain_text("was disconnected on your server")
    assert (
        await paired.worker.evaluate(
            "async () => (await chrome.storage.local.get()).connection?.token ?? null"
        )
        is None
    )
    assert server.refused <= 2, "two requests may be on their way together"
