"""Pairing as acts: show a code, exchange it for a token, revoke a device.

The code and the token leave the process once; only their hashes are stored.
"""

import secrets
from datetime import datetime

import msgspec

from extension_api.pairing import store
from extension_api.pairing.rules import (
    ALPHABET,
    CODE_CHARS,
    CODE_LIFETIME,
    PairingCodeExpired,
    PairingCodeUnknown,
    PairingCodeUsed,
    code_as_shown,
    code_as_typed,
    hashed,
)
from schema.db import Database, Unit
from schema.ids import DeviceId
from schema.live import announce
from schema.throttle import Rate, free, spend

PEER_RATE = Rate(name="pairing.peer", burst=10, seconds_each=30.0)
TOTAL_RATE = Rate(name="pairing.total", burst=200, seconds_each=1.0)


class PairingCode(msgspec.Struct, frozen=True, kw_only=True):
    """`shown` reads XXXX-XXXX; it is told once and good for one device until `expires_at`."""

    shown: str
    expires_at: datetime


class NewPairing(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    device_id: DeviceId
    account_name: str


async def start_pairing(unit: Unit, now: datetime) -> PairingCode:
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_CHARS))
    expires_at = now + CODE_LIFETIME
    await store.add_code(unit, hashed(code), now, expires_at)
    return PairingCode(shown=code_as_shown(code), expires_at=expires_at)


async def exchange(
    database: Database, *, code: str, name: str, origin: str, peer: str, now: datetime
) -> NewPairing:
    """A device token for a good code.

    Every try of a peer, and of all peers together, is counted before the code is looked at. An unknown, a
    used and an expired code take the same queries, so that time tells nothing the answer does not.
    """
    code_hash = hashed(code_as_typed(code))
    async with database.as_presenter("") as unit:
        await spend(unit, PEER_RATE, peer)
        await spend(unit, TOTAL_RATE, "all")
    async with database.as_presenter(code_hash) as unit:
        found = _require_usable(await store.presented_code(unit, code_hash), now)
    token = secrets.token_urlsafe(32)
    async with database.as_account(found.account_id) as unit:
        _require_usable(await store.locked_code(unit, found.id), now)
        holder = await store.holder(unit)
        if holder.disabled_at is not None:
            raise PairingCodeUnknown
        device_id = await store.add_device(
            unit, code_id=found.id, name=name, token_hash=hashed(token), origin=origin, now=now
        )
        announce(unit, "devices", device_id)
        await free(unit, PEER_RATE, peer)
    return NewPairing(token=token, device_id=device_id, account_name=holder.display_name)


def _require_usable(found: store.CodeFound | None, now: datetime) -> store.CodeFound:
    if found is None:
        raise PairingCodeUnknown
    if found.used_at is not None:
        raise PairingCodeUsed
    if found.expires_at <= now:
        raise PairingCodeExpired
    return found


async def revoke(unit: Unit, device_id: DeviceId, now: datetime) -> None:
    """End a device's access at once; its next request is refused by name."""
    await store.mark_revoked(unit, device_id, now)
    announce(unit, "devices", device_id)
