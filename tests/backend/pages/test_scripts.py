"""The two small scripts: shortcuts, and parts that refresh themselves without disturbing anybody."""

import pytest
from fixtures.samples import Samples
from fixtures.site import Opener

from schema.db import Database
from schema.ids import AccountId
from schema.live import announce

# Conditions waited for are functions: the policy of our pages lets nobody evaluate text again and again.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def tell(database: Database, account: AccountId, topic) -> None:
    async with database.as_account(account) as unit:
        announce(unit, topic)


COUNT_READS = """
const parse = DOMParser.prototype.parseFromString;
window.reads = 0;
DOMParser.prototype.parseFromString = function (...given) {
  window.reads += 1;
  return parse.apply(this, given);
};
"""
"""The swap follows in the same breath: once a count is seen from outside, what was read is in place."""


async def test_rows_are_walked_and_places_reached_by_keys(site: Opener, samples: Samples):
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("Contoso", "Writer", applied=6)
    async with site() as seen:
        page = await seen.open("/applications")
        rows = page.locator("[data-row]")
        await page.keyboard.press("j")
        await page.wait_for_function("() => document.activeElement.closest('[data-row]')")
        first = await page.evaluate("document.activeElement.closest('[data-row]').dataset.row")
        await page.keyboard.press("j")
        second = await page.evaluate("document.activeElement.closest('[data-row]').dataset.row")
        assert first != second
        await page.keyboard.press("k")
        assert await page.evaluate("document.activeElement.closest('[data-row]').dataset.row") == first
        assert await rows.count() == 2
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/applications/*")
        await page.keyboard.type("gs")
        await page.wait_for_url("**/settings")


async def test_the_sheet_opens_and_closes_and_typing_is_typing(site: Opener):
    async with site() as seen:
        page = await seen.open("/settings")
        await page.keyboard.press("?")
        await page.wait_for_selector("dialog#keys[open]")
        await page.keyboard.press("Escape")
        await page.wait_for_selector("dialog#keys:not([open])", state="attached")
        await page.fill("#f-name", "")
        await page.type("#f-name", "gs?j")
        assert await page.input_value("#f-name") == "gs?j"
        assert page.url.endswith("/settings")


async def test_control_enter_saves_and_u_undoes(site: Opener):
    async with site() as seen:
        page = await seen.open("/settings")
        await page.fill("#f-name", "Ada King")
        await page.press("#f-name", "Control+Enter")
        await page.wait_for_selector(".flash")
        assert await page.input_value("#f-name") == "Ada King"
        await page.keyboard.press("u")
        await page.wait_for_function("() => document.querySelector('#f-name').value === 'Ada'")


async def test_a_marked_part_refreshes_and_keeps_the_focus(
    site: Opener, samples: Samples, database: Database, account: AccountId
):
    samples.insert(
        "devices", name="First", token_hash="a" * 64, origin="chrome-extension://a", created_at="2026-03-01"
    )
    async with site() as seen:
        page = await seen.open("/settings")
        await page.focus("#devices button")
        samples.insert(
            "devices",
            name="Second",
            token_hash="b" * 64,
            origin="chrome-extension://a",
            created_at="2026-03-01",
        )
        await tell(database, account, "devices")
        await page.wait_for_selector("#devices >> text=Second")
        assert await page.evaluate("document.activeElement.closest('#devices') !== null")
        assert not seen.complaints


async def test_what_somebody_types_is_never_swapped_away(
    site: Opener, samples: Samples, database: Database, account: AccountId
):
    async with site() as seen:
        await seen.page.add_init_script(COUNT_READS)
        page = await seen.open("/settings")
        await page.wait_for_function("() => window.reads === 1")  # what it reads as soon as it is connected
        await page.evaluate(
            """() => {
              const part = document.querySelector("#devices");
              const field = document.createElement("input");
              field.id = "draft";
              part.append(field);
            }"""
        )
        await page.fill("#draft", "half a sentence")
        samples.insert(
            "devices",
            name="Second",
            token_hash="b" * 64,
            origin="chrome-extension://a",
            created_at="2026-03-01",
        )
        await tell(database, account, "devices")
        await page.wait_for_function("() => window.reads > 1")
        assert await page.input_value("#draft") == "half a sentence"
        await page.fill("#draft", "")
        await page.evaluate("document.activeElement.blur()")
        await page.wait_for_selector("#devices >> text=Second")


async def test_a_lost_connection_is_said_and_taken_back(site: Opener):
    async with site() as seen:
        await seen.page.route("**/live", lambda route: route.abort())
        page = await seen.open("/settings")
        await page.wait_for_selector("#connection:has-text('Not connected')")
        await page.unroute("**/live")
        await page.wait_for_selector("#connection", state="hidden")


