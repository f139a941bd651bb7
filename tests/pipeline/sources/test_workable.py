"""Workable: captured accounts whole, an emulated one with its country rows, odd fields at their own price."""

import json
from datetime import date

import msgspec
import pytest
from emulators.web import Reply, Web
from emulators.workable import HOST, SHUT_OUT, Job, Workable, workable_account, workable_job
from fixtures.oddities import ODD

from pipeline.sources.adapters.workable import Workable as Adapter
from pipeline.sources.adapters.workable import read_board
from pipeline.sources.registry import place_of
from pipeline.sources.types import Answer, BoardReading, Listing, PlaceHint, Posted, PostingPlace
from schema.identity.urls import posting_url


@pytest.fixture
def workable(web: Web) -> Workable:
    return Workable(web)


def read(content: bytes) -> BoardReading:
    return read_board(Answer(url="https://board.example", status=200, body=content))


def one(**changed: object) -> Listing:
    (listing,) = read(workable_account(workable_job("Pilot", **changed))).listings
    return listing


def place(job: Job, board: str = "northwind") -> PostingPlace:
    return PostingPlace(board=board, vendor_id=str(job["shortcode"]), page_url=str(job["url"]))


def test_every_captured_account_is_read_whole(shared_data):
    for file in sorted((shared_data / "ats" / "workable").glob("*.json")):
        told = json.loads(file.read_bytes())
        reading = read(file.read_bytes())
        assert {each.vendor_id for each in reading.listings} == {job["shortcode"] for job in told["jobs"]}
        assert reading.coverage == "complete", file.name
        assert (reading.evidence.unreadable_rows, reading.evidence.odd_fields) == (0, 0), file.name
        assert reading.evidence.rows == len(told["jobs"])
        for listing in reading.listings:
            jobs = [job for job in told["jobs"] if job["shortcode"] == listing.vendor_id]
            assert (listing.title, listing.company) == (jobs[0]["title"], told["name"])
            assert [each.country for each in listing.places] == [job["country"] for job in jobs]
            published = date.fromisoformat(jobs[0]["published_on"])
            assert listing.posted == Posted(meaning="last_published", on=published)
            assert (listing.workplace == "remote") == jobs[0]["telecommuting"]
            assert (listing.description is None) == ("description" not in jobs[0])
            assert posting_url(listing.page_url or "").vendor_id == listing.vendor_id  # type: ignore[union-attr]
            assert posting_url(listing.apply_url or "").vendor_id == listing.vendor_id  # type: ignore[union-attr]


async def test_failure_11_one_row_a_country_is_one_posting_in_several_places(workable, fetch):
    places = (("Spain", "ES"), ("Portugal", "PT"), ("Norway", "NO"))
    rows = [workable_job("Pilot", country=country) for country in places]
    workable.accounts["northwind"] = [*rows[:2], workable_job("Cook"), rows[2]]
    reading = await Adapter().read("northwind", fetch)
    pilot, cook = reading.listings
    assert (reading.coverage, reading.evidence.rows, reading.evidence.repeated_rows) == ("complete", 4, 2)
    assert (pilot.title, pilot.locations) == ("Pilot", ("Spain", "Portugal", "Norway"))
    assert pilot.places == tuple(PlaceHint(text=name, country=name) for name, _ in places)
    assert [each["country"] for each in json.loads(pilot.record)["locations"]] == list(pilot.locations)
    assert (cook.locations, cook.company) == (("Norway",), "Northwind")

    workable.accounts["northwind"].reverse()
    turned = {each.vendor_id: each for each in (await Adapter().read("northwind", fetch)).listings}
    assert turned[pilot.vendor_id].fingerprint == pilot.fingerprint
    workable.accounts["northwind"].remove(rows[1])
    fewer = {each.vendor_id: each for each in (await Adapter().read("northwind", fetch)).listings}
    assert fewer[pilot.vendor_id].fingerprint != pilot.fingerprint
    assert fewer[pilot.vendor_id].locations == ("Norway", "Spain")


def test_rows_without_a_list_of_places_are_merged_by_their_own():
    rows = [
        {**workable_job("Pilot", locations=None, city="Vigo", state="Galicia"), "country": "Spain"},
        {**workable_job("Pilot", locations=7), "country": "Portugal"},
    ]
    (listing,) = read(workable_account(*rows)).listings
    assert listing.locations == ("Vigo, Galicia, Spain", "Portugal")
    assert listing.places[0] == PlaceHint(
        text="Vigo, Galicia, Spain", city="Vigo", region="Galicia", country="Spain"
    )


def test_a_place_the_employer_hides_is_not_shown():
    locations = [
        {"country": "Norway", "countryCode": "NO", "city": "Oslo", "region": "", "hidden": True},
        {"country": "Norway", "countryCode": "NO", "city": "", "region": None, "hidden": False},
    ]
    assert one(locations=locations).locations == ("Norway",)


