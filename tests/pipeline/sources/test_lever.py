"""Lever: captured sites whole, an emulated one on both its sides, and odd fields at their own price."""

import json
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from emulators.lever import EUROPEAN, GLOBAL, Job, Lever, lever_job
from emulators.web import Reply, Web
from fixtures.oddities import ODD

from pipeline.sources.adapters.lever import Lever as Adapter
from pipeline.sources.adapters.lever import Site, read_board
from pipeline.sources.client import open_fetcher
from pipeline.sources.descriptions import described
from pipeline.sources.registry import place_of
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Listing,
    Pay,
    PlaceHint,
    Posted,
    PostingPlace,
    Validators,
)
from schema.identity.urls import posting_url


@pytest.fixture
def lever(web: Web) -> Lever:
    return Lever(web)


def read(content: bytes, side: str = "", validators: Validators | None = None) -> BoardReading:
    answer = Answer(url="https://board.example", status=200, body=content, validators=validators)
    return read_board(Site(name="northwind", side=side), answer)


def one(**changed: object) -> Listing:
    (listing,) = read(json.dumps([lever_job("Pilot", **changed)]).encode()).listings
    return listing


def place(job: Job, board: str = "northwind") -> PostingPlace:
    return PostingPlace(board=board, vendor_id=str(job["id"]), page_url=str(job["hostedUrl"]))


def test_every_captured_site_is_read_whole(shared_data):
    for file in sorted((shared_data / "ats" / "lever").glob("*.json")):
        jobs = json.loads(file.read_bytes())
        reading = read(file.read_bytes(), validators=Validators(etag='W/"1"'))
        assert [each.vendor_id for each in reading.listings] == [job["id"] for job in jobs], file.name
        assert reading.coverage == "complete", file.name
        assert reading.validators == Validators(etag='W/"1"')
        assert (reading.evidence.unreadable_rows, reading.evidence.odd_fields) == (0, 0), file.name
        for listing, job in zip(reading.listings, jobs, strict=True):
            created = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=job["createdAt"])
            assert (listing.title, listing.posted) == (job["text"], Posted(meaning="created", at=created))
            assert listing.workplace == job["workplaceType"]
            assert listing.places[0].country == job["country"]
            assert listing.locations == tuple(job["categories"]["allLocations"])
            assert (listing.employment_type is None) == (job["categories"]["commitment"] == "Permanent")
            assert (listing.pay is None) == ("salaryRange" not in job)
            assert posting_url(listing.page_url or "").vendor_id == listing.vendor_id  # type: ignore[union-attr]
            assert posting_url(listing.apply_url or "").vendor_id == listing.vendor_id  # type: ignore[union-attr]
            text = described(listing.description or "")
            assert text is not None
            assert all(each["text"].strip() in text.text for each in job.get("lists", []))


async def test_a_site_is_read_in_one_answer_and_asked_later_whether_it_changed(web, lever, fetch):
    lever.sites[GLOBAL, "northwind"] = [lever_job("Pilot"), lever_job("Cook")]
    first = await Adapter().read("northwind", fetch)
    assert (first.coverage, len(first.listings), first.evidence.answers) == ("complete", 2, 1)
    assert first.validators is not None
    again = await Adapter().read("northwind", fetch, first.validators)
    assert (again.coverage, again.listings, again.evidence.is_unchanged) == ("complete", (), True)
    assert [asked.host for asked in web.pages()] == [GLOBAL, GLOBAL]


async def test_a_site_stands_on_the_side_its_address_names(web, lever, fetch):
    lever.sites[EUROPEAN, "Northwind"] = [lever_job("Pilot", site="Northwind", side=".eu")]
    board = place_of("https://jobs.eu.lever.co/Northwind").board
    reading = await Adapter().read(board, fetch)
    assert (reading.coverage, reading.listings[0].title) == ("complete", "Pilot")
    assert [asked.host for asked in web.pages()] == [EUROPEAN]
    named = posting_url(reading.listings[0].page_url or "")
    assert named is not None
    assert (named.board, named.vendor_id) == (board, reading.listings[0].vendor_id)


async def test_a_site_is_looked_for_on_both_sides_before_it_is_unknown(web, lever, fetch):
    lever.sites[EUROPEAN, "northwind"] = [lever_job("Pilot", side=".eu", hostedUrl=None, applyUrl=None)]
    reading = await Adapter().read("northwind", fetch)
    assert (reading.coverage, len(reading.listings)) == ("complete", 1)
    assert (reading.listings[0].page_url or "").startswith("https://jobs.eu.lever.co/northwind/")
    nobody = await Adapter().read("nobody", fetch)
    assert (nobody.coverage, nobody.evidence.problem, nobody.evidence.answers) == (
        "failed",
        "board_unknown",
        2,
    )
    assert [asked.host for asked in web.pages()] == [GLOBAL, EUROPEAN] * 2


