"""Knows a device again by its token, on every route but pairing itself.

Runs before the body is read. Cookies are never looked at: a page in the person's browser cannot borrow a
session here.
"""

from datetime import datetime

import msgspec
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
from schema.settings import ModelSettings

STATE = "extension"
"""Where the state of the app that mounts the extension's routes has their parts."""

AnyConnection = ASGIConnection[BaseRouteHandler, object, object, State]
AnyRequest = Request[object, object, State]

GUARDED = [DeviceUnknown, DeviceRevoked, WrongOrigin]
"""What the guard refuses with; every guarded handler declares these."""


class ExtensionParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the routes are made of. `model` may write drafts; one that is not set writes none."""

    database: Database
    clock: Clock
    model: ModelSettings


def parts_of(connection: AnyConnection | AnyRequest) -> ExtensionParts:
    """The parts of the app that serves this connection."""
    parts: object = connection.app.state[STATE]
    if not isinstance(parts, ExtensionParts):
        raise TypeError("the app that mounts the extension's routes did not say what they are made of")
    return parts


async def device_guard(connection: AnyConnection, _: object) -> None:
    """A Litestar guard that leaves the `Device` in the state of the connection, for the handler."""
    parts = parts_of(connection)
    token = bearer_token(connection.headers.get("authorization"))
    origin = connection.headers.get("origin") or ""
    connection.state.device = await known(parts.database, token, origin, parts.clock.now())


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
