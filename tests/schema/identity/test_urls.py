"""One canonical URL per posting, for addresses as people, mails and platforms really write them."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schema.identity.addresses import MAX_INPUT_CHARS
from schema.identity.urls import MAX_CANONICAL_CHARS, canonical_url, posting_url

UUID = "3414ba28-35f7-45d3-8e13-35c883959635"
LEVER = f"https://jobs.lever.co/northwind/{UUID}"

HERE = Path(__file__).parent


def rows(name):
    lines = (HERE / name).read_text().splitlines()
    return [tuple(line.split(" | ")) for line in lines if line and not line.startswith("#")]


POSTINGS = rows("postings.txt")
FORWARDED = [line for (line,) in rows("forwarded.txt")]
BOARDS = [
    ("https://jobs.ashbyhq.com/Northwind/", "ashby", "Northwind"),
    (
        "https://api.ashbyhq.com/posting-api/job-board/Northwind?includeCompensation=true",
        "ashby",
        "Northwind",
    ),
    ("https://boards.greenhouse.io/northwind", "greenhouse", "northwind"),
    ("https://boards.greenhouse.io/embed/job_board?for=northwind", "greenhouse", "northwind"),
    ("https://boards-api.greenhouse.io/v1/boards/northwind/jobs?content=true", "greenhouse", "northwind"),
    ("https://jobs.lever.co/Northwind", "lever", "Northwind"),
    ("https://jobs.eu.lever.co/Northwind", "lever", "eu/Northwind"),
    ("https://api.eu.lever.co/v0/postings/Northwind?mode=json", "lever", "eu/Northwind"),
    ("https://nw.wd5.myworkdayjobs.com/en-US/Careers", "workday", "nw.wd5/Careers"),
    ("https://apply.workable.com/northwind/", "workable", "northwind"),
    ("https://www.workable.com/api/accounts/northwind?details=true", "workable", "northwind"),
    ("https://northwind.recruitee.com", "recruitee", "northwind"),
    ("https://northwind.bamboohr.com/careers", "bamboohr", "northwind"),
    ("https://northwind.recruitee.com/api/offers/", "recruitee", "northwind"),
    ("https://northwind.jobs.personio.de/xml?language=en", "personio", "northwind"),
    ("https://northwind-jobs.personio.com", "personio", "northwind"),
    ("https://northwind.jobs.personio.com/en/", "personio", "northwind"),
    ("https://northwind.teamtailor.com", "teamtailor", "northwind"),
    ("https://northwind.na.teamtailor.com/fr-CA/jobs?department=Harbour", "teamtailor", "northwind.na"),
    ("https://northwind.teamtailor.com/jobs.json?page=2&per_page=100", "teamtailor", "northwind"),
    ("https://northwind.pinpointhq.com/postings.json", "pinpoint", "northwind"),
    ("https://northwind.pinpointhq.com/en/jobs", "pinpoint", "northwind"),
    ("https://northwind.applytojob.com/apply/", "jazzhr", "northwind"),
    ("https://app.jazz.co/feeds/export/jobs/Northwind", "jazzhr", "northwind"),
    ("https://www.careers-page.com/northwind", "manatal", "northwind"),
    ("https://www.careers-page.com/api/v1.0/c/northwind/jobs/?page_size=100", "manatal", "northwind"),
    ("https://careers-nw.icims.com/jobs/search?pr=2&in_iframe=1", "icims", "careers-nw"),
    ("https://careers-nw.icims.com/jobs/intro", "icims", "careers-nw"),
    (
        "https://jobsearch.createyourowncareer.com/Northwind/search/?locale=de_DE",
        "successfactors",
        "jobsearch.createyourowncareer.com/Northwind",
    ),
    (
        "https://jobs.northwind.example/tile-search-results/?startrow=25",
        "successfactors",
        "jobs.northwind.example",
    ),
]

PAGES = [
    ("HTTP://Careers.Northwind.example:80/Job/1/?b=2&a=1&utm_source=x#top", "https://careers.northwind.example/Job/1?a=1&b=2"),
    ("https://northwind.example:443/job%2d1?ref=news&fbclid=1", "https://northwind.example/job-1"),
    ("http://127.0.0.1:8080/board", "http://127.0.0.1:8080/board"),
    ("https://northwind.example/careers#/job/12", "https://northwind.example/careers#/job/12"),
    ("https://northwind.example/a/./b/../c//d", "https://northwind.example/a/c/d"),
    ("https://northwind.example/job;jsessionid=AB12?id=7", "https://northwind.example/job?id=7"),
    ("https://bücher.example/stelle?q=ä+b", "https://xn--bcher-kva.example/stelle?q=%C3%A4%20b"),
    ("https://jobs.lever.co@evil.example/x", "https://evil.example/x"),
    ("https://jobs.lever.co\\@evil.example/x", "https://jobs.lever.co/@evil.example/x"),
    ("https://click.mailer.example/track?url=https%3A%2F%2Fcareers.northwind.example%2Fjob%2F1", "https://careers.northwind.example/job/1"),
    ("https://[2001:DB8:0:0::1]/x", "https://[2001:db8::1]/x"),
]  # fmt: skip

NOT_ADDRESSES = [
    "", "northwind", "ftp://northwind.example/x", "mailto:ada@example.org", "https://", "https:northwind",
    "javascript:alert(1)", "https://north wind.example/", "https://northwind.example:99999/", "https://..example/",
    "https://[::1", "//northwind.example/x", "https://northwind.example/" + "x" * MAX_INPUT_CHARS,
    "https://northwind.example/" + "é" * 400, "data:text/html,https://northwind.example",
]  # fmt: skip


@pytest.mark.parametrize(("key", "board", "address"), POSTINGS)
def test_an_address_of_a_posting_names_it(key, board, address):
    found = posting_url(address)
    assert found is not None
    assert (found.kind, found.key, found.board or "-") == ("posting", key, board)


@pytest.mark.parametrize(("address", "platform", "board"), BOARDS)
def test_an_address_of_a_board_names_the_board_and_no_posting(address, platform, board):
    found = posting_url(address)
    assert found is not None
    assert (found.kind, found.platform, found.board, found.vendor_id) == ("board", platform, board, None)


def test_a_posting_without_an_id_in_its_address_is_known_by_its_canonical_address():
    found = posting_url("https://northwind.recruitee.com/l/en/o/Office-Manager/c/new?source=x")
    assert found is not None
    assert found.kind == "posting"
    assert found.key == found.canonical == "https://northwind.recruitee.com/o/office-manager"


def test_addresses_of_one_posting_at_one_board_have_one_canonical_spelling():
    spellings: dict[str, set[str]] = {}
    for key, board, address in POSTINGS:
        # Lever's European host and the case of its sites are part of an address that works.
        if board != "-" and not key.startswith("lever"):
            spellings.setdefault(key, set()).add(canonical_url(address) or "")
    assert {key: found for key, found in spellings.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("address", "link"),
    [
        (
            "https://boards.greenhouse.io/embed/job_app?for=northwind&token=862",
            "https://job-boards.greenhouse.io/northwind/jobs/862",
        ),
        (
            "https://boards.eu.greenhouse.io/northwind/jobs/862?gh_src=ab12",
            "https://job-boards.eu.greenhouse.io/northwind/jobs/862",
        ),
        (
            "https://boards.greenhouse.io/embed/job_app?token=862",
            "https://boards.greenhouse.io/embed/job_app?token=862",
        ),
        (
            "https://apply.workable.com/northwind/j/0AB5665160/apply/",
            "https://apply.workable.com/northwind/j/0AB5665160",
        ),
        ("https://jobs.lever.co/northwind/" + UUID, "https://jobs.lever.co/northwind/" + UUID),
    ],
)
def test_the_link_of_a_posting_keeps_the_board_it_was_named_with(address, link):
    found, again = posting_url(address), posting_url(link)
    assert found is not None
    assert again is not None
    assert found.link == link
    assert (again.canonical, again.board, again.link) == (found.canonical, found.board, link)


def test_a_workday_address_carries_its_requisition():
    found = posting_url("https://nw.wd5.myworkdayjobs.com/en-US/Careers/job/Oslo/Tester_JR2019510-1")
    assert found is not None
    assert found.requisition == "JR2019510"


@pytest.mark.parametrize("address", FORWARDED)
def test_a_forwarding_address_is_replaced_by_the_target_it_carries(address):
    assert canonical_url(address) == LEVER


@pytest.mark.parametrize(("address", "canonical"), PAGES)
def test_a_page_of_an_unknown_host_keeps_its_path_and_loses_its_tracking(address, canonical):
    found = posting_url(address)
    assert found is not None
    assert (found.canonical, found.kind, found.platform) == (canonical, "page", None)


@pytest.mark.parametrize("text", NOT_ADDRESSES)
def test_what_is_no_web_address_is_none(text):
    assert posting_url(text) is None


def test_a_chain_of_forwarding_too_long_to_trust_stays_as_it_is():
    address = "https://www.google.com/url?q=" * 40 + LEVER
    found = posting_url(address)
    assert found is None or found.kind == "page"


def test_a_path_that_only_looks_like_a_platforms_is_a_page():
    for address in (
        f"https://jobs.lever.co.evil.example/northwind/{UUID}",
        f"https://evil.example/jobs.lever.co/northwind/{UUID}",
        "https://www.greenhouse.io/customers/northwind/jobs/8620720002",
        "https://northwind.example/?gh_jid=abc",
        "https://www.careers-page.com/api/v2/c",
        "https://www.teamtailor.com/jobs",
    ):
        found = posting_url(address)
        assert found is not None
        assert found.kind == "page"


ALL = [row[2] for row in POSTINGS] + [row[0] for row in (*BOARDS, *PAGES)]
TRACKING = st.sampled_from(
    [
        "utm_source=a",
        "utm_campaign=b%20c",
        "gh_src=1",
        "lever-source=X",
        "ref=y",
        "source=LinkedIn",
        "fbclid=z",
        "trk=q",
    ]
)


@given(
    st.sampled_from(ALL),
    st.lists(TRACKING, min_size=1, max_size=4),
)
def test_tracking_parameters_never_change_what_is_named(address, extra):
    plain, mark, fragment = address.partition("#")
    marked = plain + ("&" if "?" in plain else "?") + "&".join(extra) + mark + fragment
    before, after = posting_url(address), posting_url(marked)
    assert before is not None
    assert after is not None
    assert (after.key, after.canonical) == (before.key, before.canonical)


PIECES = st.sampled_from([
    "https://", "http://", "HTTPS://", "jobs.lever.co", "jobs.ashbyhq.com", "boards.greenhouse.io",
    "nw.wd5.myworkdayjobs.com", "apply.workable.com", "click.mailer.example", "www.google.com/url",
    "urldefense.com/v3/__", "x.awstrack.me/L0/", "https:%2F%2F", "/", "/", "?", "&", "=", "#", "#/",
    "?url=", "?u=", "&q=", "gh_jid=", "ashby_jid=", UUID, "8620720002", "/job/", "/jobs/",
    "Title_JR2019510-1", "en-US/", "/apply", "%2F", "%25", "%41", "%", "+", " ", "..", ".",
    ";jsessionid=1", "amp;", "é", "\x00", "\ud800", "\\", "@", ":80", ":443", ":8080", "[::1]", "{id}",
    "__", "*", "j/0ab5665160", "[", "]",
])  # fmt: skip
ADDRESSES = st.one_of(
    st.text(),
    st.lists(PIECES, max_size=14).map("".join),
    st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=14).map(
        lambda parts: "https://" + "".join(parts)
    ),
    st.sampled_from([*ALL, *FORWARDED]),
)


@given(ADDRESSES)
@settings(max_examples=600)
@example("https://a/?x=https://jobs.lever.co/a/b?y=https://jobs.ashbyhq.com/c/" + UUID)
@example("https://a.b/?amp;amp;c=1&amp;=2")
@example("https://a/..;jsessionid=1/b")
def test_reading_the_canonical_address_again_gives_the_same_and_never_raises(text):
    found = posting_url(text)
    if found is None:
        return
    again = posting_url(found.canonical)
    assert again is not None
    assert (again.canonical, again.key, again.kind) == (found.canonical, found.key, found.kind)
    assert len(found.canonical) <= MAX_CANONICAL_CHARS
    assert found.canonical.isascii()
    assert found.canonical.isprintable()
    assert " " not in found.canonical
