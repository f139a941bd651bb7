"""Ashby's answers become listings: every captured board whole, every odd field at the price of that field."""

import json
from datetime import UTC, datetime

import pytest
from emulators.boards import Job, ashby_board, ashby_job, salary
from fixtures.oddities import ODD

from pipeline.sources.adapters.ashby import Ashby, read_board
from pipeline.sources.registry import place_of
from pipeline.sources.types import Answer, BoardReading, FetchFailed, Pay, PlaceHint, Posted
from schema.identity.urls import posting_url


def read(content: bytes) -> BoardReading:
    return read_board(Answer(url="http://board.example", status=200, body=content))


def one(job: Job):
    reading = read(ashby_board(job))
    assert len(reading.listings) == 1
    return reading.listings[0]


def test_every_captured_board_is_read_whole(shared_data):
    for file in sorted((shared_data / "ats" / "ashby").glob("*.json")):
        jobs = json.loads(file.read_bytes())["jobs"]
        reading = read(file.read_bytes())
        assert [each.vendor_id for each in reading.listings] == [job["id"] for job in jobs], file.name
        assert reading.coverage == "complete", file.name
        assert (reading.evidence.unreadable_rows, reading.evidence.odd_fields) == (0, 0), file.name
        for listing, job in zip(reading.listings, jobs, strict=True):
            assert listing.title == job["title"]
            assert job["location"].strip() in {*listing.locations, ""}
            assert (listing.posted is None) == (job["publishedAt"] is None)
            assert posting_url(listing.page_url or "").vendor_id == listing.vendor_id  # type: ignore[union-attr]
            country = job["address"] and job["address"]["postalAddress"].get("addressCountry")
            assert not country or listing.places[0].country == country.strip()
            salaries = [
                (each["minValue"], each["maxValue"], each["currencyCode"])
                for each in job["compensation"]["summaryComponents"]
                if each["compensationType"] == "Salary" and job["shouldDisplayCompensationOnJobPostings"]
                # An hour's pay written as a year's, and "$1 to $500,000", say nothing.
                if each["interval"] != "1 YEAR" or each["minValue"] >= 1_000
            ]
            pay = listing.pay
            assert [pay and (pay.low, pay.high, pay.currency)] == (salaries or [None])


def test_a_listing_says_what_the_platform_said():
    listing = one(
        ashby_job(
            "Pilot",
            secondaryLocations=[{"location": " Bergen "}, {"location": "Oslo"}, {}],
            workplaceType="Hybrid",
            isRemote=True,
            shouldDisplayCompensationOnJobPostings=True,
            compensation=salary(700_000, 900_000, "NOK"),
        )
    )
    assert listing.locations == ("Oslo", "Bergen")
    assert (listing.workplace, listing.workplace_signals) == (
        "hybrid",
        ("workplaceType=Hybrid", "isRemote=true"),
    )
    assert listing.pay == Pay(low=700_000, high=900_000, currency="NOK", interval="year", source="field")
    at = datetime(2026, 2, 20, 8, 15, 30, 120_000, tzinfo=UTC)
    assert listing.posted == Posted(meaning="last_published", at=at)
    assert listing.employment_type == "full_time"
    assert "description" not in json.loads(listing.record).keys() & {"descriptionHtml", "descriptionPlain"}


def test_places_come_in_the_parts_the_platform_tells():
    nested = {
        "postalAddress": {"addressRegion": " CA ", "addressCountry": "USA", "addressLocality": "San Jose "}
    }
    flat = {"addressCountry": "Canada"}
    listing = one(
        ashby_job(
            "Pilot",
            location="HQ ",
            address=nested,
            secondaryLocations=[
                {"location": "Remote - Canada", "address": flat},
                {"location": "EMEA", "address": None},
                {"location": "HQ", "address": nested},
            ],
        )
    )
    assert listing.places == (
        PlaceHint(text="HQ", city="San Jose", region="CA", country="USA"),
        PlaceHint(text="Remote - Canada", country="Canada"),
        PlaceHint(text="EMEA"),
    )
    assert listing.company is None
    assert one(ashby_job("Pilot", address=None)).places == ()
    assert one(ashby_job("Pilot", address={"postalAddress": {}})).places == ()


def test_failure_8_two_names_of_boards_show_postings_of_one_identity():
    rows = [ashby_job("Pilot", board=board) for board in ("northwind", "Northwind Ltd")]
    assert len({one(row).vendor_id for row in rows}) == 1
    upper = one(ashby_job("Pilot", id=str(rows[0]["id"]).upper()))
    assert upper.vendor_id == rows[0]["id"]
    spelled = ("https://jobs.ashbyhq.com/Northwind%20Ltd", "https://jobs.ashbyhq.com/Northwind Ltd/")
    assert {place_of(url).board for url in spelled} == {"Northwind Ltd"}


def test_failure_10_openings_of_one_title_stay_apart_and_brackets_stay():
    jobs = [
        ashby_job(name, title=title)
        for name, title in (("a", "Cook (Sea)"), ("b", "Cook (Sea)"), ("c", "Cook (Land)"))
    ]
    listings = read(ashby_board(*jobs)).listings
    assert [each.title for each in listings] == ["Cook (Sea)", "Cook (Sea)", "Cook (Land)"]
    assert len({each.vendor_id for each in listings}) == 3


