"""Rippling's lists become one listing a posting, its records tell what lists leave out."""

import json
from datetime import UTC, datetime

import pytest
from emulators.rippling import RIPPLING, missing, place, record, rows, tier, uuid
from emulators.rippling import Rippling as Platform
from emulators.web import Reply, Web

from pipeline.sources.adapters.rippling import Rippling
from pipeline.sources.client import open_fetcher
from pipeline.sources.registry import place_of
from pipeline.sources.types import BoardReading, Detail, Pay, Posted, PostingPlace
from schema.identity.urls import posting_url

THROTTLED = Reply(b"", 429, headers={"Retry-After": "600"})


@pytest.fixture
def platform(web: Web) -> Platform:
    platform = Platform({"northwind": []})
    web.sites[RIPPLING] = platform
    return platform


@pytest.fixture
def read(web_settings):
    async def reading(board: str = "northwind") -> BoardReading:
        async with open_fetcher(web_settings) as fetch:
            return await Rippling().read(board, fetch)

    return reading


@pytest.fixture
def look(web_settings):
    async def looking(number: int, board: str = "northwind") -> Detail:
        url = f"https://ats.rippling.com/{board}/jobs/{uuid(number)}"
        async with open_fetcher(web_settings) as fetch:
            wanted = PostingPlace(board=board, vendor_id=uuid(number), page_url=url, apply_url=url)
            return await Rippling().look(wanted, fetch)

    return looking


async def test_rows_of_one_posting_are_one_listing_with_all_its_places(platform, read):
    platform.boards["northwind"] = [
        *rows(1, place("Oslo, Norway"), place("Bergen, Norway", "REMOTE")),
        *rows(2, place("Remote (Norway)", "REMOTE", city=None)),
        *rows(1, place("Oslo, Norway")),
    ]
    reading = await read()
    first, second = reading.listings
    assert (reading.coverage, reading.evidence.rows, reading.evidence.repeated_rows) == ("complete", 4, 2)
    assert (first.vendor_id, first.locations) == (uuid(1), ("Oslo, Norway", "Bergen, Norway"))
    assert [(each.city, each.country) for each in first.places] == [("Oslo", "NO"), ("Bergen", "NO")]
    assert (first.workplace, first.workplace_signals) == (
        None,
        ("workplaceType=ON_SITE", "workplaceType=REMOTE"),
    )
    assert (second.workplace, second.description, second.posted) == ("remote", None, None)
    assert len(json.loads(first.record)["locations"]) == 3
    found = posting_url(first.page_url or "")
    assert found is not None and found.vendor_id == first.vendor_id


async def test_a_posting_is_no_other_one_for_the_order_of_its_rows(platform, read):
    both = rows(1, place("Oslo"), place("Bergen"))
    platform.boards["northwind"] = both
    before = (await read()).listings[0].fingerprint
    platform.boards["northwind"] = both[::-1]
    assert (await read()).listings[0].fingerprint == before
    platform.boards["northwind"] = both[:1]
    assert (await read()).listings[0].fingerprint != before


@pytest.mark.parametrize("tells_pages", [False, True])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 35])
async def test_a_board_of_any_number_of_pages_is_read_whole(platform, read, count, tells_pages):
    platform.most, platform.tells_pages = 10, tells_pages
    platform.boards["northwind"] = [row for number in range(count) for row in rows(number)]
    reading = await read()
    assert (reading.coverage, len(reading.listings)) == ("complete", count)
    assert reading.evidence.vendor_total == (count if tells_pages else None)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (THROTTLED, "throttled"),
        (Reply(b"", 500), "platform_error"),
        (Reply(b"{}"), "not_a_board"),
        (missing("Job Board"), "board_unknown"),
        (Reply(b"", 302, headers={"Location": "https://www.rippling.example/"}), "board_unknown"),
    ],
)
async def test_an_error_on_a_later_page_is_not_the_end_of_the_list(web: Web, platform, read, wrong, problem):
    platform.most = 10
    platform.boards["northwind"] = [row for number in range(30) for row in rows(number)]
    platform.before = lambda number: web.fail(RIPPLING, wrong) if number == 1 else None
    reading = await read()
    assert (reading.coverage, reading.evidence.problem) == ("partial", problem)
    assert len(reading.listings) == 20


async def test_a_page_that_is_empty_or_came_before_is_not_the_end(platform, read):
    platform.most = 10
    whole = [row for number in range(30) for row in rows(number)]
    platform.boards["northwind"] = whole

    def lose_the_second(number: int) -> None:
        platform.boards["northwind"] = whole[:10] + [{}] * 20 if number == 1 else whole

    platform.before = lose_the_second
    assert (await read()).coverage == "partial"

    def repeat_the_first(number: int) -> None:
        platform.boards["northwind"] = whole[:10] * 3 if number else whole

    platform.before, platform.lists = repeat_the_first, 0
    reading = await read()
    assert (reading.coverage, reading.evidence.cap, reading.evidence.repeated_pages) == ("capped", 10, 1)


