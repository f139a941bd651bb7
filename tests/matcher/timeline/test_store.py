"""One application's history on the real database, and the standing every list reads."""

from datetime import date

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.applications.store import set_status
from matcher.timeline.store import timeline
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, ApplicationId


async def test_a_timeline_tells_what_happened_in_order_of_sending_and_why(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner, clock: FixedClock
):
    applied = samples.application()
    body = "We decided not to go on. Northwind"
    refusal = samples.message("rejection", employer="Northwind", role="Data Engineer", sent=15, body=body)
    receipt = samples.message("acknowledgement", employer="Northwind", role="Data Engineer", sent=6)
    await match()
    clock.at = day(25)
    async with database.as_account(account) as unit:
        told = await timeline(unit, applied, now=clock.now())
    assert [entry.message_id for entry in told.entries] == [receipt, refusal]
    assert (told.standing.stage, told.silent_since, told.silent_days) == ("rejected", day(15), 10)
    last = told.entries[1]
    assert [(said.kind, said.span_text, said.stage) for said in last.said] == [
        ("rejection", body, "rejected")
    ]
    assert last.because[0] == "It names Northwind as the employer."
    assert (last.by_person, last.against) == (False, [])


async def test_unknown_is_said_as_unknown(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    applied = samples.application(applied=None)
    async with database.as_account(account) as unit:
        told = await timeline(unit, applied, now=clock.now())
    assert (told.applied_at, told.applied_on, told.silent_since, told.silent_days) == (None, None, None, None)
    assert told.entries == []


async def test_a_plain_day_counts_silence_without_a_time_of_day(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    applied = samples.application(applied=date(2026, 2, 20))
    clock.at = day(2)
    async with database.as_account(account) as unit:
        told = await timeline(unit, applied, now=clock.now())
    assert (told.applied_at, told.applied_on, told.silent_days) == (None, date(2026, 2, 20), 10)


async def test_later_mail_proposes_and_never_overwrites_the_persons_status(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner, clock: FixedClock
):
    applied = samples.application()
    async with database.as_account(account) as unit:
        await set_status(unit, applied, "withdrawn", now=day(8))
    samples.message("interview_invite", employer="Northwind", role="Data Engineer", sent=9)
    await match()
    async with database.as_account(account) as unit:
        told = await timeline(unit, applied, now=clock.now())
    assert (told.standing.stage, told.standing.proposal) == ("withdrawn", "interviewing")
    stands = samples.rows("SELECT stage, mail_stage, by_person FROM standings")
    assert stands == [("withdrawn", "interviewing", True)]


async def test_another_accounts_timeline_is_missing(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples, clock: FixedClock
):
    theirs = samples.of(other_account).application()
    async with database.as_account(account) as unit:
        for wrong in (theirs, ApplicationId(0)):
            with pytest.raises(Missing):
                await timeline(unit, wrong, now=clock.now())
