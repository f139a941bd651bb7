"""From a lens to the values its questions are asked with, and from a line to its place in the order. Pure."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

import msgspec

from matcher.listing.types import Days, Lens, ListedApplication, Place, Sort
from matcher.timeline.rules import ENDED
from schema.errors import Invalid
from schema.text import clean
from schema.vocabulary import ApplicationOrigin, Stage

WORDS_MOST = 10
_NO_DAYS = Days()


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A lens as parameters: what is not asked for is None, so that one statement answers every lens."""

    dismissed: bool
    stages: list[Stage] | None
    origins: list[ApplicationOrigin] | None
    platform: str | None
    words: list[str] | None
    by_applied: bool
    applied_first: date | None
    applied_last: date | None
    applied_start: datetime | None
    applied_end: datetime | None
    by_news: bool
    news_start: datetime | None
    news_end: datetime | None
    silent_since: datetime | None
    asks: bool
    proposed: bool


def days(first: date | None, last: date | None, zone: tzinfo) -> Days | None:
    """The days from `first` to `last` as they lie in `zone`; None when both are open."""
    if first is None and last is None:
        return None
    return Days(
        first=first,
        last=last,
        start=datetime.combine(first, time.min, zone) if first else None,
        end=datetime.combine(last + timedelta(days=1), time.min, zone) if last else None,
    )


def asked(lens: Lens, *, every_stage: bool = False) -> Asked:
    """`every_stage` leaves the stages out, for counting them."""
    applied, news = lens.applied or _NO_DAYS, lens.news or _NO_DAYS
    return Asked(
        dismissed=lens.dismissed,
        stages=None if every_stage else list(lens.stages) or None,
        origins=list(lens.origins) or None,
        platform=lens.platform,
        words=[_pattern(word) for word in clean(lens.search).split()[:WORDS_MOST]] or None,
        by_applied=lens.applied is not None,
        applied_first=applied.first,
        applied_last=applied.last,
        applied_start=applied.start,
        applied_end=applied.end,
        by_news=lens.news is not None,
        news_start=news.start,
        news_end=news.end,
        silent_since=lens.silent_since,
        asks=lens.asks,
        proposed=lens.proposed,
    )


def asks_nothing(lens: Lens) -> bool:
    """Whether it shows everything of its side of dismissed, stages left aside."""
    return lens == Lens(stages=lens.stages, dismissed=lens.dismissed, sort=lens.sort)


def place_of(row: ListedApplication, sort: Sort) -> Place:
    if sort == "company":
        return Place(sort=sort, name=row.company_key, application_id=row.application_id)
    return Place(sort=sort, at=_instant(row, sort), application_id=row.application_id)


def require_same_order(place: Place, sort: Sort) -> None:
    """Raises `Invalid` for a place in another order, in which it is none."""
    if place.sort != sort:
        raise Invalid(
            "This is a place in another order of the list; start again from its top.", field="after"
        )


def _instant(row: ListedApplication, sort: Sort) -> datetime | None:
    if sort == "news":
        return row.activity_at
    if sort == "silence":
        return None if row.stage in ENDED else row.silent_since
    # For sorting only: a plain day counts from its first minute.
    on = row.applied_on
    return row.applied_at or (datetime.combine(on, time.min, UTC) if on else row.received_at)


def _pattern(word: str) -> str:
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"
