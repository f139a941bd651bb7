"""One word about many messages: exactly those that are alike, all at once, and back again."""

from datetime import datetime

import pytest
from fixtures.people import FixedClock
from fixtures.samples import Samples

from mailsync.classify.store import correct, in_force, undo
from mailsync.corrections.store import (
    OthersLikeIt,
    accept,
    correct_like,
    correction,
    correction_of,
    like_it,
    offered,
    undo_correction,
)
from mailsync.corrections.types import Correction, Like
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, MessageId
from schema.vocabulary import EventKind

SENDER = "no-reply@mail.north.example"


@pytest.fixture
def now(clock: FixedClock) -> datetime:
    return clock.now()


def notice(samples: Samples, number: int, *kinds: EventKind, sender: str = SENDER) -> MessageId:
    body = f"We have news about your request {number}, please look."
    return samples.message(*kinds, subject=f"Request {number}", body=body, sender=sender)


async def looked_at(database: Database, account: AccountId, message_id: MessageId) -> Like:
    async with database.as_account(account) as unit:
        return await like_it(unit, message_id)


async def said(database: Database, account: AccountId, message_id: MessageId) -> tuple[str, list[str]]:
    async with database.as_account(account) as unit:
        found = await in_force(unit, message_id)
    assert found is not None
    return found.stage, list(found.kinds)


async def applied(
    database: Database, account: AccountId, message_id: MessageId, now: datetime, *kinds: EventKind
) -> Correction:
    seen = (await looked_at(database, account, message_id)).mark
    async with database.as_account(account) as unit:
        return await correct_like(unit, message_id, kinds, seen=seen, now=now)


async def test_alike_is_one_sender_one_rule_and_one_wording(
    database: Database, account: AccountId, samples: Samples
):
    first, second = notice(samples, 1), notice(samples, 22)
    notice(samples, 3, "status_update")
    notice(samples, 4, sender="no-reply@other.example")
    samples.message(subject="Request 5", body="Your request 5 will not be looked at, sorry.", sender=SENDER)
    samples.message(
        subject="Another 6", body="We have news about your request 6, please look.", sender=SENDER
    )
    found = await looked_at(database, account, first)
    assert [each.message_id for each in found.messages] == [first, second]
    assert found.pattern.domain == "mail.north.example"
    assert "[number]" in found.pattern.shape
    assert (found.said_already, found.is_cut) == (0, False)


async def test_decided_messages_are_alike_by_the_sentence_that_told(
    database: Database, account: AccountId, samples: Samples
):
    first, second = notice(samples, 1, "status_update"), notice(samples, 2, "status_update")
    notice(samples, 3)
    found = await looked_at(database, account, second)
    assert [each.message_id for each in found.messages] == [second, first]
    assert found.pattern.rule == "sample"


