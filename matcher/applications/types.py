"""What an application is to those who record and read one. Only structs."""

from datetime import date, datetime

import msgspec

from schema.ids import ApplicationId, PostingId
from schema.vocabulary import ApplicationOrigin, EventKind, Stage


class NewApplication(msgspec.Struct, frozen=True, kw_only=True):
    """What is known when an application is recorded; unknown stays None, nothing is guessed.

    `url` is any spelling of the posting's address. Give `applied_at` when the instant is known, `applied_on`
    when only the day is, neither when nobody knows.
    """

    origin: ApplicationOrigin
    company: str | None = None
    role: str | None = None
    url: str | None = None
    posting_id: PostingId | None = None
    platform: str | None = None
    board: str | None = None
    vendor_id: str | None = None
    requisition_id: str | None = None
    applied_at: datetime | None = None
    applied_on: date | None = None
    note: str = ""


class Application(msgspec.Struct, frozen=True, kw_only=True):
    """One application with where it stands. `status` is what the person set, or None.

    `received_at`: when a receipt says it had come in; only where nobody knows when they applied.
    """

    application_id: ApplicationId
    origin: ApplicationOrigin
    company: str | None
    role: str | None
    posting_id: PostingId | None
    canonical_url: str | None
    platform: str | None
    board: str | None
    vendor_id: str | None
    requisition_id: str | None
    applied_at: datetime | None
    applied_on: date | None
    status: Stage | None
    status_at: datetime | None
    stage: Stage
    mail_stage: Stage
    messages: int
    last_event_at: datetime | None
    last_event_kind: EventKind | None
    note: str
    created_at: datetime
    updated_at: datetime
    dismissed_at: datetime | None
    merged_into_id: ApplicationId | None
    received_at: datetime | None


class OwnWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says of an application that only one record can hold."""

    status: Stage | None
    status_at: datetime | None
    applied_at: datetime | None
    applied_on: date | None


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a person can correct in an application, with the comparable forms it is found by."""

    company: str | None
    company_key: str | None
    role: str | None
    role_key: str | None
    posting_id: PostingId | None
    canonical_url: str | None
    platform: str | None
    board: str | None
    vendor_id: str | None
    requisition_id: str | None
    requisition_key: str | None
    applied_at: datetime | None
    applied_on: date | None


class KnownPosting(msgspec.Struct, frozen=True, kw_only=True):
    """What the catalog knows of the posting applied to."""

    posting_id: PostingId
    platform: str
    vendor_id: str
    board: str
    requisition_id: str | None
    title: str
    company: str | None
    canonical_url: str


class Complete(msgspec.Struct, frozen=True, kw_only=True):
    """A new application with what its address and the catalog add, and the comparable forms of it all."""

    origin: ApplicationOrigin
    company: str | None
    company_key: str | None
    role: str | None
    role_key: str | None
    posting_id: PostingId | None
    canonical_url: str | None
    platform: str | None
    board: str | None
    vendor_id: str | None
    requisition_id: str | None
    requisition_key: str | None
    applied_at: datetime | None
    applied_on: date | None
    note: str


class Existing(msgspec.Struct, frozen=True, kw_only=True):
    """An application that shares something with one about to be recorded."""

    application_id: ApplicationId
    origin: ApplicationOrigin
    company_key: str | None
    role_key: str | None
    posting_id: PostingId | None
    canonical_url: str | None
    platform: str | None
    vendor_id: str | None
    requisition_key: str | None
    applied_at: datetime | None
    applied_on: date | None
    created_at: datetime
    first_mail_at: datetime | None


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An application as it is kept: everything that a file brought in can write."""

    origin: ApplicationOrigin
    company: str | None
    company_key: str | None
    role: str | None
    role_key: str | None
    posting_id: PostingId | None
    canonical_url: str | None
    platform: str | None
    board: str | None
    vendor_id: str | None
    requisition_id: str | None
    requisition_key: str | None
    applied_at: datetime | None
    applied_on: date | None
    note: str
    status: Stage | None
    status_at: datetime | None
    dismissed_at: datetime | None


class Rewritten(Kept, frozen=True, kw_only=True):
    """What an application becomes, unless it changed since it was looked at."""

    application_id: ApplicationId
    seen_at: datetime
    """Its `updated_at` when it was looked at."""
