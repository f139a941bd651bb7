"""Workday's lists are read whole or say that they were not; its pages tell what lists leave out."""

import json

import pytest
from emulators.web import Reply, Web
from emulators.workday import Job, WorkdaySite, answered, job, jobs, refusal

from pipeline.sources.adapters.workday import BUDGET, Workday
from pipeline.sources.adapters.workday_pages import Budget
from pipeline.sources.client import open_fetcher
from pipeline.sources.registry import place_of
from pipeline.sources.types import BoardReading

THROTTLED = Reply(b"", 429, headers={"Retry-After": "120"})
BROKEN = refusal(500, "HTTP_500")


@pytest.fixture
def site(web: Web) -> WorkdaySite:
    site = WorkdaySite()
    web.sites[site.host] = site
    return site


@pytest.fixture
def read(web_settings):
    async def reading(board: str = "nw.wd5/Careers", budget: Budget = BUDGET) -> BoardReading:
        async with open_fetcher(web_settings) as fetch:
            return await Workday(budget).read(board, fetch)

    return reading


def numbers(reading: BoardReading) -> list[str]:
    return [each.vendor_id.removeprefix("nw/JR") for each in reading.listings]


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 40, 57, 648])
@pytest.mark.parametrize("whole_pages", [False, True])
async def test_a_list_of_any_length_is_read_whole_though_only_its_first_page_tells_the_total(
    site, read, count, whole_pages
):
    site.jobs, site.whole_pages = jobs(count), whole_pages
    reading = await read()
    assert (reading.coverage, reading.evidence.vendor_total) == ("complete", count)
    assert numbers(reading) == [str(100_000 + number) for number in range(count)]


async def test_a_tenant_that_repeats_its_first_page_behind_row_2000_is_capped(site, read):
    site.jobs, site.clamp = jobs(2_300), 2_000
    for whole_pages in (False, True):
        site.whole_pages = whole_pages
        reading = await read()
        assert (reading.coverage, reading.evidence.cap, len(reading.listings)) == ("capped", 2_000, 2_000)
        assert (reading.evidence.repeated_pages, reading.evidence.vendor_total) == (1, 2_000)
        assert not reading.evidence.ended_naturally


def filtered(count: int, countries: int, *, kinds: int = 2) -> list[Job]:
    """Rows that stand in one or two countries each, and are of one kind."""
    return [
        job(
            number,
            _facets={
                "locationCountry": [f"c{number % countries}", *(["c0"] if number % 9 == 0 else [])],
                "timeType": [f"t{number % kinds}"],
            },
        )
        for number in range(count)
    ]


async def test_a_tenant_that_cuts_its_list_is_read_whole_by_its_filters(web: Web, site, read):
    # 300 rows a list, as a tenant gives 2,000: five countries of 200, of which c0 stands beside others too.
    site.jobs, site.clamp = filtered(900, 5), 300
    reading = await read()
    assert (reading.coverage, len(reading.listings), reading.evidence.cap) == ("complete", 900, None)
    assert (reading.evidence.vendor_total, reading.evidence.ended_naturally) == (900, True)
    assert reading.evidence.answers == len(web.pages())
    # One country holds most: it is read by kinds.
    site.jobs = [job(n, _facets={"locationCountry": ["c0" if n % 10 else "c1"], "timeType": [f"t{n % 4}"],
        "jobFamily": [f"f{n % 3}"]}) for n in range(700)]  # fmt: skip
    reading = await read()
    assert (reading.coverage, len(reading.listings)) == ("complete", 700)


async def test_filters_that_leave_rows_out_prove_nothing(web: Web, site, read):
    site.clamp = 300
    kindless = filtered(900, 5)
    for number in range(0, 900, 7):
        # Rows without a country, which no filter by countries shows.
        kindless[number]["_facets"] = {"timeType": ["t1"]}
    site.jobs = kindless
    reading = await read()
    assert reading.coverage == "capped"
    assert 300 < len(reading.listings) < 900
    assert reading.evidence.cap == len(reading.listings)
    # No filter at all, none that is known to count each row once, and a refusal in the middle.
    site.clamp = 2_000
    for rows in (jobs(2_300), [job(n, _facets={"locationCountry": [f"c{n % 5}"]}) for n in range(2_300)]):
        site.jobs = rows
        assert (await read()).coverage == "capped"
    site.clamp = 300
    site.jobs = filtered(900, 5)
    began = site.lists

    def refuse(number: int) -> None:
        if number == began + 25:
            web.fail(site.host, *[Reply(b"", 403)] * 3)

    site.before = refuse
    reading = await read()
    assert (reading.coverage, reading.evidence.problem) == ("capped", "access_refused")


