"""Two records of one application, put together and taken apart: nothing is lost and nothing is guessed."""

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.acts.store import UndoneAlready
from matcher.applications.store import application, dismiss, set_status
from matcher.asks.store import open_asks, settle_ask
from matcher.merging import CannotMerge, keep_apart, merge, undo_pair
from matcher.timeline.store import timeline
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, ActId, ApplicationId

URL = "https://job-boards.greenhouse.io/northwind/jobs/4001"


class Merging:
    """The verbs, each in a unit of its own."""

    def __init__(self, database: Database, account: AccountId, clock: FixedClock) -> None:
        self.database, self.account, self.clock = database, account, clock

    async def merge(self, into: ApplicationId, merged: ApplicationId) -> ActId:
        async with self.database.as_account(self.account) as unit:
            return await merge(unit, into, merged, now=self.clock.now())

    async def keep_apart(self, one: ApplicationId, other: ApplicationId) -> ActId:
        async with self.database.as_account(self.account) as unit:
            return await keep_apart(unit, one, other, now=self.clock.now())

    async def undo(self, act_id: ActId) -> None:
        async with self.database.as_account(self.account) as unit:
            await undo_pair(unit, act_id, now=self.clock.now())


@pytest.fixture
def merging(database: Database, account: AccountId, clock: FixedClock) -> Merging:
    return Merging(database, account, clock)


def attached(samples: Samples) -> dict[object, object]:
    return dict(samples.rows("SELECT message_id, application_id FROM matches ORDER BY message_id"))  # type: ignore[arg-type]


def standings(samples: Samples) -> list[tuple[object, ...]]:
    return samples.rows("SELECT application_id, stage, messages FROM standings ORDER BY application_id")


async def test_mail_for_either_record_belongs_to_the_one_that_stands(
    match: MatchRunner, samples: Samples, merging: Merging
):
    one = samples.application(requisition="R-20931")
    other = samples.application("Globex", "Platform Engineer")
    first = samples.message("acknowledgement", employer="Northwind", role="Data Engineer")
    second = samples.message("rejection", sent=12, employer="Globex", role="Platform Engineer")
    await match()
    assert attached(samples) == {first: one, second: other}
    act = await merging.merge(one, other)
    await match()
    third = samples.message("interview_invite", sent=13, employer="Globex", role="Platform Engineer")
    await match()
    assert attached(samples) == {first: one, second: one, third: one}
    assert standings(samples) == [(one, "interviewing", 3)]
    await merging.undo(act)
    await match()
    assert attached(samples) == {first: one, second: other, third: other}
    assert standings(samples) == [(one, "acknowledged", 1), (other, "interviewing", 2)]


async def test_a_persons_word_about_the_merged_record_stays_what_it_was(
    match: MatchRunner, samples: Samples, merging: Merging, database: Database, account: AccountId
):
    one, other = samples.application(), samples.application("Globex", "Platform Engineer")
    message = samples.message("rejection", employer="Globex", role="Platform Engineer")
    await match()
    samples.rows("UPDATE matches SET by_person = true WHERE message_id = %s", message)
    act = await merging.merge(one, other)
    async with database.as_account(account) as unit:
        history = await timeline(unit, one, now=day(20))
    assert [entry.message_id for entry in history.entries] == [message]
    assert history.standing.stage == "rejected"
    assert attached(samples) == {message: other}
    await merging.undo(act)
    assert standings(samples) == [(one, "applied", 0), (other, "rejected", 1)]


async def test_what_the_person_said_of_the_merged_record_goes_along_and_comes_back(
    samples: Samples, merging: Merging, database: Database, account: AccountId, clock: FixedClock
):
    one = samples.application(applied=None)
    other = samples.application(role="Data Engineer II")
    async with database.as_account(account) as unit:
        await set_status(unit, other, "offer", now=clock.now())
    act = await merging.merge(one, other)
    async with database.as_account(account) as unit:
        found = await application(unit, one)
    assert (found.status, found.applied_at, found.stage) == ("offer", day(5), "offer")
    await merging.undo(act)
    async with database.as_account(account) as unit:
        found, parted = await application(unit, one), await application(unit, other)
    assert (found.status, found.applied_at, parted.status) == (None, None, "offer")


