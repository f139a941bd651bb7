"""The engine's pure parts: options by their words, postings by what pages state, messages by their shape."""

import json
from typing import Any

import pytest
from extension.conftest import EXTENSION
from fixtures.page_server import PageServer
from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

COUNTRIES = ["United Arab Emirates", "United Kingdom +44", "United States +1", "Côte d\u2019Ivoire +225"]
PLACES = ["London, England, United Kingdom", "London, Ontario, Canada", "Londonderry, United Kingdom"]
RIGHTS = ["Yes, I am authorised", "No longer authorised", "No"]


@pytest.fixture
def opened(page: Page, page_server: PageServer):
    """Calls an export of one of the extension's modules in a page."""
    page_server.pages |= {
        "/": "<!doctype html><title>Apply for Gardener at Green Ltd</title>",
        "/x/": EXTENSION,
    }

    async def call(module: str, name: str, *values: Any, html: str | None = None) -> Any:
        if html is not None:
            page_server.pages["/"] = html
        await page.goto(page_server.url("/"))
        return await page.evaluate(
            """async ([module, name, values]) => {
              const all = await import(`/x/${module}`);
              const given = values.map((value) => (value === "the page" ? document : value));
              try { return all[name](...given); } catch (error) { return error.constructor.name; }
            }""",
            [module, name, list(values)],
        )

    return call


@pytest.mark.parametrize(
    ("options", "want", "picked"),
    [
        (["Yes", "No"], "No", 1),
        (["Yes", "No"], " yes ", 0),
        (RIGHTS, "No", 2),
        (RIGHTS, "Yes", "option_absent"),
        (COUNTRIES, "United Kingdom", 1),
        (COUNTRIES, "united states", 2),
        (COUNTRIES, "Cote d'Ivoire", 3),
        (COUNTRIES, "United", "option_absent"),
        (PLACES, "London, United Kingdom", 0),
        (PLACES, "London, Canada", 1),
        (PLACES, "London", "option_absent"),
        (["Berlin, Germany", "Berlin, Germany, Europe"], "Berlin, Germany", 0),
        (
            ["Paris, Texas, United States", "Paris, Ohio, United States"],
            "Paris, United States",
            "option_ambiguous",
        ),
        (["", "-"], "", 0),
        (["*", "?"], "!", "option_absent"),
    ],
)
async def test_an_option_is_meant_when_its_words_are(opened, options: list[str], want: str, picked: object):
    assert await opened("form/words.js", "pickOption", options, want) == picked


STATED = {
    "@type": "JobPosting",
    "title": "Head Gardener",
    "hiringOrganization": {"@type": "Organization", "name": "Green Ltd"},
    "identifier": {"@type": "PropertyValue", "value": "R-77"},
}


@pytest.mark.parametrize(
    ("html", "facts"),
    [
        (
            f'<title>Jobs</title><script type="application/ld+json">{json.dumps(STATED)}</script>',
            {"company": "Green Ltd", "title": "Head Gardener", "requisition_id": "R-77"},
        ),
        (
            "<title>Job Application for Gardener at Green Ltd</title>",
            {"company": "Green Ltd", "title": "Gardener", "requisition_id": None},
        ),
        (
            "<title>Careers</title><h1>Gardener</h1>",
            {"company": None, "title": "Gardener", "requisition_id": None},
        ),
        (
            '<title>Careers</title><script type="application/ld+json">{broken</script>',
            {"company": None, "title": None, "requisition_id": None},
        ),
    ],
)
async def test_a_posting_is_what_the_page_states(opened, html: str, facts: dict[str, Any]):
    assert await opened("form/posting.js", "postingOn", "the page", html=html) == facts


GOOD = {"type": "fill", "tab": 3, "skipped": ["0/text:a"], "accepted": []}


@pytest.mark.parametrize(
    "message",
    [
        None,
        "fill",
        [],
        {},
        {"type": "submit"},
        {"type": "constructor"},
        GOOD | {"tab": -1},
        GOOD | {"tab": "3"},
        GOOD | {"skipped": "everything"},
        GOOD | {"skipped": ["x" * 201]},
        GOOD | {"skipped": ["x"] * 301},
        GOOD | {"accepted": None},
        {"type": "remember", "tab": 3, "keys": [], "scope": "everybody"},
        {
            "type": "draft_save",
            "tab": 3,
            "key": "a",
            "generation": 1,
            "text": "x" * 50_001,
            "is_accepted": True,
        },
    ],
)
async def test_a_message_of_another_shape_is_refused(opened, message: Any):
    assert await opened("messages.js", "fromPanel", message) == "Misshapen"


async def test_of_a_good_message_only_the_expected_parts_are_read(opened):
    assert await opened("messages.js", "fromPanel", GOOD | {"token": "secret"}) == GOOD


GUARDED = {
    "consent": (
        *("Ich habe die Hinweise gelesen", "J'accepte d'être contacté", "He leído las condiciones"),
        *("DSGVO", "Conditions générales", "Política de privacidad"),
    ),
    "equal_opportunity": ("Familienstand", "Votre genre", "Origine ethnique", "Género", "Estado civil"),
    "birth_date": ("Wie alt sind Sie?", "Date de naissance", "Fecha de nacimiento", "Edad"),
    "government_id": ("Sozialversicherungsnummer", "Numéro de passeport", "Número de pasaporte"),
    "payment": ("Bankverbindung", "Numéro de carte", "Número de tarjeta"),
    None: ("Vorname", "Acceptez-vous de voyager ?", "¿Acepta trabajar por turnos?", "Name der Firma"),
}


async def test_what_is_the_persons_alone_is_known_in_four_languages(opened, page: Page):
    await opened("form/guards.js", "elsewhere")
    blank = {"type": "text", "name": "", "autocomplete": "", "group": "", "section": ""}
    asked = [blank | {"label": one, "kind": "checkbox"} for labels in GUARDED.values() for one in labels]
    guard = "async (asked) => asked.map((await import('/x/form/guards.js')).guardOf)"
    told = await page.evaluate(guard, asked)
    assert told == [guard for guard, labels in GUARDED.items() for _ in labels]