async def test_a_list_of_exactly_2000_and_one_far_beyond_are_complete(site, read):
    site.jobs = jobs(2_000)
    assert (await read()).coverage == "complete"
    site.jobs = jobs(4_103)
    reading = await read()
    assert (reading.coverage, len(reading.listings)) == ("complete", 4_103)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (THROTTLED, "throttled"),
        (BROKEN, "platform_error"),
        (Reply(b"<html>", 200, "text/html"), "not_a_board"),
        (answered({"errorCode": "S1"}), "not_a_board"),
        (refusal(404, "S22"), "board_unknown"),
        (Reply(b"", 403), "access_refused"),
        (Reply(json.dumps({"jobPostings": []}).encode(), kept=5), "cut_short"),
        (Reply(b"", 303, headers={"Location": "https://community.workday.example/out"}), "platform_error"),
    ],
)
async def test_an_error_in_the_middle_of_a_list_is_not_its_end(web: Web, site, read, wrong, problem):
    site.jobs = jobs(90)
    site.before = lambda number: web.fail(site.host, *[wrong] * 2) if number == 1 else None
    reading = await read()
    assert (reading.coverage, reading.evidence.problem) == ("partial", problem)
    assert 20 < len(reading.listings) < 90
    assert not reading.evidence.ended_naturally


async def test_a_passing_error_in_the_middle_costs_one_more_request(web: Web, site, read):
    site.jobs = jobs(90)
    wrong = {1: BROKEN, 3: THROTTLED}
    site.before = lambda number: web.fail(site.host, wrong[number]) if number in wrong else None
    reading = await read()
    assert (reading.coverage, len(reading.listings), reading.evidence.problem) == ("complete", 90, None)


async def test_an_empty_page_in_the_middle_is_not_the_end(site, read):
    """An overloaded tenant answers 200 with nothing; its total still says how many there are."""
    site.jobs = jobs(90)

    def lose_them(number: int) -> None:
        site.jobs = [] if number in {2, 3} else jobs(90)

    site.before = lose_them
    reading = await read()
    assert (reading.coverage, reading.evidence.vendor_total) == ("partial", 90)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (THROTTLED, "throttled"),
        (BROKEN, "platform_error"),
        (refusal(422, "HTTP_422"), "board_unknown"),
        (refusal(405, "HTTP_405"), "not_a_board"),
        (Reply(b"", 401), "access_refused"),
        (Reply(b"", 303, headers={"Location": "https://community.workday.example/out"}), "platform_error"),
    ],
)
async def test_a_list_that_never_began_failed(web: Web, site, read, wrong, problem):
    web.sites["community.workday.example"] = lambda _: Reply(b"<html>Maintenance", 200, "text/html")
    site.jobs = jobs(5)
    web.fail(site.host, wrong)
    reading = await read()
    assert (reading.coverage, reading.evidence.problem, reading.listings) == ("failed", problem, ())
    assert len(web.pages()) == (2 if wrong.status == 303 else 1)


async def test_throttling_keeps_what_the_tenant_asks_for(web: Web, site, read):
    web.fail(site.host, THROTTLED)
    assert (await read()).evidence.retry_after_seconds == 120


async def test_rows_that_go_away_under_a_reader_hide_no_other(site, read):
    site.jobs = jobs(130)

    def go_away(number: int) -> None:
        if number in {2, 4}:
            del site.jobs[:3]

    site.before = go_away
    reading = await read()
    assert (reading.coverage, len(reading.listings)) == ("complete", 130)
    shrunk = jobs(130)
    site.jobs = shrunk

    def lose_the_tail(number: int) -> None:
        if number == 3:
            del shrunk[100:]

    site.before = lose_the_tail
    site.lists = 0
    reading = await read()
    assert (reading.coverage, len(reading.listings)) == ("complete", 100)
    assert reading.evidence.vendor_total == 100


async def test_rows_that_come_and_move_under_a_reader_are_seen_once(site, read):
    site.jobs = jobs(130)

    def come_first(number: int) -> None:
        if number in {2, 4}:
            site.jobs.insert(0, job(1_000 + number))

    site.before = come_first
    reading = await read()
    assert reading.coverage == "complete"
    assert set(numbers(reading)) >= {str(100_000 + number) for number in range(130)}
    assert len(set(numbers(reading))) == len(reading.listings)


async def test_a_list_in_disorder_is_not_called_complete(site, read):
    """Each answer in another order: some rows come twice and as many never."""
    site.jobs = jobs(100)

    def shuffle(_: int) -> None:
        site.jobs = site.jobs[37:] + site.jobs[:37]

    site.before = shuffle
    reading = await read()
    assert reading.coverage != "complete"


async def test_rows_held_back_by_the_tenant_are_missed(site, read):
    """It says 648 and shows 40 and then nothing; closing the rest would be wrong."""
    site.jobs, site.held_at = jobs(648), 40
    reading = await read()
    assert (reading.coverage, reading.evidence.vendor_total, len(reading.listings)) == ("partial", 648, 40)


