"""One sentence carried over a redirect, with the form that undoes what it tells.

It travels in a cookie sealed with the session's own token: another program on this machine shares our
cookie jar and must not put words or a form on our page.
"""

import base64
import hashlib
import hmac
from typing import Literal

import msgspec

COOKIE = "jobtrail_flash"
LIFE_SECONDS = 60
_TEXT_MAX = 300
_COOKIE_MAX = 3500


class Undo(msgspec.Struct, frozen=True, kw_only=True):
    """The form that undoes: where it is posted, and what it carries."""

    action: str
    fields: dict[str, str] = {}
    label: str = "Undo"


class Flash(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    tone: Literal["done", "refused"] = "done"
    undo: Undo | None = None


def seal(flash: Flash, token: str) -> str:
    """The cookie's value; without the undo, then without the end of the text, when it would not fit."""
    body = msgspec.json.encode(flash)
    if len(body) > _COOKIE_MAX * 3 // 4 - 64:
        body = msgspec.json.encode(Flash(text=flash.text[:_TEXT_MAX], tone=flash.tone))
    return base64.urlsafe_b64encode(_mac(body, token) + body).decode().rstrip("=")


def unseal(value: str, token: str) -> Flash | None:
    """The flash in a cookie; None when it is not ours or belongs to another session."""
    if len(value) > _COOKIE_MAX:
        return None
    try:
        raw = base64.urlsafe_b64decode(value.encode() + b"=" * (-len(value) % 4))
    except ValueError:
        return None
    mac, body = raw[:32], raw[32:]
    if not hmac.compare_digest(mac, _mac(body, token)):
        return None
    try:
        return msgspec.json.decode(body, type=Flash)
    except msgspec.DecodeError:
        return None


def _mac(body: bytes, token: str) -> bytes:
    return hmac.digest(b"flash:" + token.encode(), body, hashlib.sha256)
