"""What the catalog answers with. `None` is "not known" everywhere, never a default."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

from pipeline.sources.types import EmploymentType, PostedMeaning, Workplace
from schema.ids import ApplicationId, PostingId, PullId, SourceId

Shelf = Literal["all", "saved", "hidden"]
DescriptionState = Literal["not_fetched", "fetch_failed", "empty", "stored", "expired"]
State = Literal["yes", "no", "failed", "unknown", "not_looked"]
Seniority = Literal[
    "intern", "entry", "mid", "senior", "lead", "principal", "manager", "director", "executive"
]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a list is narrowed to. The shelf `all` leaves out what the person has hidden.

    `country` as ISO 3166-1 alpha-2; `board` as "platform/board"; `pay_from` by the year and only together
    with its currency. On a shelf of the person closed ones stay.
    """

    words: str = ""
    place: str = ""
    shelf: Shelf = "all"
    country: str | None = None
    workplace: Workplace | None = None
    employment_type: EmploymentType | None = None
    seniority: Seniority | None = None
    platform: str | None = None
    board: str | None = None
    with_pay: bool = False
    pay_from: int | None = None
    pay_currency: str | None = None
    since: datetime | None = None
    with_closed: bool = False


class After(msgspec.Struct, frozen=True, kw_only=True):
    """The last row a page showed: the next begins behind it."""

    newest_at: datetime
    id: int
    is_own: bool = False


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """`is_more`: there are more than `number`, which is as far as was counted."""

    number: int
    is_more: bool


class PostingLine(msgspec.Struct, frozen=True, kw_only=True):
    """One posting in a list, with what this person did with it.

    `is_own`: only this person knows it, and its id is one of their own postings. `company` None: the platform
    names no employer; `board` is how it calls the list. `posted_at` and `posted_on` are never both known.
    `newest_at` is for sorting only.
    """

    id: PostingId
    is_own: bool
    title: str
    company: str | None
    platform: str
    board: str
    locations: list[str]
    workplace: Workplace | None
    employment_type: str | None
    seniority: str | None
    pay_min: Decimal | None
    pay_max: Decimal | None
    pay_currency: str | None
    pay_interval: str | None
    posted_at: datetime | None
    posted_on: date | None
    posted_meaning: PostedMeaning | None
    first_seen_at: datetime
    closed_at: datetime | None
    newest_at: datetime
    saved_at: datetime | None
    hidden_at: datetime | None
    application_id: ApplicationId | None


class PostingsPage(msgspec.Struct, frozen=True, kw_only=True):
    items: list[PostingLine]
    next: After | None
    count: Count


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """Everything known of one posting. `html` is sanitised; `text` is the same for reading and searching."""

    id: PostingId
    title: str
    company: str | None
    platform: str
    board: str
    vendor_id: str
    requisition_id: str | None
    locations: list[str]
    countries: list[str]
    workplace: Workplace | None
    workplace_signals: list[str]
    workplace_conflict: bool
    employment_type: str | None
    seniority: str | None
    pay_min: Decimal | None
    pay_max: Decimal | None
    pay_currency: str | None
    pay_interval: str | None
    pay_source: Literal["field", "text", "none"]
    pay_text: str | None
    posted_at: datetime | None
    posted_on: date | None
    posted_meaning: PostedMeaning | None
    apply_url: str | None
    canonical_url: str
    language: str | None
    description_state: DescriptionState
    described_at: datetime | None
    details_tried: int
    html: str | None
    text: str | None
    first_seen_at: datetime
    closed_at: datetime | None
    closed_reason: str | None
    saved_at: datetime | None
    hidden_at: datetime | None
    note: str
    application_id: ApplicationId | None


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One board's observation of a posting and what the admission rules said of it.

    `last_seen_at` is exact once it was missed, else the board's last complete pull; None when there was none
    since. `missed` counts complete pulls in a row that did not show it.
    """

    source_id: SourceId
    platform: str
    board: str
    vendor_id: str
    posting_id: PostingId | None
    first_seen_at: datetime
    last_seen_at: datetime | None
    missed: int
    verdict: Literal["admitted", "refused"]
    rule: str
    rule_version: int
    reason: str | None
    judged_at: datetime
    changed_pull_id: PullId


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to a posting once; `board` is the one that showed it, None when it is forgotten."""

    at: datetime
    event: Literal["opened", "closed", "reopened"]
    reason: str
    platform: str | None
    board: str | None
    pull_id: int | None


class Twin(msgspec.Struct, frozen=True, kw_only=True):
    """Another posting that is probably the same opening: a suggestion, with what speaks for it."""

    id: PostingId
    title: str
    company: str | None
    platform: str
    board: str
    closed_at: datetime | None
    evidence: list[str]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One station on a posting's way to the page: what happened, when, and why; each can be unknown."""

    name: Literal["observed", "admitted", "fetched", "reviewed", "shown", "open", "closed"]
    state: State
    at: datetime | None = None
    why: str = ""