async def test_a_later_word_of_the_person_outlives_taking_them_apart(
    samples: Samples, merging: Merging, database: Database, account: AccountId, clock: FixedClock
):
    one, other = samples.application(), samples.application(role="Data Engineer II")
    act = await merging.merge(one, other)
    clock.move(hours=1)
    async with database.as_account(account) as unit:
        await set_status(unit, one, "withdrawn", now=clock.now())
    await merging.undo(act)
    async with database.as_account(account) as unit:
        assert (await application(unit, one)).status == "withdrawn"


async def test_chains_are_drawn_together_and_part_one_by_one(samples: Samples, merging: Merging):
    first, second, third = (samples.application(role=role) for role in ("Baker", "Cook", "Waiter"))
    inner = await merging.merge(second, third)
    outer = await merging.merge(first, second)
    into = "SELECT id, merged_into_id FROM applications ORDER BY id"
    assert samples.rows(into) == [(first, None), (second, first), (third, first)]
    with pytest.raises(CannotMerge):
        await merging.undo(inner)
    await merging.undo(outer)
    assert samples.rows(into) == [(first, None), (second, None), (third, second)]
    await merging.undo(inner)
    assert samples.rows(into) == [(first, None), (second, None), (third, None)]
    with pytest.raises(UndoneAlready):
        await merging.undo(inner)


async def test_what_was_done_for_an_employer_stays_done(
    match: MatchRunner,
    samples: Samples,
    merging: Merging,
    database: Database,
    account: AccountId,
    clock: FixedClock,
):
    one, other = samples.application(), samples.application("Globex", "Platform Engineer")
    samples.message("assessment_invite", employer="Globex", role="Platform Engineer")
    await match()
    async with database.as_account(account) as unit:
        await settle_ask(unit, (await open_asks(unit))[0].ask_id, now=clock.now())
    act = await merging.merge(one, other)
    await match()
    async with database.as_account(account) as unit:
        assert await open_asks(unit) == []
    await merging.undo(act)
    await match()
    async with database.as_account(account) as unit:
        assert await open_asks(unit) == []


async def test_what_cannot_be_merged_is_refused_and_changes_nothing(
    samples: Samples,
    merging: Merging,
    database: Database,
    account: AccountId,
    other_account: AccountId,
    clock: FixedClock,
):
    one, other = samples.application(), samples.application(role="Designer")
    foreign = samples.of(other_account).application("Initech", "Cook")
    with pytest.raises(CannotMerge):
        await merging.merge(one, one)
    for missing in (foreign, ApplicationId(999_999)):
        with pytest.raises(Missing):
            await merging.merge(one, missing)
    async with database.as_account(account) as unit:
        await dismiss(unit, other, now=clock.now())
    with pytest.raises(CannotMerge):
        await merging.merge(one, other)
    assert samples.rows("SELECT count(*) FROM acts") == [(0,)]


async def test_a_pair_kept_apart_is_not_proposed_again(
    match: MatchRunner, samples: Samples, merging: Merging
):
    one = samples.application(origin="import")
    samples.message("acknowledgement", employer="Northwind", role="Data Engineer", requisition="R-777001")
    other = samples.application(origin="derived", role="Data Engineer (m/f/d)", applied=None)
    act = await merging.keep_apart(one, other)
    await match()
    assert samples.rows("SELECT answer FROM pairs") == [("kept_apart",)]
    await merging.undo(act)
    assert samples.rows("SELECT application_id, other_application_id, answer FROM pairs") == [
        (one, other, None)
    ]
