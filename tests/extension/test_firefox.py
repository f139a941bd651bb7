"""The packed extension in Firefox: greeted, paired, a form planned, filled, undone and sent."""

import pytest
from extension.planner import PERSON
from extension.server import StandIn
from fixtures.firefox import Firefox
from fixtures.page_server import PageServer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

FORM = """<!doctype html><title>Apply for Gardener at Green Ltd</title>
<form onsubmit="event.preventDefault(); document.body.innerHTML = '<h1>Thank you for applying</h1>'">
  <label>First name <input id="first"></label><label>Email <input id="email"></label>
  <label>Phone <input id="phone"></label><label>Résumé <input id="resume" type="file"></label>
  <x-own></x-own><button id="send">Submit application</button></form>
<script>customElements.define("x-own", class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: "closed" }).innerHTML = '<label>Last name <input id="last"></label>';
  }
});</script>"""
STATUS = "return document.getElementById('status').textContent.startsWith(arguments[0])"


def test_a_form_is_planned_filled_undone_and_sent(firefox: Firefox, page_server: PageServer, server: StandIn):
    firefox.open_tab(f"{firefox.extension}/options/options.html")
    firefox.type("#server", server.address)
    firefox.type("#code", "GOOD-CODE")
    firefox.press("#connect")
    firefox.sees("return document.getElementById('state').textContent.includes('Morgan')")

    page_server.pages["/apply"] = FORM
    form = firefox.open_tab(page_server.url("/apply"))
    tab = firefox.press_button()
    panel = firefox.open_tab(f"{firefox.extension}/panel/panel.html?tab={tab}")
    firefox.sees(STATUS, "Nothing is written yet. 5 fields")
    firefox.press("#fill")
    firefox.sees(STATUS, "Done: 5 of 5")
    firefox.turn_to(form)
    assert firefox.run("return document.getElementById('email').value") == PERSON["email"]
    assert firefox.run("return document.getElementById('resume').files[0].name") == PERSON["resume"]

    firefox.turn_to(panel)
    firefox.press("#undo")
    firefox.sees("return document.body.innerText.includes('put back')")
    firefox.turn_to(form)
    assert firefox.run("return document.getElementById('email').value") == ""
    firefox.press("#send")
    firefox.sees("return document.body.innerText.includes('Thank you')")
    firefox.turn_to(panel)
    firefox.sees("return document.getElementById('questions').textContent.includes('the page confirmed it')")
    assert server.told("/fills/1/submitted")[0].evidence.kind == "confirmation_page"
    assert server.origins == {firefox.extension}