async def test_failure_8_a_site_of_another_case_or_side_is_another_employer(lever, fetch):
    lever.sites[GLOBAL, "northwind"] = [lever_job("Pilot")]
    lever.sites[EUROPEAN, "northwind"] = [lever_job("Cook", side=".eu")]
    spelled = (place_of(f"https://{host}/northwind").board for host in ("jobs.lever.co", "jobs.eu.lever.co"))
    readings = [await Adapter().read(board, fetch) for board in spelled]
    assert [each.title for reading in readings for each in reading.listings] == ["Pilot", "Cook"]
    other = await Adapter().read(place_of("https://jobs.lever.co/NorthWind").board, fetch)
    assert other.evidence.problem == "board_unknown"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(status=403), "access_refused"),
        (Reply(status=429), "throttled"),
        (Reply(status=500), "platform_error"),
        (Reply(b'{"ok":false,"error":"Document not found"}'), "not_a_board"),
        (Reply(json.dumps([lever_job("Pilot")]).encode()[:-1]), "not_a_board"),
        (Reply(json.dumps([lever_job("Pilot")]).encode(), kept=40), "cut_short"),
    ],
)
async def test_failure_1_an_error_is_never_the_end_of_a_list_nor_a_reason_to_ask_elsewhere(
    web, lever, fetch, reply, problem
):
    lever.sites[EUROPEAN, "northwind"] = [lever_job("Pilot", side=".eu")]
    web.fail(GLOBAL, reply)
    reading = await Adapter().read("northwind", fetch)
    assert (reading.coverage, reading.evidence.problem, reading.validators) == ("failed", problem, None)
    assert [asked.host for asked in web.pages()] == [GLOBAL]


def test_failure_19_a_site_that_was_not_read_whole_is_never_asked_whether_it_changed():
    rows = [lever_job("Pilot"), lever_job("Cook", id=None), 7]
    reading = read(json.dumps(rows).encode(), validators=Validators(etag='"1"'))
    assert (reading.coverage, reading.evidence.unreadable_rows, reading.validators) == ("partial", 2, None)


async def test_a_posting_alone_is_open_gone_or_unknown(web, lever, fetch):
    pilot, cook = lever_job("Pilot"), lever_job("Cook")
    lever.sites[GLOBAL, "northwind"] = [pilot]
    found = await Adapter().look(place(pilot), fetch)
    assert (found.state, found.listing and found.listing.title) == ("open", "Pilot")
    gone = await Adapter().look(place(cook), fetch)
    assert (gone.state, gone.evidence.status) == ("gone", 404)
    for reply in (Reply(status=403), Reply(status=500), Reply(b"<html>"), Reply(json.dumps(cook).encode())):
        web.fail(GLOBAL, reply)
        assert (await Adapter().look(place(pilot), fetch)).state == "unknown", reply
    missing = Reply(b'{"ok":false,"error":"Document not found"}', 404)
    web.fail(GLOBAL, missing, Reply(b"<html>Be right back</html>"))
    assert (await Adapter().look(place(pilot), fetch)).evidence.problem == "not_a_board"
    away = await Adapter().look(place(lever_job("Pilot", site="renamed"), board="renamed"), fetch)
    assert (away.state, away.evidence.problem) == ("unknown", "board_unknown")


async def test_a_posting_is_gone_only_after_both_sides_were_asked(web, lever, fetch):
    pilot = lever_job("Pilot", side=".eu")
    lever.sites[EUROPEAN, "northwind"] = [pilot]
    assert (await Adapter().look(place(pilot), fetch)).state == "open"
    assert {asked.host for asked in web.pages()} == {EUROPEAN}
    elsewhere = PostingPlace(
        board="northwind", vendor_id=str(pilot["id"]), page_url="https://northwind.example/"
    )
    assert (await Adapter().look(elsewhere, fetch)).state == "open"
    lever.sites[GLOBAL, "northwind"] = [lever_job("Cook")]
    assert (await Adapter().look(elsewhere, fetch)).state == "open"
    lever.sites[EUROPEAN, "northwind"] = []
    assert (await Adapter().look(elsewhere, fetch)).state == "gone"
    web.fail(EUROPEAN, Reply(status=503))
    assert (await Adapter().look(elsewhere, fetch)).state == "unknown"


async def test_failure_4_a_site_too_large_for_one_answer_is_read_in_pages_to_its_end(
    web, lever, web_settings
):
    jobs = [lever_job(f"Pilot {number}", description="boat " * 1_600) for number in range(150)]
    lever.sites[GLOBAL, "northwind"] = jobs
    async with open_fetcher(msgspec.structs.replace(web_settings, response_limit_mb=1)) as fetch:
        whole = await Adapter().read("northwind", fetch)
        assert (whole.coverage, len(whole.listings), whole.validators) == ("complete", 150, None)
        assert (whole.evidence.answers, whole.evidence.ended_naturally) == (2, True)
        asked = [page.query.get("skip") for page in web.pages()]
        assert asked == [None, "0", "100", "0"]

        too_large = Reply(b" " * 2_000_000)
        web.fail(GLOBAL, too_large, Reply(json.dumps([lever_job("Cook"), *jobs[:99]]).encode()))
        moved = await Adapter().read("northwind", fetch)
        assert (moved.coverage, len(moved.listings)) == ("partial", 150)

        web.fail(GLOBAL, too_large, Reply(json.dumps(jobs[:100]).encode()), Reply(status=503))
        broken = await Adapter().read("northwind", fetch)
        assert (broken.coverage, len(broken.listings), broken.evidence.problem) == (
            "partial",
            100,
            "platform_error",
        )

        web.fail(GLOBAL, too_large, *[Reply(json.dumps(jobs[:100]).encode())] * 2)
        same = await Adapter().read("northwind", fetch)
        assert (same.coverage, len(same.listings), same.evidence.repeated_pages) == ("partial", 100, 1)

        web.fail(GLOBAL, *[too_large] * 2)
        assert (await Adapter().read("northwind", fetch)).evidence.problem == "too_large"


