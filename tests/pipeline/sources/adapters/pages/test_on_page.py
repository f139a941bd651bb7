"""Whatever page a person brings, its schema.org posting is read, or why there is none is said."""

import json
import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sources.adapters.pages.on_page import posting_on_page
from pipeline.sources.adapters.pages.tree import MAX_BYTES, decoded
from pipeline.sources.types import Listing, Pay, Posted

URL = "https://careers.northwind.example/jobs/12?utm_source=x"
MINIMAL = {
    "@context": "https://schema.org",
    "@type": "JobPosting",
    "title": "Pilot",
    "description": "<p>Sail</p>",
}


def page(*scripts: str) -> bytes:
    told = "".join(f'<script type="application/ld+json">{each}</script>' for each in scripts)
    return f"<html><head><meta charset=utf-8>{told}</head><body><h1>x</h1></body></html>".encode()


def read(*told: object, url: str = URL) -> Listing:
    found = posting_on_page(page(*(json.dumps(each) for each in told)), url)
    assert isinstance(found, Listing), found
    return found


FOUND = {
    "colophon-group_jobseek__jsonld_meta_software_engineer": "Software Engineer, Infrastructure",
    "colophon-group_jobseek__jsonld_neura_robotics_manager": (
        "Manager Ecosystem Integration & Certification (Human)"
    ),
    "ever-jobs_ever-jobs__detail-diode-senior": "Senior Software Engineer",
    "sQverful_job-autofill__Senior_Software_Engineer_-_Harper": "Senior Software Engineer",
    "ever-jobs_ever-jobs__detail-fermi-4248451": "Corporate Tax Director",
    "ever-jobs_ever-jobs__detail-sendcutsend-4272751": "Production Technician - Swing Shift",
}


def test_captured_pages_give_the_posting_they_carry_and_no_other(shared_data):
    told: dict[str, str] = {}
    for file in sorted((shared_data / "ats").glob("*/*.html")):
        found = posting_on_page(file.read_bytes(), f"https://pages.example/{file.stem}")
        if isinstance(found, Listing):
            told[file.stem] = found.title
            assert found.company, file.name
            assert found.locations, file.name
            assert found.posted is not None, file.name
            assert found.description, file.name
        else:
            assert found == "no_posting", file.name
    assert told == FOUND


