"""Sorts Google's refusals by what is to be done about them. Pure.

Rate refusals come in four shapes: 403 with a rate reason, 403 for one user, 429, and a message that says
until when to stay away. A daily limit is not worth a quick retry. What cannot be told apart is passing.
"""

import re
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

import msgspec

Kind = Literal["rate", "day", "token", "scope", "missing", "refused", "passing"]

_RATE = frozenset(("rateLimitExceeded", "userRateLimitExceeded", "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"))
_DAY = frozenset(("dailyLimitExceeded", "quotaExceeded", "dailyLimitExceededUnreg"))
_FORBIDDEN = 403
"""One status with several meanings."""
_SCOPE = frozenset(("insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"))
_DISABLED = frozenset(("accessNotConfigured", "SERVICE_DISABLED"))
_UNTIL = re.compile(r"[Rr]etry after (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)")
_BY_STATUS: dict[int, Kind] = {429: "rate", 401: "token", 404: "missing", 410: "missing", 400: "refused"}
LONGEST_PAUSE = timedelta(hours=1)
DAY_PAUSE = timedelta(hours=1)


class GmailTrouble(Exception):
    """Google did not do what was asked. `code` is stable and names no content."""

    def __init__(self, kind: Kind, code: str, *, after: timedelta | None = None) -> None:
        super().__init__(code)
        self.kind = kind
        self.code = code
        self.after = after
        """How long Google asks to stay away, when it says so."""


class _Part(msgspec.Struct, frozen=True):
    reason: str = ""


class _Error(msgspec.Struct, frozen=True):
    message: str = ""
    status: str = ""
    errors: tuple[_Part, ...] = ()
    details: tuple[_Part, ...] = ()


class _Body(msgspec.Struct, frozen=True):
    error: _Error = _Error()


def trouble(status: int, body: bytes, retry_after: str | None, *, now: datetime) -> GmailTrouble:
    """What a refused request comes to; `body` may be anything, HTML too."""
    error = _decoded(body)
    reasons = {part.reason for part in (*error.errors, *error.details)} | {error.status}
    kind = _kind(status, reasons)
    after = _after(retry_after, error.message, now) if kind in {"rate", "day", "passing"} else None
    code = "gmail_api_disabled" if status == _FORBIDDEN and reasons & _DISABLED else _CODES[kind]
    return GmailTrouble(kind, code, after=after)


def unreachable() -> GmailTrouble:
    """No answer at all, or one that was cut off."""
    return GmailTrouble("passing", "gmail_unreachable")


_CODES: dict[Kind, str] = {
    "rate": "quota_exhausted",
    "day": "daily_quota_exhausted",
    "token": "token_refused",
    "scope": "scope_declined",
    "missing": "not_found",
    "refused": "request_refused",
    "passing": "gmail_unavailable",
}


def _kind(status: int, reasons: set[str]) -> Kind:
    if status == _FORBIDDEN:
        if reasons & _DAY:
            return "day"
        if reasons & _SCOPE:
            return "scope"
        return "rate" if reasons & _RATE else "passing"
    return _BY_STATUS.get(status, "passing")


def _decoded(body: bytes) -> _Error:
    try:
        return msgspec.json.decode(body, type=_Body).error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _Error()


def _after(header: str | None, message: str, now: datetime) -> timedelta | None:
    """From the header (seconds or a date) or from the message; whichever is longer, within reason."""
    waits = [wait for wait in (_from_header(header, now), _from_message(message, now)) if wait is not None]
    return min(max(waits), LONGEST_PAUSE) if waits else None


def _from_header(header: str | None, now: datetime) -> timedelta | None:
    if not header:
        return None
    if header.strip().isdecimal():
        return timedelta(seconds=min(int(header.strip()[:9]), LONGEST_PAUSE.total_seconds()))
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(at - now, timedelta()) if at.tzinfo else None


def _from_message(message: str, now: datetime) -> timedelta | None:
    found = _UNTIL.search(message[:2000])
    return max(datetime.fromisoformat(found[1]) - now, timedelta()) if found else None
