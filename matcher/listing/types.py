"""What a list of applications is asked for and what it tells. Only structs."""

from datetime import date, datetime
from typing import Literal

import msgspec

from matcher.timeline.rules import ENDED
from schema.ids import ApplicationId
from schema.vocabulary import ApplicationOrigin, EventKind, Stage

Sort = Literal["news", "applied", "company", "silence"]
"""Latest news first, last applied first, companies by name, longest silence first; the unknown at the end."""


class Days(msgspec.Struct, frozen=True, kw_only=True):
    """From `first` to `last`, both included; None is open. `start` and `end` are the same as instants of the
    person's zone, `end` no more included."""

    first: date | None = None
    last: date | None = None
    start: datetime | None = None
    end: datetime | None = None


class Lens(msgspec.Struct, frozen=True, kw_only=True):
    """Which applications to list, and how. All that is given has to hold; what stands empty asks nothing.

    Every word of `search` must occur in company, role, requisition number or note. `silent_since`: no sign of
    life after that instant, and not ended. `asks`: the employer waits for something. `proposed`: newer mail
    says otherwise than the person set.
    """

    stages: tuple[Stage, ...] = ()
    search: str = ""
    origins: tuple[ApplicationOrigin, ...] = ()
    platform: str | None = None
    applied: Days | None = None
    news: Days | None = None
    silent_since: datetime | None = None
    asks: bool = False
    proposed: bool = False
    dismissed: bool = False
    sort: Sort = "news"


class ListedApplication(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list. `activity_at` and `company_key` are sort keys, not facts about the application.

    `received_at`: when a receipt says it had come in; only where nobody knows when they applied.
    `silent_since` is the last sign of life: the last event, else the applying; None when neither has a time.
    """

    application_id: ApplicationId
    origin: ApplicationOrigin
    company: str | None
    company_key: str | None
    role: str | None
    canonical_url: str | None
    applied_at: datetime | None
    applied_on: date | None
    received_at: datetime | None
    stage: Stage
    by_person: bool
    proposal: Stage | None
    messages: int
    open_asks: int
    last_event_at: datetime | None
    last_event_kind: EventKind | None
    silent_since: datetime | None
    activity_at: datetime

    @property
    def ended(self) -> bool:
        return self.stage in ENDED


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where one application stands, and whether by the person's own word."""

    application_id: ApplicationId
    company: str | None
    role: str | None
    stage: Stage
    by_person: bool


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a page of the list ended: the sort key of its last line, an instant or a name, if known."""

    sort: Sort
    at: datetime | None = None
    name: str | None = None
    application_id: ApplicationId


class StageCount(msgspec.Struct, frozen=True, kw_only=True):
    stage: Stage
    count: int


class PlatformCount(msgspec.Struct, frozen=True, kw_only=True):
    platform: str
    count: int


class ApplicationPage(msgspec.Struct, frozen=True, kw_only=True):
    """`counts` covers every stage under the same lens, those it leaves out included."""

    rows: list[ListedApplication]
    counts: list[StageCount]
    next: Place | None

    @property
    def total(self) -> int:
        """In all stages."""
        return sum(entry.count for entry in self.counts)