async def test_all_that_are_alike_are_corrected_at_once_and_taken_back_at_once(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    ids = [notice(samples, number) for number in range(4)]
    other = notice(samples, 9, sender="x@other.example")
    done = await applied(database, account, ids[0], now, "rejection", "rejection")
    assert (done.messages, done.kinds, done.undone_at) == (4, ["rejection"], None)
    for each in ids:
        assert await said(database, account, each) == ("person", ["rejection"])
    assert await said(database, account, other) == ("rules", [])
    async with database.as_account(account) as unit:
        assert await undo_correction(unit, done.id, now=now) == 4
        assert await undo_correction(unit, done.id, now=now) == 0
    for each in ids:
        assert await said(database, account, each) == ("rules", [])
    async with database.as_account(account) as unit:
        gone = await correction(unit, done.id)
    assert (gone.messages, gone.undone_at) == (0, now)


async def test_nothing_of_interest_can_be_said_of_many_too(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    ids = [notice(samples, number, "offer") for number in range(2)]
    await applied(database, account, ids[0], now)
    assert await said(database, account, ids[1]) == ("person", [])


async def test_what_the_person_said_of_one_message_stands(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first, second, third = (notice(samples, number) for number in range(3))
    async with database.as_account(account) as unit:
        await correct(unit, second, ["offer"], now=now)
    found = await looked_at(database, account, first)
    assert ([each.message_id for each in found.messages], found.said_already) == ([first, third], 1)
    await applied(database, account, first, now, "rejection")
    assert await said(database, account, second) == ("person", ["offer"])


async def test_what_was_said_of_one_of_them_since_outlives_the_undoing(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first, second = notice(samples, 1), notice(samples, 2)
    done = await applied(database, account, first, now, "rejection")
    async with database.as_account(account) as unit:
        await correct(unit, second, ["offer"], now=now)
        await undo_correction(unit, done.id, now=now)
    assert await said(database, account, first) == ("rules", [])
    assert await said(database, account, second) == ("person", ["offer"])


async def test_one_of_them_can_be_taken_back_alone(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first, second = notice(samples, 1), notice(samples, 2)
    done = await applied(database, account, first, now, "rejection")
    async with database.as_account(account) as unit:
        await undo(unit, second, now=now)
        assert await correction_of(unit, second) is None
        still = await correction_of(unit, first)
        assert still is not None
        assert still.messages == 1
        assert await undo_correction(unit, done.id, now=now) == 1


async def test_others_than_were_looked_at_are_never_changed(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first = notice(samples, 1)
    seen = (await looked_at(database, account, first)).mark
    second = notice(samples, 2)
    with pytest.raises(OthersLikeIt):
        async with database.as_account(account) as unit:
            await correct_like(unit, first, ["rejection"], seen=seen, now=now)
    assert await said(database, account, first) == ("rules", [])
    assert await said(database, account, second) == ("rules", [])
    assert samples.rows("SELECT count(*) FROM corrections") == [(0,)]


async def test_a_later_message_is_offered_the_same_and_not_changed(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first = notice(samples, 1)
    done = await applied(database, account, first, now, "rejection")
    later, other = notice(samples, 2), notice(samples, 3, "offer")
    assert await said(database, account, later) == ("rules", [])
    async with database.as_account(account) as unit:
        offer = await offered(unit, later)
        assert offer is not None
        assert (offer.id, offer.kinds) == (done.id, ["rejection"])
        assert await offered(unit, other) is None
        assert not await accept(unit, other, done.id, now=now)
        assert await accept(unit, later, done.id, now=now)
        assert await offered(unit, later) is None
    assert await said(database, account, later) == ("person", ["rejection"])
    async with database.as_account(account) as unit:
        assert await undo_correction(unit, done.id, now=now) == 2
        assert await offered(unit, later) is None


async def test_the_matcher_looks_again_once(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first, *_ = [notice(samples, number) for number in range(3)]
    await applied(database, account, first, now, "rejection")
    assert samples.rows("SELECT count(*) FROM tasks WHERE kind = 'match.account.v1'") == [(1,)]


async def test_another_persons_correction_and_message_are_missing_ones(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples, now: datetime
):
    first = notice(samples, 1)
    done = await applied(database, account, first, now, "rejection")
    for act in (
        lambda unit: like_it(unit, first),
        lambda unit: undo_correction(unit, done.id, now=now),
        lambda unit: correction(unit, done.id),
    ):
        with pytest.raises(Missing):
            async with database.as_account(other_account) as unit:
                await act(unit)


async def test_a_correction_goes_with_the_message_it_was_made_on(
    database: Database, account: AccountId, samples: Samples, now: datetime
):
    first, second = notice(samples, 1), notice(samples, 2)
    await applied(database, account, first, now, "rejection")
    samples.rows("DELETE FROM messages WHERE id = %s", first)
    assert samples.rows("SELECT count(*) FROM corrections") == [(0,)]
    assert await said(database, account, second) == ("person", ["rejection"])
