"""Recording applications, listing them, and what the person says about them, on the real database."""

import asyncio
from datetime import date

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.aliases.store import add_name
from matcher.applications import store
from matcher.applications.store import AlreadyRecorded, record_application
from matcher.applications.types import NewApplication
from matcher.listing.store import applications
from matcher.listing.types import Lens
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, ApplicationId, PostingId

URL = "https://jobs.lever.co/northwind/6d1c8a4e-2f0b-4c7d-9a51-1b2c3d4e5f60"


@pytest.fixture
def posting(samples: Samples) -> PostingId:
    rows = samples.rows(
        "INSERT INTO postings (platform, vendor_id, board, requisition_id, title, company, canonical_url,"
        " first_seen_at) VALUES ('lever', '6d1c8a4e-2f0b-4c7d-9a51-1b2c3d4e5f60', 'northwind',"
        " 'R-77', 'Data Engineer', 'Northwind', %s, now()) RETURNING id",
        URL,
    )
    return PostingId(rows[0][0])  # type: ignore[arg-type]


async def record(database: Database, account: AccountId, clock: FixedClock, **given: object) -> ApplicationId:
    async with database.as_account(account) as unit:
        new = NewApplication(**{"origin": "manual", **given})  # type: ignore[arg-type]
        return await record_application(unit, new, now=clock.now())


