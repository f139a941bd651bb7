"""`POST /pair` and `GET /device`: from a code to a token, and who the token belongs to."""

from datetime import datetime

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from extension_api.pairing.exchange import exchange
from extension_api.pairing.guard import GUARDED, AnyRequest
from extension_api.pairing.rules import (
    Device,
    DeviceNameEmpty,
    NotAnExtension,
    PairingCodeExpired,
    PairingCodeUnknown,
    PairingCodeUsed,
    device_name,
    extension_origin,
)
from extension_api.protocol import Pair, Paired, ThisDevice
from schema.db import Database
from schema.errors import Unavailable
from schema.throttle import TooManyAttempts

PAIR_REFUSALS = [
    PairingCodeUnknown,
    PairingCodeUsed,
    PairingCodeExpired,
    DeviceNameEmpty,
    NotAnExtension,
    TooManyAttempts,
    Unavailable,
]


@post("/pair", status_code=200, opt={"refusals": PAIR_REFUSALS}, operation_id="extension_pair")
async def pair(
    request: AnyRequest,
    data: JSONBody[Pair],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> Paired:
    """Exchange a pairing code for a device token, which is told this once."""
    made = await exchange(
        database,
        code=data.code,
        name=device_name(data.device_name),
        origin=extension_origin(request.headers.get("origin")),
        peer=request.client.host if request.client else "",
        now=now,
    )
    return Paired(token=made.token, device_id=made.device_id, account_name=made.account_name)


@get("/device", opt={"refusals": [*GUARDED, Unavailable]}, operation_id="extension_device")
async def this_device(device: NamedDependency[Device]) -> ThisDevice:
    """Which device and whose account this token belongs to."""
    return ThisDevice(
        device_id=device.id,
        device_name=device.name,
        account_name=device.account_name,
        paired_at=device.paired_at,
    )
