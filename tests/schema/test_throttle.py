"""Attempts are counted where every process sees them, by the database's clock, under hashed keys."""

import asyncio

import psycopg
import pytest

from schema.db import Database
from schema.throttle import Rate, TooManyAttempts, forget_empty, free, spend

SLOW = Rate(name="test.slow", burst=3, seconds_each=3600)
QUICK = Rate(name="test.quick", burst=1, seconds_each=0.05)


async def attempt(database: Database, rate: Rate, key: str) -> bool:
    try:
        async with database.as_presenter("") as unit:
            await spend(unit, rate, key)
    except TooManyAttempts:
        return False
    return True


async def test_a_burst_passes_and_the_next_is_refused(database: Database):
    assert [await attempt(database, SLOW, "ada") for _ in range(4)] == [True, True, True, False]


async def test_a_refusal_says_how_long_to_wait(database: Database):
    for _ in range(3):
        await attempt(database, SLOW, "ada")
    with pytest.raises(TooManyAttempts) as refused:
        async with database.as_presenter("") as unit:
            await spend(unit, SLOW, "ada")
    assert refused.value.retry_after_seconds
    assert 3590 <= refused.value.retry_after_seconds <= 3600


async def test_a_refused_attempt_does_not_lengthen_the_wait(database: Database, owner_url: str):
    for _ in range(3):
        await attempt(database, SLOW, "ada")
    with psycopg.connect(owner_url) as owner:
        before = owner.execute("SELECT full_at FROM throttles").fetchall()
    assert not await attempt(database, SLOW, "ada")
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT full_at FROM throttles").fetchall() == before


async def test_keys_and_names_do_not_share_a_bucket(database: Database):
    other = Rate(name="test.other", burst=3, seconds_each=3600)
    for _ in range(3):
        await attempt(database, SLOW, "ada")
    assert await attempt(database, SLOW, "ben")
    assert await attempt(database, other, "ada")


async def test_time_gives_attempts_back(database: Database):
    assert await attempt(database, QUICK, "ada")
    for _ in range(500):
        if await attempt(database, QUICK, "ada"):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the attempt never came back")


async def test_a_success_frees_the_bucket(database: Database):
    for _ in range(3):
        await attempt(database, SLOW, "ada")
    async with database.as_presenter("") as unit:
        await free(unit, SLOW, "ada")
    assert await attempt(database, SLOW, "ada")


async def test_attempts_at_the_same_time_are_all_counted(database: Database):
    passed = await asyncio.gather(*(attempt(database, SLOW, "ada") for _ in range(12)))
    assert sum(passed) == 3


async def test_the_table_names_nobody(database: Database, owner_url: str):
    await attempt(database, SLOW, "ada@example.org")
    with psycopg.connect(owner_url) as owner:
        (bucket,) = owner.execute("SELECT bucket FROM throttles").fetchall()
    assert "ada" not in bucket[0]


async def test_empty_buckets_are_forgotten(database: Database):
    await attempt(database, QUICK, "ada")
    await attempt(database, SLOW, "ada")
    for _ in range(500):
        async with database.as_presenter("") as unit:
            if await forget_empty(unit) == 1:
                return
        await asyncio.sleep(0.01)
    raise AssertionError("the empty bucket stayed")


@pytest.mark.parametrize("key", ["", "\x00", "\ud800", "x" * 100_000])
async def test_any_text_is_a_key(database: Database, key: str):
    assert await attempt(database, SLOW, key)


async def test_forgetting_waits_for_no_attempt_under_way(database: Database, owner_url: str):
    past = "INSERT INTO throttles SELECT unnest(ARRAY['free', 'spent from']), now() - interval '1 hour'"
    async with await psycopg.AsyncConnection.connect(owner_url) as other:
        await other.execute(past)
        await other.commit()
        await other.execute("SELECT 1 FROM throttles WHERE bucket = 'spent from' FOR UPDATE")
        async with asyncio.timeout(5), database.as_presenter("") as unit:
            assert await forget_empty(unit) == 1
