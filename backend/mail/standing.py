"""How a connected mailbox stands, in words: what each page says about it, from one place. Pure.

What nobody can know stays None, and the page shows it as unknown.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from backend.http.rendering import plural
from mailsync.gmail.status import GmailStatus
from mailsync.gmail.types import MailboxState, Phase

Tone = Literal["plain", "good", "warn", "bad", "quiet"]
NEEDS_PERSON: tuple[MailboxState, ...] = ("grant_lost", "scope_declined", "refresh_missing")
_STATES: dict[MailboxState, tuple[str, Tone]] = {
    "connected": ("Connected", "good"),
    "grant_lost": ("Access lost", "bad"),
    "scope_declined": ("Not allowed to read", "bad"),
    "refresh_missing": ("No lasting access", "bad"),
    "disconnected": ("Disconnected", "quiet"),
}
_PHASES: dict[Phase, str] = {
    "starting": "It was just connected; reading begins in a moment.",
    "listing": "Gmail is telling which messages there are. Mail about applications is read first.",
    "fetching": "Its messages are being read. What is read already is useful now.",
    "in_step": "Everything is read. New mail is looked for every minute or so.",
}
_HOUR, _DAY = 60, 24
"""In minutes, and in hours."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One mailbox for the pages. `left` None: nobody knows how long it takes."""

    status: GmailStatus
    badge: str
    tone: Tone
    told: str
    """Empty while nothing reads it: the page says that instead."""
    done: int
    percent: int | None
    left: str | None
    is_untended: bool
    """Connected, and no mail daemon runs that could sync it."""

    @property
    def is_moving(self) -> bool:
        """Whether something is at work, or will be in a moment; not while it pauses."""
        return self.is_reading and not self.is_untended and self.badge != "Pauses"

    @property
    def needs_person(self) -> bool:
        return self.status.state in NEEDS_PERSON

    @property
    def is_reading(self) -> bool:
        return self.status.state == "connected" and self.status.phase != "in_step"


def standing(status: GmailStatus, now: datetime, *, daemons: int) -> Standing:
    is_untended = status.state == "connected" and daemons == 0
    badge, tone = ("Stands still", "bad") if is_untended else _badge(status, now)
    done = read_of(status)
    return Standing(
        status=status,
        badge=badge,
        tone=tone,
        told="" if is_untended else _told(status),
        done=done,
        percent=percent(done, status.total),
        left=None if status.remaining is None else lasting(status.remaining),
        is_untended=is_untended,
    )


def read_of(status: GmailStatus) -> int:
    """Messages that were read, whatever became of them."""
    return status.counts.stored + status.counts.not_kept + status.counts.quarantined


def percent(done: int, total: int | None) -> int | None:
    """Whole only when everything is done; None while nobody knows how much there is."""
    if total is None:
        return None
    return 100 if done >= total else min(99, 100 * done // total)


def lasting(span: timedelta) -> str:
    """`less than a minute`, `about 12 minutes`, `about 3 hours 20 minutes`, `about 2 days`; never exact."""
    minutes = round(span.total_seconds() / 60)
    if span < timedelta(minutes=1):
        return "less than a minute"
    if minutes < _HOUR:
        return f"about {plural(minutes, 'minute', 'minutes')}"
    hours, rest = divmod(round(minutes / 10) * 10, _HOUR)
    if hours < _DAY:
        more = f" {plural(rest, 'minute', 'minutes')}" if rest else ""
        return f"about {plural(hours, 'hour', 'hours')}{more}"
    return f"about {plural(round(hours / _DAY), 'day', 'days')}"


def is_paused(status: GmailStatus, now: datetime) -> bool:
    return status.state == "connected" and status.paused_until is not None and status.paused_until > now


def _badge(status: GmailStatus, now: datetime) -> tuple[str, Tone]:
    if status.state != "connected":
        return _STATES[status.state]
    if is_paused(status, now):
        return "Pauses", "warn"
    return ("In step", "good") if status.phase == "in_step" else ("Being read", "plain")


def _told(status: GmailStatus) -> str:
    match status.state:
        case "connected" if status.is_recovering:
            return (
                "Gmail no longer knew what had changed, so the whole mailbox is compared once more. "
                "Nothing that was read is fetched again."
            )
        case "connected":
            return _PHASES[status.phase]
        case "grant_lost":
            return "Google no longer lets Jobtrail read this mailbox. What was read is kept."
        case "scope_declined":
            return "At Google the box for reading mail was left unticked, so nothing can be read."
        case "refresh_missing":
            return "Google gave an access that ends within the hour, which is no use for reading mail."
        case "disconnected":
            return "Nothing is asked of Google. What was read is kept."