async def test_our_own_budget_ends_in_capped_and_in_the_order_of_the_list(site, read):
    site.jobs = jobs(300)
    reading = await read(budget=Budget(pages=4, seconds=60))
    assert (reading.coverage, reading.evidence.answers) == ("capped", 4)
    assert reading.evidence.cap == len(reading.listings) == 77
    assert numbers(reading) == [str(100_000 + number) for number in range(77)]
    assert (await read(budget=Budget(pages=99, seconds=0))).coverage == "capped"


async def test_one_odd_row_costs_itself_and_one_odd_field_that_field(site, read):
    site.jobs = [
        job(1, title="Cook"),
        {"title": "No path"},
        job(2, bulletFields=7, locationsText=["Oslo"], remoteType={"a": 1}),
        job(3, title="\ud800Pilot", postedOn=None),
        job(4, locationsText=None, timeType=1e300),
    ]
    reading = await read()
    assert reading.coverage == "partial"
    assert (reading.evidence.unreadable_rows, len(reading.listings)) == (1, 4)
    assert reading.evidence.odd_fields >= 3


async def test_a_row_says_what_the_platform_said_and_no_date(site, read):
    site.jobs = [
        job(1, remoteType="Office - Flexible", timeType="Full time", postedOn="Posted 30+ Days Ago"),
        job(2, remoteType="Remote", locationsText="7 Locations"),
    ]
    first, second = (await read()).listings
    assert (first.vendor_id, first.requisition_id) == ("nw/JR100001", "JR100001")
    assert (first.workplace, first.workplace_signals) == (None, ("remoteType=Office - Flexible",))
    assert (first.posted, first.description, first.employment_type) == (None, None, "full_time")
    assert (first.locations, second.locations) == (("Oslo, Norway",), ())
    assert (second.workplace, second.workplace_signals) == ("remote", ("remoteType=Remote",))
    assert json.loads(first.record)["postedOn"] == "Posted 30+ Days Ago"


async def test_a_row_is_no_other_one_because_days_went_by(site, read):
    site.jobs = [job(1, bulletFields=["JR100001", "Posted Yesterday"])]
    before = (await read()).listings[0].fingerprint
    site.jobs = [job(1, postedOn="Posted 6 Days Ago", bulletFields=["JR100001", "Posted 6 Days Ago"])]
    assert (await read()).listings[0].fingerprint == before
    site.jobs = [job(1, locationsText="Bergen")]
    assert (await read()).listings[0].fingerprint != before


async def test_a_requisition_put_out_again_or_on_another_site_is_one_posting(web: Web, site, read):
    copy = job(1, locationsText="Bergen")
    copy["externalPath"] = f"{copy['externalPath']}-1"
    site.jobs = [job(1), copy]
    reading = await read()
    assert (reading.coverage, len(reading.listings)) == ("complete", 1)
    assert reading.listings[0].locations == ("Oslo, Norway", "Bergen")
    web.sites[site.host] = WorkdaySite(jobs=[copy], name="Students")
    again = await read("nw.wd5/Students")
    assert again.listings[0].vendor_id == reading.listings[0].vendor_id


async def test_a_path_without_a_number_is_an_identity_too(site, read):
    site.jobs = [job(1, externalPath="/job/Oslo/Head-of-Everything"), job(2, externalPath="")]
    reading = await read()
    assert [each.vendor_id for each in reading.listings] == ["nw/Head-of-Everything"]
    assert reading.coverage == "partial"


@pytest.mark.parametrize(
    "url",
    [
        "https://nw.wd5.myworkdayjobs.com/en-US/Careers/job/Oslo-Norway/Pilot-1_JR100001",
        "https://nw.wd5.myworkdayjobs.com/Careers",
        "https://nw.wd5.myworkdayjobs.com/wday/cxs/nw/Careers/jobs",
        "https://wd5.myworkdaysite.com/fr-FR/recruiting/nw/Careers",
    ],
)
async def test_any_address_of_a_site_leads_to_its_list_without_its_language(site, read, url):
    site.jobs = jobs(3)
    assert (await read(place_of(url).board)).coverage == "complete"


@pytest.mark.parametrize("board", ["", "nw", "nw.wd5/", "nw.wd5/Careers/job", "../x", "nw.example/Careers"])
async def test_a_name_that_is_no_site_is_not_asked_for(web: Web, read, board):
    assert (await read(board)).evidence.problem == "not_a_board"
    assert web.pages() == []


async def test_captured_lists_are_read_whole(site, read, shared_data):
    for file in sorted((shared_data / "ats" / "workday").glob("*.json")):
        content = json.loads(file.read_bytes())
        if "jobPostings" not in content:
            continue
        site.jobs = content["jobPostings"]
        reading = await read()
        assert (reading.coverage, reading.evidence.odd_fields) == ("complete", 0), file.name
        assert [each.title for each in reading.listings] == [row["title"] for row in site.jobs]
        assert [each.requisition_id for each in reading.listings] == [
            row["bulletFields"][0] for row in site.jobs
        ]
