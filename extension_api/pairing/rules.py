"""What a pairing code, a device token and an extension's origin look like, and what is refused. Pure.

Nothing here knows the database or the clock; random values are made in `exchange.py`.
"""

import hashlib
import re
from datetime import datetime, timedelta

import msgspec

from schema.errors import Refusal
from schema.ids import AccountId, DeviceId
from schema.text import clean

ALPHABET = "BCDFGHJKMNPQRTVWXYZ2346789"
"""Without vowels, so that no code is a word, and without characters taken for one another."""
CODE_CHARS = 8
CODE_LIFETIME = timedelta(minutes=10)
CODE_REMEMBERED = timedelta(days=1)
"""How long an expired code is still told apart from one that never was."""
SEEN_EVERY = timedelta(minutes=1)

_ORIGIN = re.compile(r"(?:chrome|moz|safari-web)-extension://[A-Za-z0-9-]{1,64}")
_BEARER = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([\x21-\x7e]{1,200}) *")


class PairingCodeUnknown(Refusal):
    """This pairing code is not known; show a new one on the Settings page."""

    code = "pairing_code_unknown"
    kind = "missing"


class PairingCodeUsed(Refusal):
    """This pairing code was used already; show a new one on the Settings page."""

    code = "pairing_code_used"
    kind = "gone"


class PairingCodeExpired(Refusal):
    """This pairing code is older than ten minutes; show a new one on the Settings page."""

    code = "pairing_code_expired"
    kind = "gone"


class DeviceNameEmpty(Refusal):
    """A device needs a name by which its owner will know it."""

    code = "device_name_empty"


class NotAnExtension(Refusal):
    """Only a browser extension can be paired."""

    code = "not_an_extension"
    kind = "forbidden"


class DeviceUnknown(Refusal):
    """The request carries no token of a paired device."""

    code = "device_unknown"
    kind = "unauthenticated"


class DeviceRevoked(Refusal):
    """This device is no longer paired; pair it again to go on."""

    code = "device_revoked"
    kind = "unauthenticated"


class WrongOrigin(Refusal):
    """The token belongs to another extension."""

    code = "wrong_origin"
    kind = "forbidden"


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: a paired, unrevoked device of an account in use."""

    account_id: AccountId
    id: DeviceId
    name: str
    account_name: str
    paired_at: datetime


def code_as_typed(text: str) -> str:
    """The code without what people add to it: case, spaces, dashes."""
    return "".join(char for char in text.upper() if char in ALPHABET)


def code_as_shown(code: str) -> str:
    half = CODE_CHARS // 2
    return f"{code[:half]}-{code[half:]}"


def hashed(secret: str) -> str:
    """What is stored of a code or token: 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def device_name(text: str) -> str:
    """The name in one line, or `DeviceNameEmpty`."""
    name = " ".join(clean(text).split())
    if not name:
        raise DeviceNameEmpty(field="device_name")
    return name


def extension_origin(origin: str | None) -> str:
    """The origin of an extension, or `NotAnExtension`: a page or a program cannot be pinned."""
    if origin is None or not is_extension_origin(origin):
        raise NotAnExtension
    return origin


def is_extension_origin(origin: str) -> bool:
    """The only origins that cross-origin answers of `/api/extension` may name."""
    return _ORIGIN.fullmatch(origin) is not None


def bearer_token(header: str | None) -> str:
    """The token of an `Authorization` header, or `DeviceUnknown`."""
    found = _BEARER.fullmatch(header) if header else None
    if found is None:
        raise DeviceUnknown
    return found[1]