@pytest.mark.parametrize(
    "script",
    [
        json.dumps([MINIMAL]),
        json.dumps({"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, MINIMAL]}),
        json.dumps({"@type": "WebPage", "mainEntity": MINIMAL}),
        json.dumps({**MINIMAL, "@type": ["Thing", "http://schema.org/JobPosting/"]}),
        json.dumps(
            {
                "@type": "schema:JobPosting",
                "schema:title": "Pilot",
                "http://schema.org/description": "<p>Sail</p>",
            }
        ),
        '{"@type": "JobPosting", "title": "Pilot", "description": "<p>Sail\n\t</p>"}',
        "<!--\n" + json.dumps(MINIMAL) + "\n-->",
        "//<![CDATA[\n" + json.dumps(MINIMAL) + "\n//]]>",
        "/*<![CDATA[*/" + json.dumps(MINIMAL) + "/*]]>*/",
        '{"@type": "JobPosting", /* ours */ "title": "Pilot", // "below"\n "description": "<p>Sail</p>",}',
        json.dumps(MINIMAL).replace('"', "&quot;"),
        json.dumps(MINIMAL) + ";",
        json.dumps({"@type": "Organization"}) + json.dumps(MINIMAL),
        "\ufeff  " + json.dumps(MINIMAL, indent=2),
    ],
)
def test_json_ld_is_read_through_every_slip_seen_on_pages(script):
    for scripts in ((script,), ("", script), ("{broken", script, "null"), ("[" * 5_000, script)):
        found = posting_on_page(page(*scripts), URL)
        assert isinstance(found, Listing), found
        assert (found.title, (found.description or "").startswith("<p>Sail")) == ("Pilot", True)


def test_of_several_postings_the_page_is_about_the_one_that_says_so():
    others = [
        {**MINIMAL, "title": f"Cook {n}", "url": f"https://careers.northwind.example/jobs/{n}"}
        for n in (1, 12, 3)
    ]
    assert read(*others).title == "Cook 12"
    assert (
        posting_on_page(page(json.dumps(others)), "https://careers.northwind.example/jobs")
        == "several_postings"
    )
    related = [{"@type": "JobPosting", "title": f"Other {n}"} for n in range(3)]
    assert read({"@graph": related}, MINIMAL).title == "Pilot"
    assert read(MINIMAL, {**MINIMAL, "description": "<p>Sail far</p>"}).description == "<p>Sail far</p>"


def test_an_item_named_elsewhere_on_the_page_is_followed():
    graph = {"@graph": [{**MINIMAL, "hiringOrganization": {"@id": "#o"}}, {"@id": "#o", "name": "Northwind"}]}
    assert read(graph).company == "Northwind"


def test_a_page_of_a_platform_is_known_by_the_platforms_number():
    assert (
        read(MINIMAL, url="https://careers.northwind.example/open?gh_jid=8620720002").vendor_id
        == "8620720002"
    )
    assert (
        read(MINIMAL, url="https://northwind.jobs.personio.de/job/77?language=de").vendor_id == "northwind/77"
    )
    long = "https://careers.northwind.example/" + "x" * 400
    assert len(read(MINIMAL, url=long).vendor_id) == 64


@pytest.mark.parametrize(
    ("html", "url", "why"),
    [
        (b"", URL, "no_posting"),
        (b"<html><body><h1>Careers</h1>", URL, "no_posting"),
        (page(json.dumps({"@type": "JobPosting"})), URL, "no_title"),
        (page("{"), URL, "no_posting"),
        (b"<!-- " + page(json.dumps(MINIMAL)) + b" -->", URL, "no_posting"),
        (page(json.dumps(MINIMAL)), "", "no_address"),
        (page(json.dumps(MINIMAL)), "javascript:alert(1)", "no_address"),
        (page(json.dumps(MINIMAL)) + b" " * MAX_BYTES, URL, "not_a_page"),
        (b"<div>" * 100_000 + page(json.dumps(MINIMAL)), URL, "not_a_page"),
    ],
)
def test_a_page_without_a_posting_says_why(html, url, why):
    assert posting_on_page(html, url) == why


MICRODATA = """<div itemscope itemtype="https://schema.org/JobPosting">
<h1 itemprop="title">Pilot <b>m/f</b></h1>
<div itemprop="hiringOrganization" itemscope itemtype="https://schema.org/Organization">
<a itemprop="url" href="https://northwind.example"><span itemprop="name">Northwind</span></a></div>
<span itemprop="baseSalary" itemscope><meta itemprop="currency" content="NOK">
<span itemprop="value" itemscope>
<meta itemprop="minValue" content="700000"><meta itemprop="unitText" content="YEAR"></span></span>
<time itemprop="datePosted" datetime="2026-11-02">two days ago</time>
<span itemprop="jobLocation">{place}</span><div itemprop="description"><p>Sail <b>far</b></p></div></div>"""


LOOSE_PLACE = '<span itemprop="address"><meta itemprop="addressLocality" content="Oslo"></span>'
PLACE = """<div itemprop="address" itemscope><i itemprop="addressLocality">Oslo</i>
<i itemprop="addressCountry">NO</i></div>"""


@pytest.mark.parametrize("mark", ["itemscope ", 'itemscope="itemscope" ', ""])
@pytest.mark.parametrize(("place", "country"), [(LOOSE_PLACE, None), (PLACE, "NO")])
def test_microdata_is_read_with_and_without_the_marks_of_its_items(mark, place, country):
    html = MICRODATA.replace("itemscope ", mark).replace("{place}", place)
    found = posting_on_page(html.encode(), URL)
    assert isinstance(found, Listing), found
    assert (found.title, found.company, found.description) == (
        "Pilot m/f",
        "Northwind",
        "<p>Sail <b>far</b></p>",
    )
    assert (found.places[0].city, found.places[0].country) == ("Oslo", country)
    assert found.pay == Pay(low=700_000, high=None, currency="NOK", interval="year", source="field")
    assert found.posted == Posted(meaning="last_published", on=date(2026, 11, 2))


def test_properties_of_a_posting_without_any_item_are_one_and_those_of_an_article_are_none():
    loose = b'<b itemprop="title">Pilot</b><i itemprop="description">Sail</i>'
    found = posting_on_page(b'<meta itemprop="datePosted" content="2026-11-02">' + loose, URL)
    assert isinstance(found, Listing)
    assert (found.title, found.description) == ("Pilot", "Sail")
    assert (
        posting_on_page(b'<b itemprop="title">News</b><i itemprop="description">Sail</i>', URL)
        == "no_posting"
    )


@pytest.mark.parametrize(
    ("html", "header", "text"),
    [
        ("Zürich".encode(), "", "Zürich"),
        ("Zürich".encode("cp1252"), "", "Zürich"),
        ("“Zürich”".encode("cp1252"), "text/html; charset=ISO-8859-1", "“Zürich”"),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">'
            + "東京".encode("shift_jis"),
            "",
            "東京",
        ),
        ("Zürich".encode("utf-16"), "", "Zürich"),
        ("\ufeffZürich".encode(), "text/html; charset=latin1", "Zürich"),
        ("Zürich".encode(), "text/html; charset=utf-7", "Zürich"),
        ("Zürich".encode(), "text/html; charset=zlib_codec", "Zürich"),
        ("Łódź".encode("iso8859-2"), 'text/html; charset="iso-8859-2"', "Łódź"),
        ("北京".encode("gb18030"), "text/html;charset=gb2312", "北京"),
    ],
)
def test_the_charset_of_a_page_is_honoured(html, header, text):
    assert decoded(html, header).endswith(text)


@given(st.binary(max_size=400), st.sampled_from(["", "text/html; charset=utf-16", "charset=koi8-r"]))
@settings(max_examples=150)
def test_no_bytes_make_the_reading_raise(garbage, header):
    body = b'<script type="application/ld+json">{"@type":"JobPosting","title":"a' + garbage + b'"}</script>'
    for html in (garbage, body, b"<p itemprop=title itemtype=JobPosting>" + garbage):
        posting_on_page(html, URL, header)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=12,
)
NAMES = [
    "title",
    "description",
    "hiringOrganization",
    "identifier",
    "jobLocation",
    "baseSalary",
    "datePosted",
    "employmentType",
    "jobLocationType",
    "applicantLocationRequirements",
    "inLanguage",
    "url",
    "@id",
    "@graph",
]