async def test_the_older_address_leads_to_the_same_account(web, workable, fetch):
    workable.accounts["northwind"] = [workable_job("Pilot")]
    older = "https://www.workable.com/api/accounts/northwind?details=true"
    assert place_of(older).board == place_of("https://apply.workable.com/Northwind/").board == "northwind"
    answer = await fetch(older)
    assert read_board(answer).listings == (await Adapter().read("northwind", fetch)).listings
    assert [asked.host for asked in web.pages()] == ["www.workable.com", HOST, HOST]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (SHUT_OUT, "access_refused"),
        (Reply(status=429), "throttled"),
        (Reply(b"Not Found", 404, "text/plain"), "board_unknown"),
        (Reply(b'{"name": "Northwind"}'), "not_a_board"),
        (Reply(workable_account(workable_job("Pilot")), kept=99), "cut_short"),
    ],
)
async def test_failure_1_an_error_is_never_the_end_of_a_list(web, workable, fetch, reply, problem):
    workable.accounts["northwind"] = [workable_job("Pilot")]
    web.fail(HOST, reply)
    reading = await Adapter().read("northwind", fetch)
    assert (reading.coverage, reading.evidence.problem) == ("failed", problem)


async def test_a_posting_alone_is_open_gone_or_unknown(web, workable, fetch):
    pilot, cook = workable_job("Pilot", telecommuting=True), workable_job("Cook")
    workable.accounts["northwind"] = [pilot]
    found = await Adapter().look(place(pilot), fetch)
    assert found.state == "open"
    assert found.listing is not None
    assert (found.listing.title, found.listing.locations) == ("Pilot", ("Norway",))
    assert found.listing.description == "<p>Pilot at the harbour.</p>\n<ul><li>Ropes</li></ul>\n"
    assert (found.listing.workplace, found.listing.workplace_signals) == (
        "onsite",
        ("workplace=on_site", "remote=true"),
    )
    gone = await Adapter().look(place(cook), fetch)
    assert (gone.state, gone.evidence.status, gone.evidence.answers) == ("gone", 404, 2)
    workable.ended[str(cook["shortcode"])] = cook
    assert (await Adapter().look(place(cook), fetch)).state == "gone"
    away = await Adapter().look(place(pilot, board="renamed"), fetch)
    assert (away.state, away.evidence.problem) == ("unknown", "board_unknown")
    for reply in (SHUT_OUT, Reply(status=500), Reply(b"<html>"), Reply(b'{"shortcode": "ABCDEF0123"}')):
        web.fail(HOST, reply)
        assert (await Adapter().look(place(pilot), fetch)).state == "unknown", reply


async def test_failure_9_a_posting_still_listed_is_not_gone_though_its_own_page_is(web, workable, fetch):
    workable.accounts["northwind"] = [workable_job("Pilot")]
    web.fail(HOST, Reply(b"Not Found", 404, "text/plain"))
    detail = await Adapter().look(place(workable_job("Pilot")), fetch)
    assert (detail.state, detail.evidence.answers) == ("unknown", 2)


def test_failure_12_a_day_stays_a_day():
    assert one(published_on="2026-08-05", created_at="2024-06-24").posted == Posted(
        meaning="last_published", on=date(2026, 8, 5)
    )
    for never in (None, "", "soon", 7, "2026-13-01"):
        assert one(published_on=never).posted is None, never


def test_what_is_not_said_is_unknown():
    listing = one(telecommuting=False, code=" R-7 ", employment_type="Other", application_url=None, url=None)
    assert (listing.workplace, listing.workplace_signals) == (None, ("telecommuting=false",))
    assert (listing.requisition_id, listing.employment_type, listing.pay) == ("R-7", None, None)
    assert listing.page_url == f"https://apply.workable.com/j/{listing.vendor_id}"
    assert listing.apply_url == f"{listing.page_url}/apply"
    assert read(b'{"name": 7, "jobs": []}').coverage == "complete"


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_failure_18_an_odd_value_of_any_field_costs_that_field(odd):
    for name in workable_job("Pilot"):
        broken = json.dumps({**workable_job("Pilot"), name: "@odd@"}).replace('"@odd@"', odd)
        rows = f"{broken},{json.dumps(workable_job('Pilot'))},{json.dumps(workable_job('Cook'))}"
        reading = read(f'{{"name":"Northwind","jobs":[{rows}]}}'.encode())
        assert (reading.listings[-1].title, reading.evidence.rows) == ("Cook", 3), name
        assert len(reading.listings) - 2 + reading.evidence.unreadable_rows == (name == "shortcode"), name
        for listing in reading.listings:
            msgspec.json.decode(listing.record)
