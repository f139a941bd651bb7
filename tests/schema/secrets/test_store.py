"""Secrets in the database: readable by their account only, and put under a new key without a gap."""

from pathlib import Path

import psycopg
import pytest
from fixtures.people import FixedClock

from schema.db import Database
from schema.ids import AccountId
from schema.secrets import rotation
from schema.secrets.envelope import KeyUnknown
from schema.secrets.keys import KeyRing, ensure
from schema.secrets.rotation import rotate_keys
from schema.secrets.store import forget_secret, put_secret, reseal_some, secret
from schema.settings import HomeSettings

CANARY = b"canary-refresh-token-91c2"


@pytest.fixture
def ring(tmp_path: Path, clock: FixedClock) -> KeyRing:
    return ensure(HomeSettings(home=str(tmp_path)), clock)


@pytest.fixture
async def kept(
    database: Database, account: AccountId, other_account: AccountId, ring: KeyRing, clock: FixedClock
) -> None:
    """Five secrets of one account and one of another."""
    async with database.as_account(account) as unit:
        for number in range(5):
            await put_secret(unit, ring.keys(), f"token.{number}", CANARY, now=clock.now())
    async with database.as_account(other_account) as unit:
        await put_secret(unit, ring.keys(), "token.0", b"ben's", now=clock.now())


async def read(database: Database, account: AccountId, ring: KeyRing, name: str) -> bytes | None:
    async with database.as_account(account) as unit:
        return await secret(unit, ring.keys(), name)


def key_ids(owner_url: str) -> set[str]:
    with psycopg.connect(owner_url) as owner:
        return {row[0] for row in owner.execute("SELECT key_id FROM secrets")}


async def test_a_secret_is_read_by_its_account_only(
    database: Database, account: AccountId, other_account: AccountId, ring: KeyRing, kept: None
):
    assert await read(database, account, ring, "token.0") == CANARY
    assert await read(database, other_account, ring, "token.0") == b"ben's"
    assert await read(database, other_account, ring, "token.1") is None


async def test_a_later_secret_replaces_and_a_forgotten_one_is_gone(
    database: Database, account: AccountId, ring: KeyRing, kept: None, clock: FixedClock
):
    async with database.as_account(account) as unit:
        await put_secret(unit, ring.keys(), "token.0", b"newer", now=clock.now())
        assert await secret(unit, ring.keys(), "token.0") == b"newer"
        assert await forget_secret(unit, "token.0")
        assert not await forget_secret(unit, "token.0")
        assert await secret(unit, ring.keys(), "token.0") is None


async def test_the_database_never_holds_the_secret(owner_url: str, kept: None):
    with psycopg.connect(owner_url) as owner:
        rows = owner.execute("SELECT s::text, s.ciphertext, s.nonce FROM secrets s").fetchall()
    assert rows
    assert CANARY.hex() not in repr(rows)
    assert all(CANARY not in part for _, *parts in rows for part in parts)


async def test_rotation_puts_everything_under_a_new_key(
    database: Database, account: AccountId, ring: KeyRing, kept: None, clock: FixedClock, owner_url: str
):
    before = ring.keys().current
    done = await rotate_keys(database, ring, clock)
    assert (done.resealed, done.accounts, done.resumed) == (6, 2, False)
    assert key_ids(owner_url) == {ring.keys().current} != {before}
    assert await read(database, account, ring, "token.4") == CANARY


async def test_the_key_before_the_last_is_dropped(
    database: Database, ring: KeyRing, kept: None, clock: FixedClock
):
    first = ring.keys().current
    await rotate_keys(database, ring, clock)
    second = ring.keys().current
    assert first in ring.keys().ids
    await rotate_keys(database, ring, clock)
    assert first not in ring.keys().ids
    assert second in ring.keys().ids


async def test_a_stopped_rotation_goes_on_with_the_same_key(
    database: Database,
    ring: KeyRing,
    kept: None,
    clock: FixedClock,
    owner_url: str,
    monkeypatch: pytest.MonkeyPatch,
):
    async def stops(*_: object) -> int:
        raise ConnectionError("killed")

    monkeypatch.setattr(rotation, "BATCH", 2)
    with monkeypatch.context() as patch, pytest.raises(ConnectionError):
        calls = 0

        async def twice(unit, keys, limit) -> int:  # pyright: ignore
            nonlocal calls
            calls += 1
            return await (reseal_some(unit, keys, limit) if calls < 2 else stops())

        patch.setattr(rotation.store, "reseal_some", twice)
        await rotate_keys(database, ring, clock)
    half = ring.keys().current
    assert len(key_ids(owner_url)) == 2
    done = await rotate_keys(database, ring, clock)
    assert (done.resumed, done.current, done.resealed) == (True, half, 4)
    assert key_ids(owner_url) == {half}


async def test_a_secret_whose_key_is_lost_stops_the_rotation_by_name(
    database: Database, ring: KeyRing, kept: None, clock: FixedClock, owner_url: str
):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE secrets SET key_id = 'lost-1' WHERE name = 'token.3'")
    with pytest.raises(KeyUnknown, match="lost-1"):
        await rotate_keys(database, ring, clock)
