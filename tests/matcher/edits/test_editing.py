"""Correcting an application: what changes with a fact, what stays, and that no computation takes it back."""

from datetime import date

import msgspec
import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.applications.store import application, facts_of, record_application
from matcher.applications.types import Facts, NewApplication
from matcher.edits.editing import EditedMeanwhile, edit, undo_edit
from matcher.edits.rules import Wanted, mark_of
from matcher.edits.store import EditId, corrected_fields
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, ApplicationId

ADDRESS = "https://boards.greenhouse.io/northwind/jobs/4711"
READING = "We are still reading your application for Data Engineer at Globex."


class Desk:
    """One application and the person who corrects it."""

    def __init__(
        self, database: Database, account: AccountId, clock: FixedClock, which: ApplicationId
    ) -> None:
        self.database, self.account, self.clock, self.which = database, account, clock, which

    async def facts(self) -> Facts:
        async with self.database.as_account(self.account) as unit:
            return await facts_of(unit, self.which)

    async def correct(self, **changed: object) -> EditId | None:
        before = await self.facts()
        wanted = Wanted(
            company=before.company,
            role=before.role,
            url=before.canonical_url,
            requisition_id=before.requisition_id,
            applied_at=before.applied_at,
            applied_on=before.applied_on,
        )
        async with self.database.as_account(self.account) as unit:
            return await edit(
                unit,
                self.which,
                msgspec.structs.replace(wanted, **changed),
                seen=mark_of(before),
                now=self.clock.now(),
            )

    async def undo(self, which: EditId) -> None:
        async with self.database.as_account(self.account) as unit:
            await undo_edit(unit, which, now=self.clock.now())


@pytest.fixture
def desk(database: Database, account: AccountId, clock: FixedClock, samples: Samples) -> Desk:
    return Desk(database, account, clock, samples.application(url=ADDRESS, requisition="R-100200"))


async def test_a_corrected_name_is_found_by_its_new_comparable_form(desk: Desk):
    before = await desk.facts()
    await desk.correct(company="Globex GmbH")
    after = await desk.facts()
    assert (after.company, after.company_key) == ("Globex GmbH", "globex")
    untouched = {"canonical_url", "vendor_id", "board", "requisition_key", "role_key", "applied_at"}
    assert all(getattr(after, name) == getattr(before, name) for name in untouched)


async def test_another_address_brings_its_own_numbers_and_an_empty_one_takes_them_away(desk: Desk):
    await desk.correct(url="https://jobs.lever.co/globex/0a1b2c3d-0000-4000-8000-000000000000")
    moved = await desk.facts()
    assert (moved.platform, moved.board) == ("lever", "globex")
    await desk.correct(url=None)
    gone = await desk.facts()
    assert (gone.canonical_url, gone.platform, gone.board, gone.vendor_id) == (None, None, None, None)


async def test_a_day_replaces_an_instant_and_unknown_replaces_both(desk: Desk):
    await desk.correct(applied_at=None, applied_on=date(2026, 3, 3))
    assert (await desk.facts()).applied_on == date(2026, 3, 3)
    await desk.correct(applied_at=None, applied_on=None)
    after = await desk.facts()
    assert (after.applied_at, after.applied_on) == (None, None)


async def test_undoing_puts_back_everything_and_only_once(desk: Desk):
    before = await desk.facts()
    made = await desk.correct(company="Globex", url=None, requisition_id=None)
    assert made is not None
    await desk.undo(made)
    assert await desk.facts() == before
    with pytest.raises(EditedMeanwhile):
        await desk.undo(made)
    async with desk.database.as_account(desk.account) as unit:
        assert not await corrected_fields(unit, desk.which)


async def test_a_correction_under_a_newer_one_is_not_taken_back(desk: Desk):
    first = await desk.correct(company="Globex")
    await desk.correct(company="Initech")
    assert first is not None
    with pytest.raises(EditedMeanwhile):
        await desk.undo(first)
    assert (await desk.facts()).company == "Initech"


async def test_a_superseded_form_writes_nothing(desk: Desk):
    seen = mark_of(await desk.facts())
    await desk.correct(company="Globex")
    wanted = Wanted(
        company="Initech", role=None, url=None, requisition_id=None, applied_at=None, applied_on=None
    )
    async with desk.database.as_account(desk.account) as unit:
        with pytest.raises(EditedMeanwhile):
            await edit(unit, desk.which, wanted, seen=seen, now=desk.clock.now())
    assert (await desk.facts()).company == "Globex"


async def test_what_does_not_differ_is_no_correction(desk: Desk):
    assert await desk.correct() is None


async def test_which_facts_were_corrected_is_known(desk: Desk):
    await desk.correct(company="Globex", applied_at=None, applied_on=date(2026, 3, 3))
    async with desk.database.as_account(desk.account) as unit:
        assert set(await corrected_fields(unit, desk.which)) == {"company", "applied"}


async def test_a_later_record_fills_gaps_but_never_a_corrected_fact(
    database: Database, account: AccountId, clock: FixedClock, samples: Samples
):
    desk = Desk(database, account, clock, samples.application(origin="derived", url=ADDRESS))
    await desk.correct(company="Globex", role="Analyst")
    async with database.as_account(account) as unit:
        again = await record_application(
            unit,
            NewApplication(origin="extension", company="Northwind", role="Data Engineer", url=ADDRESS),
            now=clock.now(),
        )
        assert again == desk.which
    after = await desk.facts()
    assert (after.company, after.role) == ("Globex", "Analyst")


async def test_mail_is_matched_anew_with_the_right_employer(desk: Desk, samples: Samples, match: MatchRunner):
    samples.message("status_update", sent=6, body=READING, employer="Globex", role="Data Engineer")
    await desk.correct(url=None, requisition_id=None, applied_at=day(5))
    await match()
    async with desk.database.as_account(desk.account) as unit:
        assert (await application(unit, desk.which)).messages == 0
    await desk.correct(company="Globex")
    await match()
    async with desk.database.as_account(desk.account) as unit:
        assert (await application(unit, desk.which)).messages == 1


async def test_another_accounts_application_is_missing(desk: Desk, other_account: AccountId):
    made = await desk.correct(company="Globex")
    assert made is not None
    async with desk.database.as_account(other_account) as unit:
        with pytest.raises(Missing):
            await undo_edit(unit, made, now=desk.clock.now())
