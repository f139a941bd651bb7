"""Knows a device again by its token, on every route but pairing itself.

Runs before the body is read. Cookies are never looked at: a page in the person's browser cannot borrow a
session here.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime

from litestar.connection import ASGIConnection, Request
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler

from extension_api.pairing import store
from extension_api.pairing.rules import (
    SEEN_EVERY,
    Device,
    DeviceRevoked,
    DeviceUnknown,
    WrongOrigin,
    bearer_token,
    hashed,
)
from schema.clock import Clock
from schema.db import Database

AnyConnection = ASGIConnection[BaseRouteHandler, object, object, State]
AnyRequest = Request[object, object, State]

GUARDED = [DeviceUnknown, DeviceRevoked, WrongOrigin]
"""What the guard refuses with; every guarded handler declares these."""


def device_guard(database: Database, clock: Clock) -> Callable[[AnyConnection, object], Awaitable[None]]:
    """A Litestar guard that leaves the `Device` in the state of the connection, for the handler.

    A function, not an object: Litestar copies guards deeply, and a database cannot be copied.
    """

    async def guard(connection: AnyConnection, _: object) -> None:
        token = bearer_token(connection.headers.get("authorization"))
        origin = connection.headers.get("origin") or ""
        connection.state.device = await known(database, token, origin, clock.now())

    return guard


async def known(database: Database, token: str, origin: str, now: datetime) -> Device:
    """The device of a token, or the refusal that says why there is none."""
    token_hash = hashed(token)
    async with database.as_presenter(token_hash) as unit:
        found = _require_good(await store.presented_token(unit, token_hash), origin)
    async with database.as_account(found.account_id) as unit:
        holder = await store.holder(unit)
        if holder.disabled_at is not None:
            raise DeviceRevoked
        if _is_due(found.last_seen_at, now):
            await store.seen(unit, found.id, now)
    return Device(
        account_id=found.account_id,
        id=found.id,
        name=found.name,
        account_name=holder.display_name,
        paired_at=found.created_at,
    )


def _require_good(found: store.TokenFound | None, origin: str) -> store.TokenFound:
    if found is None:
        raise DeviceUnknown
    if found.revoked_at is not None:
        raise DeviceRevoked
    # A browser sends no Origin with some of an extension's own GETs; a present one must be the pinned one.
    if origin and origin != found.origin:
        raise WrongOrigin
    return found


def _is_due(last_seen_at: datetime | None, now: datetime) -> bool:
    return last_seen_at is None or now - last_seen_at >= SEEN_EVERY


def known_device(request: AnyRequest) -> Device:
    """The device the guard has let in; on a route without the guard there is none."""
    device: object = getattr(request.state, "device", None)
    if not isinstance(device, Device):
        raise DeviceUnknown
    return device
