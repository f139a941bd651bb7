"""The engine's pure parts: options by their words, postings by what pages state, messages by their shape."""

import json
from typing import Any

import pytest
from extension.conftest import EXTENSION, Form

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

COUNTRIES = ["United Arab Emirates", "United Kingdom +44", "United States +1", "Côte d\u2019Ivoire +225"]
PLACES = ["London, England, United Kingdom", "London, Ontario, Canada", "Londonderry, United Kingdom"]
RIGHTS = ["Yes, I am authorised", "No longer authorised", "No"]


@pytest.fixture
def opened(form: Form):
    """Calls an export of one of the extension's modules in a page, once for each list of values."""
    form.server.pages |= {
        "/": "<!doctype html><title>Apply for Gardener at Green Ltd</title>",
        "/x/": EXTENSION,
    }

    async def call(module: str, name: str, *calls: list[Any], html: str | None = None) -> list[Any]:
        if html is not None:
            form.server.pages["/"] = html
        await form.page.goto(form.server.url("/"))
        return await form.page.evaluate(
            """async ([module, name, calls]) => {
              const all = await import(`/x/${module}`);
              const given = (values) => values.map((value) => (value === "the page" ? document : value));
              return calls.map((values) => {
                try { return all[name](...given(values)); } catch (error) { return error.constructor.name; }
              });
            }""",
            [module, name, calls],
        )

    return call


async def test_an_option_is_meant_when_its_words_are(opened):
    asked: list[tuple[list[str], str, object]] = [
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
    ]
    picked = await opened("form/words.js", "pickOption", *([options, want] for options, want, _ in asked))
    assert list(zip([want for _, want, _ in asked], picked, strict=True)) == [one[1:] for one in asked]


STATED = {
    "@type": "JobPosting",
    "title": "Head Gardener",
    "hiringOrganization": {"@type": "Organization", "name": "Green Ltd"},
    "identifier": {"@type": "PropertyValue", "value": "R-77"},
}


async def test_a_posting_is_what_the_page_states(opened):
    shown = {
        f'<title>Jobs</title><script type="application/ld+json">{json.dumps(STATED)}</script>': (
            *("Green Ltd", "Head Gardener", "R-77"),
        ),
        "<title>Job Application for Gardener at Green Ltd</title>": ("Green Ltd", "Gardener", None),
        "<title>Careers</title><h1>Gardener</h1>": (None, "Gardener", None),
        '<title>Careers</title><script type="application/ld+json">{broken</script>': (None, None, None),
    }
    for html, (company, title, number) in shown.items():
        [told] = await opened("form/posting.js", "postingOn", ["the page"], html=html)
        assert told == {"company": company, "title": title, "requisition_id": number}


GOOD = {"type": "fill", "tab": 3, "skipped": ["0/text:a"], "accepted": []}


WRONG: list[Any] = [
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
]


async def test_a_message_of_another_shape_is_refused_and_of_a_good_one_only_what_is_expected_read(opened):
    told = await opened("messages.js", "fromPanel", *([one] for one in WRONG), [GOOD | {"token": "secret"}])
    assert told == ["Misshapen"] * len(WRONG) + [GOOD]


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


async def test_what_is_the_persons_alone_is_known_in_four_languages(opened, form: Form):
    await opened("form/guards.js", "guardOf")
    blank = {"type": "text", "name": "", "autocomplete": "", "group": "", "section": ""}
    asked = [blank | {"label": one, "kind": "checkbox"} for labels in GUARDED.values() for one in labels]
    guard = "async (asked) => asked.map((await import('/x/form/guards.js')).guardOf)"
    told = await form.page.evaluate(guard, asked)
    assert told == [guard for guard, labels in GUARDED.items() for _ in labels]