async def test_what_a_form_answered_with_does_not_claim_a_lost_connection(site: Opener):
    async with site() as seen:
        page = await seen.open("/postings/own/new")
        async with page.expect_response(lambda answer: answer.status == 405):
            await page.click("main button:has-text('Keep')")
        await page.evaluate("fetch('/livez')")
        assert await page.is_hidden("#connection")
        assert await page.is_visible("[aria-invalid=true]")


async def test_a_page_that_cannot_be_read_again_says_how_old_it_is_and_tries_on(
    site: Opener, samples: Samples, database: Database, account: AccountId
):
    async with site() as seen:
        page = await seen.open("/settings")
        await page.route("**/settings", lambda route: route.fulfill(status=503))
        samples.insert(
            "devices",
            name="Second",
            token_hash="b" * 64,
            origin="chrome-extension://a",
            created_at="2026-03-01",
        )
        await tell(database, account, "devices")
        await page.wait_for_selector("#connection:has-text('how things stood at')")
        await page.unroute("**/settings")
        await page.wait_for_selector("#devices >> text=Second")
        await page.wait_for_selector("#connection", state="hidden")


async def test_a_session_that_ended_is_said(
    site: Opener, samples: Samples, database: Database, account: AccountId
):
    async with site() as seen:
        page = await seen.open("/settings")
        samples.rows("DELETE FROM sessions RETURNING id")
        await tell(database, account, "devices")
        await page.wait_for_selector("#connection:has-text('signed out')")


async def test_without_scripts_the_menu_and_the_forms_work(site: Opener):
    async with site(width=390, scripts=False) as seen:
        page = await seen.open("/")
        await page.click("summary:has-text('Menu')")
        await page.click(".menu a:has-text('Settings')")
        await page.wait_for_url("**/settings")
        await page.fill("#f-name", "Ada King")
        await page.click("section:has(#s-account) button")
        await page.wait_for_selector(".flash")
        await page.click(".flash button")
        await page.wait_for_selector(".flash:has-text('Account saved')")
        assert await page.input_value("#f-name") == "Ada"


async def test_an_answer_to_a_form_is_read_again_where_its_page_is(site: Opener, samples: Samples):
    made = samples.application("Northwind", "Data Engineer", applied=5)
    async with site() as seen:
        page = await seen.open("/applications?q=north&layout=board")
        samples.rows("UPDATE standings SET stage = 'offer' WHERE application_id = %s", made)
        await page.click("[data-row] button")
        await page.wait_for_selector(".notice:has-text('no status was set')")
        await page.wait_for_url("**/applications?q=north&layout=board")
        assert "no status was set" in await page.evaluate("document.activeElement.textContent")
        await page.click("[data-row] button")
        await page.wait_for_selector("#told:focus")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent.trim().startsWith('Undo')")
        await page.keyboard.press("u")
        await page.wait_for_selector("#told:focus:has-text('Undone')")
        await page.goto(f"{seen.server}/applications/{made}")
        await page.evaluate("document.querySelector('[name=version]').value = 'old'")
        await page.click("button:has-text('Dismiss')")
        await page.wait_for_url(f"**/applications/{made}")
        await page.wait_for_selector(".notice:has-text('nothing was done')")
        assert (await page.reload()).status == 200
        assert [said for said in seen.complaints if "409" not in said] == []


async def test_what_is_told_once_is_in_view_and_no_bar_says_that_the_page_is_old(
    site: Opener,
):
    async with site() as seen:
        await seen.page.add_init_script(COUNT_READS)
        page = await seen.open("/settings")
        for button, part in (("Show a pairing code", "#code"), ("Make a link", "#link")):
            await page.click(f"button:has-text('{button}')")
            await page.wait_for_url(f"**/settings{part}")
            await page.wait_for_function("part => document.activeElement.matches(part)", arg=part)
            place = await page.locator(part).bounding_box()
            assert place
            assert place["y"] + place["height"] <= 900
        await page.fill("#f-old", "not the present one")
        await page.fill("#f-new", "a wholly new password")
        await page.click("button:has-text('Show what I typed') >> nth=1")
        assert await page.get_attribute("#f-new", "type") == "text"
        await page.click("button:has-text('Change the password')")
        await page.wait_for_url("**/settings#faults")
        assert await page.locator("#faults").is_visible()
        await page.wait_for_function("() => window.reads > 0")
        assert await page.locator("#connection").is_hidden()
        assert [said for said in seen.complaints if "400" not in said] == []
