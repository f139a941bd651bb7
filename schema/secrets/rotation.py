"""A new current key, and every secret put under it: account by account, in short transactions.

Stopped half way, the next run goes on instead of making another key. The key that was current before stays
in the file until the next rotation, because a process may still seal with it for a moment.
"""

from collections.abc import AsyncGenerator

import msgspec

from schema.clock import Clock
from schema.db import Database
from schema.ids import AccountId
from schema.secrets import store
from schema.secrets.envelope import Keys
from schema.secrets.keys import KeyRing, add_current, rotating

BATCH = 100
_ACCOUNTS = 500


class Rotation(msgspec.Struct, frozen=True, kw_only=True):
    """`resumed`: an unfinished rotation was finished, and no new key was made."""

    current: str
    resealed: int
    accounts: int
    resumed: bool


async def rotate_keys(database: Database, ring: KeyRing, clock: Clock) -> Rotation:
    """Raises `KeyUnknown` when a secret needs a key we lack, `KeysFixed` when the keys are not in a file."""
    with rotating(ring):
        used = await _used(database)
        resumed = bool(used - {ring.keys().current})
        keys = ring.keys() if resumed else add_current(ring, clock, keep=used)
        resealed = accounts = 0
        async for account_id in _accounts(database):
            accounts += 1
            resealed += await _reseal(database, keys, account_id)
    return Rotation(current=keys.current, resealed=resealed, accounts=accounts, resumed=resumed)


async def _reseal(database: Database, keys: Keys, account_id: AccountId) -> int:
    total = 0
    while True:
        async with database.as_account(account_id) as unit:
            done = await store.reseal_some(unit, keys, BATCH)
        total += done
        if done < BATCH:
            return total


async def _used(database: Database) -> set[str]:
    used: set[str] = set()
    async for account_id in _accounts(database):
        async with database.as_account(account_id) as unit:
            used |= await store.key_ids(unit)
    return used


async def _accounts(database: Database) -> AsyncGenerator[AccountId, None]:
    after = 0
    while True:
        async with database.as_fleet() as unit:
            some = await store.accounts_after(unit, after, _ACCOUNTS)
        for account_id in some:
            yield account_id
        if len(some) < _ACCOUNTS:
            return
        after = some[-1]
