"""The rows of `secrets`: sealed on the way in, opened on the way out, in the scope of one account."""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import AccountId
from schema.query import Query, Statement
from schema.secrets.envelope import Keys, Sealed, opened, seal


class SealedRow(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    key_id: str
    nonce: bytes
    ciphertext: bytes


class AccountRow(msgspec.Struct, frozen=True, kw_only=True):
    id: AccountId


class KeyId(msgspec.Struct, frozen=True, kw_only=True):
    key_id: str


PUT = Statement(
    "secrets.put",
    """INSERT INTO secrets (name, key_id, nonce, ciphertext, updated_at)
       VALUES (%(name)s, %(key_id)s, %(nonce)s, %(ciphertext)s, %(now)s)
       ON CONFLICT (account_id, name) DO UPDATE SET key_id = excluded.key_id, nonce = excluded.nonce,
         ciphertext = excluded.ciphertext, updated_at = excluded.updated_at""",
)
GET = Query(
    "secrets.get", SealedRow, "SELECT name, key_id, nonce, ciphertext FROM secrets WHERE name = %(name)s"
)
FORGET = Statement("secrets.forget", "DELETE FROM secrets WHERE name = %(name)s")
UNDER_OTHER_KEYS = Query(
    "secrets.under_other_keys",
    SealedRow,
    """SELECT name, key_id, nonce, ciphertext FROM secrets WHERE key_id <> %(current)s
       ORDER BY name LIMIT %(limit)s FOR UPDATE""",
)
RESEAL = Statement(
    "secrets.reseal",
    """UPDATE secrets SET key_id = %(key_id)s, nonce = %(nonce)s, ciphertext = %(ciphertext)s
       WHERE name = %(name)s""",
)
KEY_IDS = Query("secrets.key_ids", KeyId, "SELECT DISTINCT key_id FROM secrets ORDER BY key_id")
ACCOUNTS = Query(
    "secrets.accounts",
    AccountRow,
    "SELECT id FROM accounts WHERE id > %(after)s ORDER BY id LIMIT %(limit)s",
)


async def put_secret(unit: Unit, keys: Keys, name: str, secret: bytes, *, now: datetime) -> None:
    """Keep `secret` under `name` for the unit's account, instead of what was there."""
    sealed = seal(keys, unit.owner, name, secret)
    await unit.run(
        PUT, name=name, key_id=sealed.key_id, nonce=sealed.nonce, ciphertext=sealed.ciphertext, now=now
    )


async def secret(unit: Unit, keys: Keys, name: str) -> bytes | None:
    """What is kept under `name`; None when nothing is."""
    row = await unit.maybe(GET, name=name)
    return None if row is None else opened(keys, unit.owner, name, _sealed(row))


async def forget_secret(unit: Unit, name: str) -> bool:
    return await unit.run(FORGET, name=name) == 1


async def reseal_some(unit: Unit, keys: Keys, limit: int) -> int:
    """Put up to `limit` secrets of the account under the current key; how many there were."""
    rows = await unit.all(UNDER_OTHER_KEYS, current=keys.current, limit=limit)
    for row in rows:
        plain = opened(keys, unit.owner, row.name, _sealed(row))
        fresh = seal(keys, unit.owner, row.name, plain)
        await unit.run(
            RESEAL, name=row.name, key_id=fresh.key_id, nonce=fresh.nonce, ciphertext=fresh.ciphertext
        )
    return len(rows)


async def key_ids(unit: Unit) -> set[str]:
    """The keys the account's secrets are sealed with."""
    return {row.key_id for row in await unit.all(KEY_IDS)}


async def accounts_after(unit: Unit, after: int, limit: int) -> list[AccountId]:
    """The next accounts by id; in a unit of the fleet."""
    return [row.id for row in await unit.all(ACCOUNTS, after=after, limit=limit)]


def _sealed(row: SealedRow) -> Sealed:
    return Sealed(key_id=row.key_id, nonce=row.nonce, ciphertext=row.ciphertext)