async def test_a_recorded_application_is_listed_and_matched(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    made = await record(
        database, account, clock, company="Northwind", role="Data Engineer", applied_at=day(1)
    )
    async with database.as_account(account) as unit:
        page = await applications(unit, Lens())
        one = await store.application(unit, made)
    assert [row.application_id for row in page.rows] == [made]
    assert (one.stage, one.applied_at, one.last_event_at, one.messages) == ("applied", day(1), None, 0)
    assert samples.rows("SELECT kind, status FROM tasks") == [("match.account.v1", "pending")]


async def test_a_plain_day_stays_a_day(database: Database, account: AccountId, clock: FixedClock):
    made = await record(database, account, clock, company="Northwind", applied_on=date(2026, 2, 27))
    async with database.as_account(account) as unit:
        one = await store.application(unit, made)
    assert (one.applied_at, one.applied_on) == (None, date(2026, 2, 27))


async def test_the_catalog_completes_a_saved_posting(
    database: Database, account: AccountId, clock: FixedClock, posting: PostingId
):
    by_id = await record(database, account, clock, origin="tracker", posting_id=posting)
    by_url = await record(database, account, clock, origin="extension", url=f"{URL}/apply?utm_source=x")
    async with database.as_account(account) as unit:
        one = await store.application(unit, by_id)
    assert by_id == by_url
    assert (one.company, one.role, one.requisition_id, one.origin) == (
        "Northwind",
        "Data Engineer",
        "R-77",
        "tracker",
    )


async def test_a_posting_that_is_not_there_is_missing(
    database: Database, account: AccountId, clock: FixedClock
):
    with pytest.raises(Missing):
        await record(database, account, clock, posting_id=PostingId(404))


async def test_a_second_record_fills_gaps_and_overwrites_nothing(
    database: Database, account: AccountId, clock: FixedClock
):
    made = await record(database, account, clock, url=URL, company="Northwind", applied_on=date(2026, 3, 1))
    again = await record(
        database, account, clock, url=URL, company="Other", role="Data Engineer", applied_at=day(1)
    )
    async with database.as_account(account) as unit:
        one = await store.application(unit, made)
    assert made == again
    assert (one.company, one.role, one.applied_at, one.applied_on) == (
        "Northwind",
        "Data Engineer",
        day(1),
        None,
    )


async def test_what_was_derived_from_mail_gives_way_to_a_record(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    derived = samples.application("Northwind", "Data Engineer", applied=None, origin="derived")
    said = {"company": "Northwind Inc", "role": "Data Engineer", "url": URL}
    taken = await record(database, account, clock, origin="extension", **said)
    async with database.as_account(account) as unit:
        one = await store.application(unit, derived)
    assert taken == derived
    assert (one.origin, one.company, one.canonical_url) == ("extension", "Northwind Inc", URL)


async def test_two_receipts_at_once_record_one_application(
    database: Database, account: AccountId, clock: FixedClock
):
    both = await asyncio.gather(
        record(database, account, clock, url=URL), record(database, account, clock, url=URL)
    )
    assert both[0] == both[1]


async def test_pages_meet_without_gap_or_double_and_counts_are_true(
    database: Database, account: AccountId, samples: Samples
):
    made = [samples.application(f"Company {n % 3}", f"Role {n}", applied=1 + n // 2) for n in range(7)]
    samples.rows("UPDATE standings SET stage = 'rejected' WHERE application_id = %s", made[0])
    seen: list[ApplicationId] = []
    async with database.as_account(account) as unit:
        page = await applications(unit, Lens(), limit=2)
        seen += [row.application_id for row in page.rows]
        while page.next:
            page = await applications(unit, Lens(), after=page.next, limit=2)
            seen += [row.application_id for row in page.rows]
        assert {entry.stage: entry.count for entry in page.counts} == {"applied": 6, "rejected": 1}
        only = await applications(unit, Lens(stages=("rejected",), search="company role"))
        found = await applications(unit, Lens(search="COMPANY 1"))
        none = await applications(unit, Lens(search="100%_"))
    assert seen == sorted(made, reverse=True)
    assert [row.application_id for row in only.rows] == [made[0]] and only.total == 7
    assert len(found.rows) == found.total == 2
    assert (none.rows, none.total) == ([], 0)


async def test_what_the_person_set_stays_and_can_be_given_back(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    made = samples.application()
    async with database.as_account(account) as unit:
        await store.set_status(unit, made, "withdrawn", now=clock.now())
        await store.set_note(unit, made, "Asked about\x00 travel", now=clock.now())
        one = await store.application(unit, made)
        assert (one.stage, one.mail_stage, one.status, one.note) == (
            "withdrawn",
            "applied",
            "withdrawn",
            "Asked about travel",
        )
        await store.set_status(unit, made, None, now=clock.now())
        one = await store.application(unit, made)
    assert (one.stage, one.status, one.status_at) == ("applied", None, None)


async def test_dismissing_is_taken_back(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    made = samples.application()
    async with database.as_account(account) as unit:
        await store.dismiss(unit, made, now=clock.now())
        assert (await applications(unit, Lens())).rows == []
        gone = await applications(unit, Lens(dismissed=True))
        assert [row.application_id for row in gone.rows] == [made]
        await store.undismiss(unit, made, now=clock.now())
        assert [row.application_id for row in (await applications(unit, Lens())).rows] == [made]


async def test_a_posting_tracked_again_since_cannot_come_back_twice(
    database: Database, account: AccountId, clock: FixedClock, posting: PostingId
):
    first = await record(database, account, clock, origin="tracker", posting_id=posting)
    async with database.as_account(account) as unit:
        await store.dismiss(unit, first, now=clock.now())
    second = await record(database, account, clock, origin="tracker", posting_id=posting)
    assert second != first
    async with database.as_account(account) as unit:
        with pytest.raises(AlreadyRecorded):
            await store.undismiss(unit, first, now=clock.now())


async def test_another_accounts_application_is_missing(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples, clock: FixedClock
):
    made = samples.of(other_account).application()
    async with database.as_account(account) as unit:
        for act in (
            store.application(unit, made),
            store.set_status(unit, made, "offer", now=clock.now()),
            store.set_note(unit, made, "x", now=clock.now()),
            store.dismiss(unit, made, now=clock.now()),
            store.undismiss(unit, made, now=clock.now()),
        ):
            with pytest.raises(Missing):
                await act


async def test_keys_made_by_older_rules_are_made_anew_and_mail_finds_the_application(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    applied = samples.application("Hotel Contoso e. K.", "Data Engineer (m/w/d)")
    samples.message("rejection", employer="Hotel Contoso", role="Data Engineer")
    async with database.as_account(account) as unit:
        await add_name(unit, "Globex", "Hotel Contoso e. K.", now=clock.now())
    samples.connection.execute("UPDATE aliases SET company_key = 'hotelcontosoek'")
    samples.connection.execute(
        "UPDATE applications SET company_key = 'hotelcontosoek', role_key = 'data engineer mwd | '"
    )
    samples.connection.execute(
        "INSERT INTO application_names (account_id, key, application_id) VALUES (%s, 'rules 1', %s)",
        (samples.account, applied),
    )
    await match()
    assert samples.rows("SELECT company_key, role_key FROM applications") == [
        ("hotelcontoso", "data engineer | ")
    ]
    assert samples.rows("SELECT application_id FROM matches") == [(applied,)]
    assert samples.rows("SELECT alias_key, company_key FROM aliases") == [("globex", "hotelcontoso")]
    noted = samples.rows("SELECT key FROM application_names ORDER BY key")
    assert ("rules 2",) in noted
    assert ("rules 1",) not in noted
    before = samples.rows("SELECT xmin::text FROM applications")
    await match()
    assert samples.rows("SELECT xmin::text FROM applications") == before