@given(st.dictionaries(st.sampled_from(NAMES), JSON))
@settings(max_examples=100)
def test_an_odd_property_costs_itself_only(odd):
    whole = {**MINIMAL, **odd, "@type": "JobPosting"}
    found = posting_on_page(page(json.dumps(whole).replace("</", "<\\/")), URL)
    assert isinstance(found, Listing) or found in {"no_title", "no_posting", "several_postings"}
    if isinstance(found, Listing):
        json.loads(found.record)


@pytest.mark.parametrize(
    "piece",
    [
        '<script type="application/ld+json">',
        '<script type="application/ld+json">"\\"',
        "<div>",
        "</div>",
        "<p itemprop=title>",
        "<a itemprop=address itemscope>",
        '{"a":',
        "<!--",
        "/*",
        ", ",
        "&quot;",
        "<b><i>",
        '<div itemtype="http://schema.org/JobPosting" itemscope>',
        "<b itemprop=title itemtype=JobPosting>",
        "<b itemprop=address><i itemprop=address></i>",
        "<select><option>",
        "<dd><li>",
        "<math><col></i>",
        "<b></p>",
    ],
)
def test_hostile_pages_take_no_time(piece):
    wrapped = '<script type="application/ld+json">{"a":[' + piece * 50_000
    walked = piece * 1_500 + "<i>x</i>" * 60_000
    for html in (piece * (500_000 // len(piece)), wrapped, walked):
        started = time.process_time()
        posting_on_page(html.encode(), URL)
        assert time.process_time() - started < 4
