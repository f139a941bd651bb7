"""Applications written out as CSV and JSON: the columns, in an order that never changes, and each cell. Pure.

`becoming.py` reads the same columns back without loss. A column may be added at the end, never moved.
"""

import csv
import io
from collections.abc import Iterable
from datetime import date, datetime

import msgspec

from matcher.trackers.headers import OURS
from matcher.trackers.values import defused
from schema.ids import ApplicationId
from schema.vocabulary import ApplicationOrigin, EventKind, Stage

BY_PERSON = "you"
BY_MAIL = "mail"


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """One application as it leaves. `status` is where it stands; `by_person`: the person set it."""

    application_id: ApplicationId
    company: str | None
    role: str | None
    status: Stage
    status_at: datetime | None
    by_person: bool
    applied_at: datetime | None
    applied_on: date | None
    canonical_url: str | None
    requisition_id: str | None
    archived: bool
    note: str
    origin: ApplicationOrigin
    platform: str | None
    created_at: datetime
    last_event_kind: EventKind | None
    last_event_at: datetime | None


class Readable(msgspec.Struct, frozen=True, kw_only=True):
    """The same in JSON, under the names of the CSV's columns."""

    jobtrail_id: int
    company: str | None
    role: str | None
    status: str
    status_at: datetime | None
    status_by: str
    applied: date | datetime | None
    url: str | None
    requisition: str | None
    archived: bool
    note: str
    origin: str
    platform: str | None
    recorded_at: datetime
    last_news: str | None
    last_news_at: datetime | None


def readable(row: Exported) -> Readable:
    return Readable(
        jobtrail_id=row.application_id,
        company=row.company,
        role=row.role,
        status=row.status,
        status_at=row.status_at,
        status_by=BY_PERSON if row.by_person else BY_MAIL,
        applied=row.applied_at or row.applied_on,
        url=row.canonical_url,
        requisition=row.requisition_id,
        archived=row.archived,
        note=row.note,
        origin=row.origin,
        platform=row.platform,
        recorded_at=row.created_at,
        last_news=row.last_event_kind,
        last_news_at=row.last_event_at,
    )


def csv_header() -> bytes:
    """With the mark by which spreadsheets know UTF-8."""
    return b"\xef\xbb\xbf" + _lines([list(OURS)])


def csv_lines(rows: Iterable[Exported]) -> bytes:
    return _lines([_cells(readable(row)) for row in rows])


def _cells(row: Readable) -> list[str]:
    return [_cell(value) for value in msgspec.structs.astuple(row)]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date | datetime):
        return value.isoformat()
    return defused(str(value))


def _lines(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
