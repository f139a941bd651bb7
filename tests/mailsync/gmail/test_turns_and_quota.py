"""Leases and buckets, as several processes meet at them."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from fixtures.mailroom import Mailroom, other_mail
from msgspec.structs import replace

from mailsync.gmail.keeper import Keeper
from mailsync.gmail.ledger.types import Counts
from mailsync.gmail.quota import store as quota
from mailsync.gmail.quota.store import Bucket
from mailsync.gmail.status import time_left, total
from mailsync.gmail.turns import store as turns
from mailsync.gmail.turns.store import TurnLost
from schema.db import Database

BUCKETS = [Bucket(key="project:y", units_minute=12_000), Bucket(key="user:x", units_minute=1200)]


async def take(database: Database, cost: float) -> float:
    async with database.as_fleet() as unit:
        return await quota.take(unit, BUCKETS, cost)


@pytest.fixture
async def filled(database: Database) -> Database:
    async with database.as_fleet() as unit:
        await quota.make(unit, BUCKETS)
    return database


async def test_a_take_pays_from_all_buckets_or_from_none(filled: Database, rows):
    assert await take(filled, 100) == 0
    before = rows("SELECT bucket, units FROM gmail_quota ORDER BY bucket")
    wait = await take(filled, 100)
    assert 4.0 < wait < 6.0
    after = rows("SELECT bucket, units FROM gmail_quota ORDER BY bucket")
    assert after[0][1] >= before[0][1]


async def test_processes_that_take_at_once_never_take_more_than_there_is(filled: Database):
    waits = await asyncio.gather(*(take(filled, 10) for _ in range(30)))
    assert 10 <= sum(wait == 0 for wait in waits) <= 12


async def test_what_costs_more_than_a_full_bucket_is_paid_off_afterwards(filled: Database, rows):
    assert await take(filled, 250) == 0
    assert rows("SELECT units < -140 FROM gmail_quota WHERE bucket = 'user:x'") == [(True,)]


async def test_refusals_close_the_bucket_ever_longer_and_halve_its_rate(filled: Database, rows):
    waits: list[float] = []
    for _ in range(4):
        async with filled.as_fleet() as unit:
            waits.append(await quota.refused(unit, BUCKETS[1], asked=None, jitter=1.0))
    assert waits == sorted(waits)
    assert 15 < waits[-1] <= 16
    assert await take(filled, 1) > 14
    assert rows(
        "SELECT round((rate / full_rate)::numeric, 4) = 0.0625 FROM gmail_quota WHERE bucket = 'user:x'"
    )
    rows("UPDATE gmail_quota SET paused_until = '-infinity', updated_at = now() - interval '1h' RETURNING 1")
    assert await take(filled, 1) == 0
    assert rows("SELECT rate = full_rate FROM gmail_quota WHERE bucket = 'user:x'") == [(True,)]


async def test_new_limits_hold_at_once(filled: Database, rows):
    async with filled.as_fleet() as unit:
        await quota.make(unit, [Bucket(key="user:x", units_minute=120)])
    assert rows("SELECT units, capacity FROM gmail_quota WHERE bucket = 'user:x'") == [(10, 10)]


async def test_buckets_name_nobody(mailroom: Mailroom, rows):
    await mailroom.connect()
    await mailroom.sync()
    shown = str(rows("SELECT bucket FROM gmail_quota"))
    assert "sam.carter" not in shown
    assert mailroom.settings.client_id not in shown


async def test_a_mailbox_is_held_by_one_and_taken_over_when_its_lease_ran_out(mailroom: Mailroom):
    await mailroom.connect()
    async with mailroom.database.as_fleet() as unit:
        (first,) = await turns.take_turns(unit, uuid4(), "one", lease=60, limit=5)
        assert await turns.take_turns(unit, uuid4(), "two", lease=60, limit=5) == []
    assert not await mailroom.keeper.once(mailroom.who)
    holder = (await mailroom.status()).holder
    assert holder
    assert holder.name == "one"
    mailroom.rows("UPDATE gmail_turns SET lease_until = now() RETURNING 1")
    assert await mailroom.keeper.once(mailroom.who)
    async with mailroom.database.as_fleet() as unit:
        with pytest.raises(TurnLost):
            await turns.hold(unit, first, lease=60)


async def test_who_lost_the_turn_commits_nothing_more(mailroom: Mailroom):
    mailroom.deliver(4, other_mail)
    await mailroom.connect()
    mailroom.control.fault("^batch ", "hold", times=1)
    syncing = asyncio.create_task(mailroom.keeper.once(mailroom.who))
    while not mailroom.control.held():  # noqa: ASYNC110 - the emulator tells nobody
        await asyncio.sleep(0.01)
    mailroom.rows("UPDATE gmail_turns SET generation = generation + 1 RETURNING 1")
    mailroom.control.release()
    await syncing
    assert set(mailroom.ledger().values()) == {"wanted"}


async def test_disconnecting_stops_a_sync_that_is_under_way(mailroom: Mailroom):
    mailroom.deliver(4, other_mail)
    await mailroom.connect()
    mailroom.control.fault("^batch ", "hold", times=1)
    syncing = asyncio.create_task(mailroom.keeper.once(mailroom.who))
    while not mailroom.control.held():  # noqa: ASYNC110 - the emulator tells nobody
        await asyncio.sleep(0.01)
    await mailroom.connections.disconnect(mailroom.who)
    mailroom.control.release()
    await syncing
    assert set(mailroom.ledger().values()) == {"wanted"}
    assert (await mailroom.status()).state == "disconnected"


async def test_a_keeper_that_stops_gives_its_mailboxes_back(mailroom: Mailroom):
    mailroom.deliver(4, other_mail)
    await mailroom.connect()
    mailroom.control.fault("^batch ", "hold", times=1)
    assert await mailroom.keeper.look() == 1
    while not mailroom.control.held():  # noqa: ASYNC110 - the emulator tells nobody
        await asyncio.sleep(0.01)
    await mailroom.keeper.stop()
    mailroom.control.release()
    assert mailroom.rows("SELECT holder, due_at <= now() FROM gmail_turns") == [(None, True)]
    other = Keeper(mailroom.around, uuid4())
    assert await other.once(mailroom.who)
    assert set(mailroom.ledger().values()) == {"not_kept"}


async def test_what_nobody_can_know_is_none(mailroom: Mailroom):
    await mailroom.connect()
    async with mailroom.database.as_account(mailroom.account) as unit:
        from mailsync.gmail.mailbox.store import box

        found = await box(unit, mailroom.who.mailbox_id)
    counts = Counts(wanted=300, stored=10, not_kept=90, left_out=5, gone=1, quarantined=0)
    assert (total(found, counts), time_left(found, counts, 60.0)) == (None, None)
    listed = replace(found, listed=True)
    assert total(listed, counts) == 400
    assert time_left(listed, counts, None) is None
    assert time_left(listed, counts, 60.0) == timedelta(minutes=5)
    paused = replace(listed, paused_until=mailroom.clock.now())
    assert time_left(paused, counts, 60.0) is None
    assert time_left(replace(listed, state="grant_lost"), counts, 60.0) is None
