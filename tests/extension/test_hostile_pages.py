"""A page that fights: it reads no value it was not given, drives nothing, and sends the worker nowhere."""

import pytest
from extension.conftest import OWN_PAGES
from extension.planner import PERSON
from extension.server import StandIn
from fixtures.extension_browser import Extension
from fixtures.page_server import PageServer
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SPY = (OWN_PAGES / "spying.html").read_text()

FORGE = """async ([id, decoy]) => {
  const messages = [
    { type: "fill", tab: 1, skipped: [], accepted: [] },
    { type: "submit_seen", url: decoy, submitted_at: "2027-01-01T00:00:00Z", company: null, title: null,
      requisition_id: null },
    { type: "submit_verdict", verdict: "confirmation_page", text: "Thank you" },
    { type: "more", fields: [] },
    { type: "outcomes", outcomes: [{ key: "text:first", outcome: "filled", detail: "" }] },
  ];
  const tried = [];
  for (const message of messages) {
    postMessage(message, "*");
    dispatchEvent(new CustomEvent("message", { detail: message }));
    const speak = window.chrome?.runtime?.sendMessage;
    tried.push(speak ? await speak(id, message).then(() => "heard", () => "refused") : "no way");
  }
  const frame = document.createElement("iframe");
  frame.src = `chrome-extension://${id}/panel/panel.html?tab=1`;
  document.body.append(frame);
  tried.push(await fetch(`chrome-extension://${id}/panel/panel.html`).then(() => "loaded", () => "refused"));
  tried.push(await fetch(`chrome-extension://${id}/manifest.json`).then(() => "loaded", () => "refused"));
  for (const type of ["pointerdown", "keydown", "click", "submit"]) {
    document.querySelector("button").dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
  }
  document.querySelector("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  return tried;
}"""


async def opened(extension: Extension, page_server: PageServer, html: str = SPY) -> tuple[Page, Page]:
    page_server.pages["/apply"] = html
    page = await extension.context.new_page()
    await page.goto(page_server.url("/apply"))
    panel = await extension.open_panel_page(page)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet")
    return page, panel


async def test_a_page_reads_no_value_that_was_not_let_into_it(paired: Extension, page_server: PageServer):
    page, panel = await opened(paired, page_server)
    for name in ("Phone", "Résumé"):
        await panel.get_by_role("checkbox", name=name).uncheck()
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done")
    seen = "\n".join(await page.evaluate("() => seen"))
    assert PERSON["email"] in seen, "the spy sees nothing"
    assert not [word for word in (PERSON["phone"], PERSON["resume"], "As planned", "profile") if word in seen]


async def test_a_page_can_drive_neither_panel_nor_worker(
    paired: Extension, page_server: PageServer, server: StandIn
):
    page, panel = await opened(paired, page_server)
    decoy = StandIn()
    try:
        tried = await page.evaluate(FORGE, [paired.id, decoy.address])
        assert not {"heard", "loaded"} & set(tried)
        await panel.bring_to_front()
        await expect(panel.locator("#status")).to_contain_text("Nothing is written yet. 4 fields")
        await expect(panel.locator("#questions")).to_be_empty()
        assert not [frame for frame in page.frames if frame.url.startswith("chrome-extension")]
        assert await page.input_value("#email") == ""
        assert not [path for path, _ in server.asked if path.startswith("/fills")]
        assert decoy.origins == set()
    finally:
        decoy.go()


async def test_the_worker_follows_nobody_to_another_address(
    paired: Extension, page_server: PageServer, server: StandIn
):
    decoy = StandIn()
    try:
        server.leads_to = decoy.address
        page_server.pages["/apply"] = SPY
        page = await paired.context.new_page()
        await page.goto(page_server.url("/apply"))
        panel = await paired.open_panel_page(page)
        await expect(panel.get_by_role("alert")).to_contain_text("does not answer")
        assert decoy.origins == set()
    finally:
        decoy.go()


async def test_a_frame_that_calls_itself_a_platform_is_given_nothing(
    paired: Extension, page_server: PageServer, server: StandIn
):
    """Another origin stays closed whatever it holds; a form in it is neither read nor filled."""
    fake = page_server.url("/fake").replace("127.0.0.1", "localhost")
    page_server.pages["/fake"] = (
        "<title>boards.greenhouse.io</title><form id='application-form'>"
        "<label>Phone <input id='phone'></label></form>"
    )
    html = f'<form><label>Email <input id="email"></label></form><iframe src="{fake}" name="grnhse_iframe">'
    page, panel = await opened(paired, page_server, html)
    await panel.get_by_role("button", name="Fill").click()
    await expect(panel.locator("#status")).to_contain_text("Done: 1 of 1")
    assert await page.frames[1].input_value("#phone") == ""
    assert [one.label for one in server.told("/resolve")[0].fields] == ["Email"]


async def test_a_message_from_a_frame_that_was_never_read_is_not_heeded(
    paired: Extension, page_server: PageServer, server: StandIn
):
    """Even from inside the extension's own world, only documents that were entered count."""
    page, panel = await opened(paired, page_server)
    options = await paired.open("options/options.html")
    for message in ({"type": "done", "of": "fill"}, {"type": "more", "fields": []}, {"type": "nonsense"}):
        await options.evaluate("(message) => chrome.runtime.sendMessage(message)", message)
    await expect(panel.locator("#status")).to_contain_text("Nothing is written yet. 4 fields")
    assert len(server.told("/resolve")) == 1
    assert await page.input_value("#email") == ""
