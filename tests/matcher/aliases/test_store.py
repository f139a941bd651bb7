"""Other names on the real database: entered, learned, withdrawn, and what becomes of mail that uses them."""

from datetime import datetime

import pytest
from fixtures.letters import letter
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples

from matcher.aliases import store
from matcher.applications.store import record_application
from matcher.applications.types import NewApplication
from schema.db import Database
from schema.errors import Invalid
from schema.ids import AccountId, AliasId, DecisionId, MessageId


@pytest.fixture
def now(clock: FixedClock) -> datetime:
    return clock.now()


def link(samples: Samples, message: MessageId) -> tuple[object, ...]:
    return samples.rows("SELECT outcome, application_id FROM matches WHERE message_id = %s", message)[0]


async def decided(samples: Samples, message: MessageId) -> DecisionId:
    return DecisionId(
        samples.insert(
            "match_decisions",
            message_id=message,
            outcome="none",
            actor="machine",
            policy_version=1,
            input_hash="0" * 64,
            created_at=datetime.fromisoformat("2026-03-01T09:00:00Z"),
        )
    )


async def names(database: Database, account: AccountId) -> list[tuple[str, str, int, bool]]:
    async with database.as_account(account) as unit:
        return [(n.alias, n.company, n.confirmed, n.counts) for n in await store.names(unit)]


async def test_a_name_is_added_once_and_only_when_it_is_another(
    database: Database, account: AccountId, now: datetime
):
    async with database.as_account(account) as unit:
        first = await store.add_name(unit, "Globex", "Initech", now=now)
        assert await store.add_name(unit, " Globex  GmbH", "Initech Inc.", now=now) == first
        refused = (("Initech", "Initech AG", "alias"), ("", "X", "alias"), ("X", "!", "company"))
        for alias, company, field in refused:
            with pytest.raises(Invalid) as fault:
                await store.add_name(unit, alias, company, now=now)
            assert fault.value.field == field
    assert len(await names(database, account)) == 1


async def test_a_confirmed_message_teaches_and_its_undo_withdraws(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    applied = samples.application("Initech")
    messages = [samples.message("rejection") for _ in range(2)]
    decisions = [await decided(samples, message) for message in messages]
    async with database.as_account(account) as unit:
        for decision in decisions:
            assert await store.learn(unit, decision, letter("rejection", employer="Globex"), applied, now=now)
    assert await names(database, account) == [("Globex", "Initech", 2, True)]
    async with database.as_account(account) as unit:
        assert await store.forget(unit, decisions[0]) == 1
    assert await names(database, account) == [("Globex", "Initech", 1, True)]
    async with database.as_account(account) as unit:
        await store.forget(unit, decisions[1])
    assert await names(database, account) == []


async def test_the_employer_of_another_application_is_no_other_name(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    applied = samples.application("Initech")
    samples.application("Globex", origin="derived")
    decision = await decided(samples, samples.message("rejection"))
    said = letter("rejection", employer="Globex")
    async with database.as_account(account) as unit:
        assert await store.learn(unit, decision, said, applied, now=now) is not None
        await store.forget(unit, decision)
    samples.application("Globex")
    async with database.as_account(account) as unit:
        assert await store.learn(unit, decision, said, applied, now=now) is None


async def test_what_the_person_removed_is_not_learned_again(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    applied = samples.application("Initech")
    decision = await decided(samples, samples.message("rejection"))
    async with database.as_account(account) as unit:
        alias_id = await store.add_name(unit, "Globex", "Initech", now=now)
        assert await store.remove_name(unit, alias_id, now=now)
        assert not await store.remove_name(unit, alias_id, now=now)
        said = letter("rejection", employer="Globex")
        assert await store.learn(unit, decision, said, applied, now=now) is None
        assert await store.restore_name(unit, alias_id)
        assert not await store.restore_name(unit, AliasId(alias_id + 1))
        assert await store.learn(unit, decision, said, applied, now=now) is not None


async def test_a_name_of_two_employers_is_shown_as_counting_for_none(
    database: Database, account: AccountId, now: datetime
):
    async with database.as_account(account) as unit:
        await store.add_name(unit, "Globex", "Initech", now=now)
        await store.add_name(unit, "Globex", "Umbrella", now=now)
        assert await store.other_names_of(unit, ["globex"]) == []
    assert [found[3] for found in await names(database, account)] == [False, False]


async def test_another_accounts_names_say_nothing_here(
    database: Database, account: AccountId, other_account: AccountId, now: datetime
):
    async with database.as_account(other_account) as unit:
        await store.add_name(unit, "Globex", "Initech", now=now)
    async with database.as_account(account) as unit:
        assert await store.other_names_of(unit, ["globex"]) == []


# Through the matcher


async def test_an_entered_name_attaches_and_its_removal_lets_go(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, now: datetime
):
    applied = samples.application("Initech", "Analyst")
    message = samples.message("interview_invite", employer="Globex", role="Analyst")
    await match()
    assert link(samples, message) == ("asks", None)
    async with database.as_account(account) as unit:
        alias_id = await store.add_name(unit, "Globex", "Initech", now=now)
    await match()
    assert link(samples, message) == ("attached", applied)
    (says,) = samples.rows("SELECT says FROM evidence WHERE name = 'employer' AND strength > 3")[0]
    assert str(says).startswith("It names Globex, another name of Initech, which you entered on")
    async with database.as_account(account) as unit:
        await store.remove_name(unit, alias_id, now=now)
    await match()
    assert link(samples, message) == ("asks", None)


async def test_confirming_one_message_attaches_the_next_and_undoing_takes_both_back(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, reviewer: Reviewer
):
    applied = samples.application("Initech", "Analyst")
    first = samples.message("interview_invite", employer="Globex", role="Analyst", sent=8)
    second = samples.message("interview_invite", employer="Globex", role="Analyst", sent=9)
    await match()
    await reviewer.answer(first, "assign", target=applied)
    await match()
    assert link(samples, second) == ("attached", applied)
    assert await names(database, account) == [("Globex", "Initech", 1, True)]
    await reviewer.answer(first, "undo")
    await match()
    assert link(samples, second) == ("asks", None)
    assert await names(database, account) == []


async def test_a_later_application_finds_mail_under_the_other_name(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, now: datetime
):
    async with database.as_account(account) as unit:
        await store.add_name(unit, "Globex", "Initech", now=now)
    message = samples.message("interview_invite", employer="Globex", role="Analyst")
    await match()
    async with database.as_account(account) as unit:
        new = NewApplication(origin="manual", company="Initech", role="Analyst")
        applied = await record_application(unit, new, now=now)
    await match()
    assert link(samples, message) == ("attached", applied)