async def test_a_large_board_that_moves_under_its_reader_is_not_called_complete(platform, read):
    platform.most = 10
    platform.boards["northwind"] = [row for number in range(30) for row in rows(number)]

    def move(number: int) -> None:
        if number == 1:
            del platform.boards["northwind"][0]
            platform.boards["northwind"] += rows(99)

    platform.before = move
    assert (await read()).coverage == "partial"


async def test_a_name_in_the_wrong_case_is_an_unknown_board_and_its_postings_are_not_gone(
    platform, read, look
):
    platform.boards["northwind"] = rows(1)
    reading = await read("Northwind")
    assert (reading.coverage, reading.evidence.problem) == ("failed", "board_unknown")
    assert (await look(1, "Northwind")).state == "unknown"
    assert place_of("https://ats.rippling.com/en-GB/Northwind/jobs").board == "Northwind"


async def test_odd_rows_and_fields_cost_themselves(platform, read):
    platform.boards["northwind"] = [
        *rows(1, locations="Oslo", language=7),
        *rows(2, id=None),
        *rows(3, name="\ud800"),
        {"id": uuid(4), "locations": [None]},
        {"id": "x" * 400},
    ]
    reading = await read()
    assert reading.coverage == "partial"
    assert [each.vendor_id for each in reading.listings] == [uuid(1), uuid(3), uuid(4)]
    assert (reading.evidence.unreadable_rows, reading.evidence.odd_fields) == (2, 3)


async def test_a_record_tells_text_pay_and_when_it_was_created(platform, look):
    platform.records[uuid(1)] = record(
        1,
        payRangeDetails=[tier(700_000, 800_000, "NOK"), tier(650_000, None, "NOK"), tier(None, None, "NOK")],
    )
    detail = await look(1)
    listing = detail.listing
    assert detail.state == "open" and listing is not None
    assert listing.description == "<p>Northwind flies.</p>\n<p>You fly.</p>"
    assert listing.pay == Pay(low=650_000, high=800_000, currency="NOK", interval="year", source="field")
    assert listing.posted == Posted(
        meaning="created", at=datetime(2026, 2, 20, 8, 15, 30, 120_000, tzinfo=UTC)
    )
    assert (listing.company, listing.employment_type) == ("Northwind AS", "full_time")
    assert (listing.locations, listing.places, listing.workplace) == (("Oslo, Norway",), (), None)


@pytest.mark.parametrize(
    "tiers",
    [
        [tier(100, 200, "USD"), tier(100, 200, "CAD")],
        [tier(20, 30, "USD", "HOUR"), tier(60_000, 80_000, "USD")],
        [tier(100, 200, "USD"), tier(100, 200, "dollars")],
        [tier(0, 0)],
        [tier(1e300, 1e301)],
        [],
        7,
    ],
)
async def test_tiers_that_cannot_be_compared_are_no_range(platform, look, tiers):
    platform.records[uuid(1)] = record(1, payRangeDetails=tiers)
    listing = (await look(1)).listing
    assert listing is not None and listing.pay is None


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (missing("Job post"), "gone"),
        (Reply(b"", 410), "gone"),
        (Reply(b"", 403), "unknown"),
        (THROTTLED, "unknown"),
        (Reply(b"", 503), "unknown"),
        (Reply(b"<html>", 200, "text/html"), "unknown"),
        (Reply(b"{}"), "unknown"),
        (Reply(json.dumps(record(2)).encode()), "unknown"),
        (Reply(b"{}", kept=1), "unknown"),
    ],
)
async def test_only_a_record_that_is_missing_from_a_board_that_stands_is_gone(platform, look, answer, state):
    platform.records[uuid(1)] = answer
    assert (await look(1)).state == state


@pytest.mark.parametrize(
    ("told", "kept"),
    [({"company": "", "role": None}, ""), ({}, ""), ("<p>x</p>", "<p>x</p>"), (None, None), (7, None)],
)
async def test_a_record_without_text_says_so_and_one_that_leaves_it_out_does_not(platform, look, told, kept):
    platform.records[uuid(1)] = record(1, description=told)
    listing = (await look(1)).listing
    assert listing is not None and listing.description == kept


async def test_the_captured_board_is_read(web: Web, read, shared_data):
    """A bare list, as the first version of the API answered."""
    captured = (shared_data / "ats" / "rippling").glob("*.json")
    for file in captured:
        content = json.loads(file.read_bytes())
        web.fail(RIPPLING, Reply(file.read_bytes()))
        reading = await read()
        assert (reading.coverage, reading.evidence.odd_fields) == ("complete", 0)
        assert {each.vendor_id for each in reading.listings} == {row["uuid"] for row in content}
        assert reading.listings[0].locations == ("Remote (New Jersey, US)", "New York, NY")
