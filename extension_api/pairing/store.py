"""The SQL of pairing: codes, devices and when a device was last seen."""

from datetime import datetime

import msgspec

from extension_api.pairing.rules import CODE_REMEMBERED
from schema.db import Unit
from schema.ids import AccountId, DeviceId
from schema.query import Query, Statement


class CodeFound(msgspec.Struct, frozen=True, kw_only=True):
    account_id: AccountId
    id: int
    expires_at: datetime
    used_at: datetime | None


class TokenFound(msgspec.Struct, frozen=True, kw_only=True):
    account_id: AccountId
    id: DeviceId
    name: str
    origin: str
    created_at: datetime
    last_seen_at: datetime | None
    revoked_at: datetime | None


class DeviceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A device as its owner sees it; a revoked one stays listed."""

    id: DeviceId
    name: str
    origin: str
    created_at: datetime
    last_seen_at: datetime | None
    revoked_at: datetime | None


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    display_name: str
    disabled_at: datetime | None


class NewDevice(msgspec.Struct, frozen=True, kw_only=True):
    id: DeviceId


FORGET_CODES = Statement("pairing.forget_codes", "DELETE FROM pairing_codes WHERE expires_at < %(before)s")
ADD_CODE = Statement(
    "pairing.add_code",
    """INSERT INTO pairing_codes (code_hash, created_at, expires_at)
       VALUES (%(code_hash)s, %(now)s, %(expires_at)s)""",
)
PRESENTED_CODE = Query(
    "pairing.presented_code",
    CodeFound,
    "SELECT account_id, id, expires_at, used_at FROM pairing_codes WHERE code_hash = %(code_hash)s",
)
LATEST_CODE = Query(
    "pairing.latest_code",
    CodeFound,
    "SELECT account_id, id, expires_at, used_at FROM pairing_codes ORDER BY id DESC LIMIT 1",
)
LOCKED_CODE = Query(
    "pairing.locked_code",
    CodeFound,
    "SELECT account_id, id, expires_at, used_at FROM pairing_codes WHERE id = %(id)s FOR UPDATE",
)
ADD_DEVICE = Query(
    "pairing.add_device",
    NewDevice,
    """INSERT INTO devices (name, token_hash, origin, created_at, last_seen_at)
       VALUES (%(name)s, %(token_hash)s, %(origin)s, %(now)s, %(now)s) RETURNING id""",
)
USE_CODE = Statement(
    "pairing.use_code",
    "UPDATE pairing_codes SET used_at = %(now)s, device_id = %(device_id)s WHERE id = %(id)s",
)
PRESENTED_TOKEN = Query(
    "pairing.presented_token",
    TokenFound,
    """SELECT account_id, id, name, origin, created_at, last_seen_at, revoked_at
       FROM devices WHERE token_hash = %(token_hash)s""",
)
HOLDER = Query(
    "pairing.holder", Holder, "SELECT display_name, disabled_at FROM accounts WHERE id = jobtrail_account()"
)
SEEN = Statement("pairing.seen", "UPDATE devices SET last_seen_at = %(now)s WHERE id = %(id)s")
DEVICES = Query(
    "pairing.devices",
    DeviceRow,
    """SELECT id, name, origin, created_at, last_seen_at, revoked_at FROM devices
       ORDER BY revoked_at IS NOT NULL, id DESC""",
)
REVOKE = Query(
    "pairing.revoke",
    NewDevice,
    "UPDATE devices SET revoked_at = coalesce(revoked_at, %(now)s) WHERE id = %(id)s RETURNING id",
)


async def latest_code_used(unit: Unit) -> bool:
    """Whether the code that was shown last has paired a browser."""
    found = await unit.maybe(LATEST_CODE)
    return found is not None and found.used_at is not None


async def add_code(unit: Unit, code_hash: str, now: datetime, expires_at: datetime) -> None:
    """Keep a new code; codes that expired long ago are forgotten on the way."""
    await unit.run(FORGET_CODES, before=now - CODE_REMEMBERED)
    await unit.run(ADD_CODE, code_hash=code_hash, now=now, expires_at=expires_at)


async def presented_code(unit: Unit, code_hash: str) -> CodeFound | None:
    """The code a visitor presents, whosever it is; the unit must present its hash."""
    return await unit.maybe(PRESENTED_CODE, code_hash=code_hash)


async def locked_code(unit: Unit, code_id: int) -> CodeFound:
    return await unit.one(LOCKED_CODE, id=code_id)


async def add_device(
    unit: Unit, *, code_id: int, name: str, token_hash: str, origin: str, now: datetime
) -> DeviceId:
    """A device in exchange for a code that the caller has locked and found good."""
    device = await unit.one(ADD_DEVICE, name=name, token_hash=token_hash, origin=origin, now=now)
    await unit.run(USE_CODE, id=code_id, device_id=device.id, now=now)
    return device.id


async def presented_token(unit: Unit, token_hash: str) -> TokenFound | None:
    """The device a bearer token belongs to; the unit must present its hash."""
    return await unit.maybe(PRESENTED_TOKEN, token_hash=token_hash)


async def holder(unit: Unit) -> Holder:
    return await unit.one(HOLDER)


async def seen(unit: Unit, device_id: DeviceId, now: datetime) -> None:
    await unit.run(SEEN, id=device_id, now=now)


async def devices(unit: Unit) -> list[DeviceRow]:
    """Every device of the account, those in use first, newest first."""
    return await unit.all(DEVICES)


async def mark_revoked(unit: Unit, device_id: DeviceId, now: datetime) -> None:
    """Revoking again changes nothing; raises `Missing` for a device that is not the account's."""
    await unit.one(REVOKE, id=device_id, now=now)
