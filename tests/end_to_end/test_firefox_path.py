"""The packed extension in Firefox against the real processes: paired, a wizard filled, sent and matched."""

import json
import re
from pathlib import Path

import pytest
from end_to_end.letters import letter
from end_to_end.person import RESUME
from fixtures.firefox import Firefox
from fixtures.installation import Installation
from fixtures.page_server import PageServer

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.timeout(240)]

LIVE = Path(__file__).parents[1] / "extension" / "live"
NEXT = "[data-automation-id='pageFooterNextButton']"
STATUS = "return document.getElementById('status').textContent.includes(arguments[0])"
SAYS = "return document.body.innerText.includes(arguments[0])"
STATE = "return window.__state[arguments[0]] || ''"
CODE = r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b"


def somebody(firefox: Firefox, site: str, folder: Path) -> None:
    """An account with a profile, made on the pages, and this browser paired with it."""
    firefox.open_tab(site)
    firefox.type("#f-name", "Morgan")
    firefox.type("#f-email", "morgan.reyes@example.com")
    firefox.type("#f-password", "a long enough pass")
    firefox.press("main form button:not([type=button])")
    firefox.sees(SAYS, "First steps")
    profile = folder / "resume.json"
    profile.write_text(json.dumps(RESUME))
    firefox.open_tab(f"{site}/profile/import")
    firefox.type("#f-file", str(profile))
    firefox.press("main form button:not([type=button])")
    firefox.sees(SAYS, "Profile imported")
    firefox.open_tab(f"{site}/first-run/extension")
    firefox.press("#paired form button, main form button")
    firefox.sees(f"return /{CODE}/.test(document.body.innerText)")
    code = re.search(CODE, firefox.run("return document.body.innerText"))
    assert code
    firefox.open_tab(f"{firefox.extension}/options/options.html")
    firefox.type("#server", site)
    firefox.type("#code", code[0])
    firefox.press("#connect")
    firefox.sees("return document.getElementById('state').textContent.includes('Morgan')")


def test_a_wizard_is_filled_undone_sent_and_found_by_its_mail(
    firefox: Firefox, installation: Installation, page_server: PageServer, tmp_path: Path
):
    site = installation.start()
    somebody(firefox, site, tmp_path)
    page_server.pages["/careers/"] = LIVE
    form = firefox.open_tab(page_server.url("/careers/workday.html"))
    firefox.type("[id='address--city']", "Bristol")
    tab = firefox.press_button()
    panel = firefox.open_tab(f"{firefox.extension}/panel/panel.html?tab={tab}")
    firefox.sees(STATUS, "Nothing is written yet")
    firefox.press("#fill")
    firefox.sees(STATUS, "Done")
    firefox.turn_to(form)
    assert firefox.run(STATE, "legalName--firstName") == "Morgan"
    assert firefox.run(STATE, "address--city") == "Bristol"

    firefox.turn_to(panel)
    firefox.press("#undo")
    firefox.sees(SAYS, "put back")
    firefox.turn_to(form)
    assert (firefox.run(STATE, "legalName--firstName"), firefox.run(STATE, "address--city")) == (
        "",
        "Bristol",
    )

    for title in ("My Experience", "Application Questions", "Voluntary Disclosures", "Review"):
        firefox.press(NEXT)
        firefox.sees("return document.getElementById('title').textContent === arguments[0]", title)
    firefox.press(NEXT)
    firefox.sees(SAYS, "has been submitted")
    firefox.turn_to(panel)
    firefox.sees("return document.getElementById('questions').textContent.includes('Noted as applied')")

    receipt = letter(
        tmp_path,
        "receipt",
        sender="Workday Example <workdayexample@myworkday.com>",
        subject="Thank you for applying to Workday Example",
        text="Hello Morgan,\n\nwe have received your application for Engineer at Workday Example.\n",
    )
    assert installation.command("mail", "import", str(receipt)).returncode == 0
    firefox.open_tab(f"{site}/applications")
    firefox.press("main tbody a")
    firefox.sees(SAYS, "we have received your application")
