"""What is made of a consent that came back. Pure."""

import hashlib
from collections.abc import Iterable
from urllib.parse import urlsplit

from mailsync.gmail.consent.types import READ_MAIL, ConsentEnd, Tokens

CALLBACK_PATH = "/mail/gmail/callback"
_LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def end_of(tokens: Tokens) -> ConsentEnd:
    """People can untick what was asked for and still come back with a code."""
    if not may_read(tokens.scopes):
        return "scope_declined"
    return "connected" if tokens.refresh else "refresh_missing"


def may_read(scopes: Iterable[str]) -> bool:
    return READ_MAIL in scopes


def redirect_url(address: str) -> str:
    """Where Google sends people back to, for pages that people reach at `address`.

    On a laptop that is a loopback address, which Google allows with any port for clients of the desktop type.
    """
    return f"{address.rstrip('/')}{CALLBACK_PATH}"


def is_loopback(url: str) -> bool:
    return (urlsplit(url).hostname or "") in _LOOPBACK