def test_failure_12_a_creation_is_no_publication_and_zero_no_date():
    created = one(createdAt=1674959303769).posted
    assert created == Posted(meaning="created", at=datetime(2023, 1, 29, 2, 28, 23, 769_000, tzinfo=UTC))
    for never in (0, -62_135_596_800_000, 253_402_300_799_000, 1e300, None, "2026-07-16", 1):
        assert one(createdAt=never).posted is None, never


def test_failure_13_all_that_is_asked_of_an_applicant_is_in_the_text():
    told = described(one(salaryDescription="<p>NOK 700,000</p>").description or "")
    assert told is not None
    assert [line for line in told.text.splitlines() if line] == [
        "Northwind sails.", "Pilot at the harbour.", "What you bring", "- Ropes", "- Knots & oars",
        "NOK 700,000", "Four weeks off.",
    ]  # fmt: skip
    assert "description" not in json.loads(one().record)
    assert "lists" not in json.loads(one().record)


def test_plain_text_stands_in_where_there_is_no_other():
    bare = dict.fromkeys(("description", "additional", "lists"))
    told = described(one(**bare, descriptionPlain="Boats < 12 m\n& ropes").description or "")
    assert told is not None
    assert told.text == "Boats < 12 m\n& ropes\nFour weeks off."
    assert (
        one(description="", descriptionPlain="", additional="", additionalPlain="", lists=[]).description
        == ""
    )
    none = dict.fromkeys(lever_job("Pilot")) | {"id": "1", "text": "Pilot"}
    assert read(json.dumps([none]).encode()).listings[0].description is None


@pytest.mark.parametrize(
    ("salary", "low", "high", "currency", "interval"),
    [
        (("USD", "per-year-salary", 150_000, 180_000), 150_000, 180_000, "USD", "year"),
        (("EUR", "per-hour-wage", 30.5, 40), 30.5, 40, "EUR", "hour"),
        (("EUR", "per-month-salary", 4_000, None), 4_000, None, "EUR", "month"),
        (("usd", "bi-weekly-salary", 0, 40), None, 40, None, None),
        (("USD", "one-time", None, 500), None, 500, "USD", "once"),
    ],
)
def test_failure_14_pay_is_what_the_field_says_in_its_own_interval(salary, low, high, currency, interval):
    told = dict(zip(("currency", "interval", "min", "max"), salary, strict=True))
    assert one(salaryRange=told).pay == Pay(
        low=low, high=high, currency=currency, interval=interval, source="field"
    )


@pytest.mark.parametrize("salary", [{"min": 9, "max": 7}, {"min": 0, "max": 0}, {"min": "many"}, {}, None, 7])
def test_pay_that_says_nothing_is_unknown(salary):
    assert one(salaryRange=salary).pay is None


def test_the_country_is_that_of_the_first_place():
    categories = {
        "location": " Oslo ",
        "allLocations": ["Oslo", "Gothenburg"],
        "commitment": "Part-time, Contract",
    }
    listing = one(categories=categories)
    assert listing.locations == ("Oslo", "Gothenburg")
    assert listing.places == (PlaceHint(text="Oslo", country="NO"), PlaceHint(text="Gothenburg"))
    assert listing.employment_type is None
    assert one(country=None).places == ()
    assert one(categories=None).places == (PlaceHint(country="NO"),)


@pytest.mark.parametrize(
    ("told", "workplace"),
    [("onsite", "onsite"), ("on-site", "onsite"), ("remote", "remote"), ("unspecified", None), (None, None)],
)
def test_workplace_is_the_field_and_its_word_is_kept(told, workplace):
    listing = one(workplaceType=told)
    assert (listing.workplace, listing.workplace_signals) == (
        workplace,
        () if told is None else (f"workplaceType={told}",),
    )


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_failure_18_an_odd_value_of_any_field_costs_that_field(odd):
    for name in lever_job("Pilot", salaryRange=None):
        broken = json.dumps(lever_job("Pilot", **{name: "@odd@"})).replace('"@odd@"', odd)
        reading = read(f"[{broken},{json.dumps(lever_job('Cook'))}]".encode())
        assert reading.evidence.unreadable_rows + len(reading.listings) == 2, name
        assert reading.listings[-1].title == "Cook"
        assert name == "id" or len(reading.listings) == 2, name
        for listing in reading.listings:
            msgspec.json.decode(listing.record)