def test_failure_12_a_date_no_posting_can_have_is_none():
    for never in ("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "2026-02-20", None):
        assert one(ashby_job("Pilot", publishedAt=never)).posted is None


@pytest.mark.parametrize(
    "changed",
    [
        {"shouldDisplayCompensationOnJobPostings": False, "compensation": salary(1, 2)},
        {"compensation": salary(0, 0)},
        {"compensation": salary(900, 700)},
        {"compensation": salary(None, None)},
        {"compensation": salary(1e300, 1e301)},
        {"compensation": None},
    ],
)
def test_pay_that_is_hidden_or_not_one_range_is_unknown(changed):
    assert one(ashby_job("Pilot", **{"shouldDisplayCompensationOnJobPostings": True, **changed})).pay is None


def test_workplace_is_unknown_when_only_not_remote_is_said():
    assert one(ashby_job("Pilot", isRemote=False)).workplace is None
    assert one(ashby_job("Pilot", isRemote=None)).workplace is None
    assert one(ashby_job("Pilot", isRemote=True)).workplace == "remote"


@pytest.mark.parametrize(
    "changed",
    [
        {"title": 7},
        {"secondaryLocations": {"not": "a list"}},
        {"location": ["Oslo"]},
        {"publishedAt": "last Tuesday"},
        {"compensation": [[[[1]]]]},
        {"employmentType": None, "isRemote": "perhaps"},
    ],
)
def test_an_odd_field_costs_that_field_and_not_the_row(changed):
    reading = read(ashby_board(ashby_job("Pilot", **changed), ashby_job("Cook")))
    assert len(reading.listings) == 2
    assert reading.coverage == "complete"
    assert reading.evidence.odd_fields >= 1


def test_a_row_without_an_identity_makes_the_reading_partial():
    reading = read(ashby_board(ashby_job("Pilot"), ashby_job("Cook", id=None), ashby_job("Mate", id="  ")))
    assert len(reading.listings) == 1
    assert (reading.coverage, reading.evidence.unreadable_rows) == ("partial", 2)


def test_a_repeated_row_is_one_listing():
    reading = read(ashby_board(ashby_job("Pilot"), ashby_job("Pilot")))
    assert (len(reading.listings), reading.evidence.repeated_rows, reading.coverage) == (1, 1, "complete")


def test_loose_json_does_not_cost_the_board():
    text = ashby_board(ashby_job("Pilot"), ashby_job("Cook"))
    for broken in (
        text.replace(b'"Pilot"', b'"Pilot\\ud83d"'),
        text.replace(b'"Pilot"', b'"Pilot\\u0000"'),
        text.replace(b'"Pilot"', b'"Pilot\xff"'),
        b"\xef\xbb\xbf" + text,
        text.replace(b'"team": "Harbour"', b'"team": NaN', 1),
        text.replace(b'"team": "Harbour"', b'"team": 1e999', 1),
    ):
        reading = read(broken)
        assert len(reading.listings) == 2, broken[:80]
        for listing in reading.listings:
            json.loads(listing.record)
            assert listing.record.decode().isprintable()
            assert "\\u0000" not in listing.record.decode()


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"null", b'{"jobs": null}', b'{"jobs": "none"}', b"<html>busy</html>", b"{" * 100_000,
     b'{"jobs": ' + b"[" * 100_000, ashby_board(ashby_job("Pilot"))[:-20], b"\x00" * 10],
)  # fmt: skip
def test_what_is_no_board_is_a_failed_reading(content):
    reading = read(content)
    assert (reading.coverage, reading.listings) == ("failed", ())
    assert reading.evidence.problem == "not_a_board"


@pytest.mark.parametrize(
    ("status", "problem"),
    [
        (404, "board_unknown"),
        (403, "access_refused"),
        (429, "throttled"),
        (503, "platform_error"),
        (302, "platform_error"),
    ],
)
async def test_a_refusing_answer_is_evidence_not_a_board(status, problem):
    async def fetch(url: str, **_: object) -> Answer:
        return Answer(url=url, status=status, body=b"{}", retry_after_seconds=7)

    reading = await Ashby().read("northwind", fetch)
    assert (reading.coverage, reading.evidence.problem, reading.evidence.status) == (
        "failed",
        problem,
        status,
    )
    assert reading.evidence.retry_after_seconds == 7


async def test_the_board_is_asked_by_its_name_whatever_is_in_it():
    asked: list[str] = []

    async def fetch(url: str, **_: object) -> Answer:
        asked.append(url)
        raise FetchFailed("timeout")

    reading = await Ashby().read("Nørd & Wind/../x?y", fetch)
    assert reading.evidence.problem == "timeout"
    assert asked == [
        "https://api.ashbyhq.com/posting-api/job-board/N%C3%B8rd%20%26%20Wind%2F..%2Fx%3Fy?includeCompensation=true"
    ]


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_failure_18_an_odd_value_of_any_field_costs_that_field(odd):
    for name in ashby_job("Pilot"):
        broken = json.dumps(ashby_job("Pilot", **{name: "@odd@"})).replace('"@odd@"', odd)
        reading = read(f'{{"jobs":[{broken},{json.dumps(ashby_job("Cook"))}]}}'.encode())
        assert reading.evidence.unreadable_rows + len(reading.listings) == 2, name
        assert reading.listings[-1].title == "Cook"
        assert name == "id" or len(reading.listings) == 2, name
        for listing in reading.listings:
            json.loads(listing.record)
