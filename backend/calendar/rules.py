"""From asks and what messages say about meetings to the entries of a calendar. Pure.

Nothing of a message stands in them: only company, role and what is asked. No duration is ever invented; a day
stays a day, and a time whose zone nobody knows stays the local time it was written as.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from uuid import NAMESPACE_URL, uuid5

import msgspec

from matcher.timeline.rules import ENDED
from schema.ids import ApplicationId, MessageId
from schema.text import shorten
from schema.vocabulary import AskKind, EventKind, SpanSource, Stage

NAME_MAX = 200
ASKED: dict[AskKind, str] = {
    "finish_assessment": "Finish the assessment",
    "choose_time": "Choose a time",
    "send_information": "Send information",
    "answer_offer": "Answer the offer",
}
_DAY_CHARS = len("2026-03-20")


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The application an entry is about, and the message that says so.

    `revisions` counts how often the message was read anew, which only ever grows.
    """

    application_id: ApplicationId
    message_id: MessageId
    company: str | None
    role: str | None
    revised_at: datetime
    revisions: int


class Due(About, frozen=True, kw_only=True):
    """Something that waits for the person, by an instant or a plain day."""

    kind: AskKind
    due_at: datetime | None
    due_on: date | None


class Told(About, frozen=True, kw_only=True):
    """What one message says about a meeting; without an `appointment` it takes the meeting back."""

    stage: Stage
    sent_at: datetime | None
    appointment: str | None
    source: SpanSource | None
    meeting: str | None
    kinds: list[EventKind]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the calendar. A `starts` without a zone is the local time of who reads it."""

    uid: str
    summary: str
    path: str
    starts: datetime | date
    is_busy: bool
    revised_at: datetime
    revision: int


def entries(dues: Iterable[Due], told: Iterable[Told], *, whose: str, now: datetime) -> list[Entry]:
    """Every entry, in the order of time. `whose` tells one person's entries from another's."""
    found = [entry for due in dues if (entry := _of_due(due, whose)) is not None]
    found += [entry for group in _meetings(told) if (entry := _of_meeting(group, whose, now)) is not None]
    return sorted(found, key=lambda entry: (entry.starts.isoformat(), entry.uid))


def moment(comparable: str) -> datetime | date | None:
    """What an ISO spelling says: a day, an instant in UTC, or a local time without a zone."""
    try:
        if len(comparable) == _DAY_CHARS:
            return date.fromisoformat(comparable)
        at = datetime.fromisoformat(comparable)
        return at.astimezone(UTC) if at.tzinfo else at
    except (ValueError, OverflowError):
        return None


def one_line(text: str) -> str:
    """A name as it can stand in one line of a file: no control characters, no runs of white space."""
    seen = "".join(" " if unicodedata.category(mark).startswith("C") else mark for mark in text)
    return shorten(" ".join(seen.split()), NAME_MAX)


def _of_due(due: Due, whose: str) -> Entry | None:
    starts = due.due_at.astimezone(UTC) if due.due_at else due.due_on
    if starts is None:
        return None
    return Entry(
        uid=_uid(whose, due.kind, due.application_id, due.message_id),
        summary=f"{ASKED[due.kind]}: {_job(due)}",
        path=f"/applications/{due.application_id}",
        starts=starts,
        is_busy=False,
        revised_at=due.revised_at,
        revision=due.revisions,
    )


def _meetings(told: Iterable[Told]) -> list[list[Told]]:
    """Messages about one meeting together: by its invitation, else by the time they name."""
    groups: dict[tuple[ApplicationId, str, str], list[Told]] = {}
    for each in told:
        if each.meeting:
            groups.setdefault((each.application_id, "invitation", each.meeting), []).append(each)
        elif each.appointment:
            groups.setdefault((each.application_id, "time", each.appointment), []).append(each)
    return [sorted(group, key=_order) for group in groups.values()]


def _order(told: Told) -> tuple[datetime, MessageId]:
    return told.sent_at or datetime.min.replace(tzinfo=UTC), told.message_id


def _of_meeting(group: Sequence[Told], whose: str, now: datetime) -> Entry | None:
    """What the latest message says counts; an end of the application takes what lies ahead with it."""
    first, last = group[0], group[-1]
    starts = moment(last.appointment) if last.appointment else None
    if starts is None or not _is_settled(last) or (last.stage in ENDED and _is_ahead(starts, now)):
        return None
    return Entry(
        uid=_uid(whose, "interview", first.application_id, first.meeting or first.appointment or ""),
        summary=f"Interview: {_job(last)}",
        path=f"/applications/{last.application_id}",
        starts=starts,
        is_busy=isinstance(starts, datetime),
        revised_at=max(told.revised_at for told in group),
        revision=sum(told.revisions for told in group) + len(group) - 1,
    )


def _is_settled(told: Told) -> bool:
    """A time in an invitation of a calendar is one; in mere text only where the message settles it."""
    return "interview_scheduled" in told.kinds or (
        told.source == "calendar" and "interview_invite" in told.kinds
    )


def _is_ahead(starts: datetime | date, now: datetime) -> bool:
    if not isinstance(starts, datetime):
        return starts > now.date()
    return (starts if starts.tzinfo else starts.replace(tzinfo=UTC)) > now


def _job(about: About) -> str:
    role = one_line(about.role or "") or "role unknown"
    return f"{role}, {one_line(about.company or '') or 'company unknown'}"


def _uid(whose: str, *parts: object) -> str:
    return f"{uuid5(NAMESPACE_URL, '/'.join(map(str, ('jobtrail', whose, *parts))))}@jobtrail"
