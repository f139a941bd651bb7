"""Ashby's public posting API: one answer holds the whole board, descriptions included.

It names no employer and no requisition. `publishedAt` is the last publication, so a republished posting looks
new. Ids are unique over all of Ashby: two board names may show the same postings.
"""

import asyncio
from datetime import datetime
from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.ashby_pay import Compensation, shown_pay
from pipeline.sources.reading import asked, gathered, not_a_board, posted_at, told_in_parts
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under
from pipeline.sources.rules import failed, usable_id
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    EmploymentType,
    Evidence,
    Fetch,
    Listing,
    PlaceHint,
    PostingPlace,
    Validators,
    Workplace,
)

_WORKPLACES: dict[str, Workplace] = {
    "onsite": "onsite",
    "on-site": "onsite",
    "hybrid": "hybrid",
    "remote": "remote",
}
_EMPLOYMENT: dict[str, EmploymentType] = {
    "FullTime": "full_time",
    "PartTime": "part_time",
    "Contract": "contract",
    "Temporary": "temporary",
    "Intern": "intern",
}


class _Postal(msgspec.Struct, frozen=True, rename="camel"):
    address_country: str | None = None
    address_region: str | None = None
    address_locality: str | None = None


class _Address(_Postal, frozen=True, rename="camel"):
    """Captured boards wrap the parts once more, the platform's manual does so for the first place only."""

    postal_address: _Postal | None = None


class _Place(msgspec.Struct, frozen=True):
    location: str = ""
    address: _Address | None = None


class _Job(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    title: str = ""
    is_listed: bool | None = None
    employment_type: str | None = None
    location: str | None = None
    address: _Address | None = None
    secondary_locations: list[_Place] = []
    is_remote: bool | None = None
    workplace_type: str | None = None
    published_at: datetime | None = None
    job_url: str | None = None
    apply_url: str | None = None
    description_html: str | None = None
    should_display_compensation_on_job_postings: bool | None = None
    compensation: Compensation | None = None


class Ashby:
    """One answer a board; no validators."""

    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        url = (
            f"https://api.ashbyhq.com/posting-api/job-board/{quote(board, safe='')}?includeCompensation=true"
        )
        answer = await asked(fetch, url, known)
        # A big board is seconds of work; the worker's other tasks go on meanwhile.
        return failed(answer) if isinstance(answer, Evidence) else await asyncio.to_thread(read_board, answer)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:  # noqa: ARG002 - see below
        """Ashby answers for no single posting: its pages are drawn by script and answer 200 for all ids."""
        return Detail(state="unknown", evidence=Evidence())


def read_board(answer: Answer) -> BoardReading:
    """A 200 of the API as listings; `failed` when it is no board at all."""
    try:
        rows, unreadable = rows_under(answer.body, "jobs")
    except NotReadable:
        return not_a_board(answer)
    return gathered(answer, rows, unreadable, _listing)


def _listing(row: Row) -> tuple[Listing | None, int]:
    job, odd = fitted(row, _Job)
    vendor_id = None if job is None else usable_id(job.id.lower())
    if job is None or vendor_id is None:
        return None, odd
    return Listing(
        vendor_id=vendor_id,
        record=row.without("descriptionHtml", "descriptionPlain"),
        fingerprint=row.fingerprint,
        title=job.title,
        is_listed=job.is_listed is not False,
        locations=_locations(job),
        places=_places(job),
        workplace=_workplace(job),
        workplace_signals=_workplace_signals(job),
        employment_type=_EMPLOYMENT.get(job.employment_type or ""),
        pay=shown_pay(job.compensation, is_shown=job.should_display_compensation_on_job_postings),
        posted=posted_at("last_published", job.published_at),
        apply_url=job.apply_url,
        page_url=job.job_url,
        description=job.description_html,
    ), odd


def _locations(job: _Job) -> tuple[str, ...]:
    named = [job.location or "", *(place.location for place in job.secondary_locations)]
    return tuple(dict.fromkeys(name.strip() for name in named if name.strip()))


def _places(job: _Job) -> tuple[PlaceHint, ...]:
    first = _Place(location=job.location or "", address=job.address)
    return told_in_parts(map(_hint, (first, *job.secondary_locations)))


def _hint(place: _Place) -> PlaceHint:
    told: _Postal = (place.address and place.address.postal_address) or place.address or _Postal()
    return PlaceHint(
        text=place.location.strip(),
        city=(told.address_locality or "").strip() or None,
        region=(told.address_region or "").strip() or None,
        country=(told.address_country or "").strip() or None,
    )


def _workplace(job: _Job) -> Workplace | None:
    """`workplaceType` is the newer field and wins; the flag alone can only say remote."""
    named = _WORKPLACES.get((job.workplace_type or "").lower())
    return named or ("remote" if job.is_remote else None)


def _workplace_signals(job: _Job) -> tuple[str, ...]:
    signals = [f"workplaceType={job.workplace_type}"] if job.workplace_type else []
    if job.is_remote is not None:
        signals.append(f"isRemote={'true' if job.is_remote else 'false'}")
    return tuple(signals)
