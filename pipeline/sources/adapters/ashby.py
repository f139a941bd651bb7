"""Ashby's public posting API: one answer holds the whole board, descriptions included.

It names no employer and no requisition. `publishedAt` is the last publication, so a republished posting looks
new. Ids are unique over all of Ashby: two board names may show the same postings.
"""

import asyncio
from datetime import datetime
from urllib.parse import quote

import msgspec

from pipeline.sources.rows import NotReadable, Row, fitted, rows_under
from pipeline.sources.rules import (
    currency_code,
    failed,
    finite,
    refused_answer,
    settled_coverage,
    usable_id,
)
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    EmploymentType,
    Evidence,
    Fetch,
    FetchFailed,
    Listing,
    Pay,
    PayInterval,
    Posted,
    PostingPlace,
    Validators,
    Workplace,
)

_INTERVALS: dict[str, PayInterval] = {
    "1 YEAR": "year",
    "1 MONTH": "month",
    "1 WEEK": "week",
    "1 DAY": "day",
    "1 HOUR": "hour",
    "NONE": "once",
}
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


class _Place(msgspec.Struct, frozen=True):
    location: str = ""


class _Component(msgspec.Struct, frozen=True, rename="camel"):
    compensation_type: str = ""
    interval: str = ""
    currency_code: str | None = None
    min_value: float | None = None
    max_value: float | None = None


class _Compensation(msgspec.Struct, frozen=True, rename="camel"):
    summary_components: list[_Component] = []


class _Job(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    title: str = ""
    is_listed: bool | None = None
    employment_type: str | None = None
    location: str | None = None
    secondary_locations: list[_Place] = []
    is_remote: bool | None = None
    workplace_type: str | None = None
    published_at: datetime | None = None
    job_url: str | None = None
    apply_url: str | None = None
    description_html: str | None = None
    should_display_compensation_on_job_postings: bool | None = None
    compensation: _Compensation | None = None


class Ashby:
    """One answer a board; no validators."""

    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        url = (
            f"https://api.ashbyhq.com/posting-api/job-board/{quote(board, safe='')}?includeCompensation=true"
        )
        try:
            answer = await fetch(url, known=known)
        except FetchFailed as error:
            return failed(Evidence(problem=error.problem))
        refusal = refused_answer(answer)
        # A big board is seconds of work; the worker's other tasks go on meanwhile.
        return failed(refusal) if refusal is not None else await asyncio.to_thread(read_board, answer)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:  # noqa: ARG002 - see below
        """Ashby answers for no single posting: its pages are drawn by script and answer 200 for all ids."""
        return Detail(state="unknown", evidence=Evidence())


def read_board(answer: Answer) -> BoardReading:
    """A 200 of the API as listings; `failed` when it is no board at all."""
    try:
        rows, unreadable = rows_under(answer.body, "jobs")
    except NotReadable:
        return failed(Evidence(problem="not_a_board", status=answer.status, answer_bytes=len(answer.body)))
    found: dict[str, Listing] = {}
    repeated = odd_fields = 0
    for row in rows:
        listing, odd = _listing(row)
        odd_fields += odd
        if listing is None:
            unreadable += 1
        elif listing.vendor_id in found:
            repeated += 1
        else:
            found[listing.vendor_id] = listing
    return settled_coverage(
        tuple(found.values()),
        Evidence(
            answers=1,
            answer_bytes=len(answer.body),
            rows=len(rows),
            repeated_rows=repeated,
            unreadable_rows=unreadable,
            odd_fields=odd_fields,
            ended_naturally=True,
        ),
    )


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
        workplace=_workplace(job),
        workplace_signals=_workplace_signals(job),
        employment_type=_EMPLOYMENT.get(job.employment_type or ""),
        pay=_pay(job),
        posted=_posted(job),
        apply_url=job.apply_url,
        page_url=job.job_url,
        description=job.description_html,
    ), odd


def _locations(job: _Job) -> tuple[str, ...]:
    named = [job.location or "", *(place.location for place in job.secondary_locations)]
    return tuple(dict.fromkeys(name.strip() for name in named if name.strip()))


def _workplace(job: _Job) -> Workplace | None:
    """`workplaceType` is the newer field and wins; the flag alone can only say remote."""
    named = _WORKPLACES.get((job.workplace_type or "").lower())
    return named or ("remote" if job.is_remote else None)


def _workplace_signals(job: _Job) -> tuple[str, ...]:
    signals = [f"workplaceType={job.workplace_type}"] if job.workplace_type else []
    if job.is_remote is not None:
        signals.append(f"isRemote={'true' if job.is_remote else 'false'}")
    return tuple(signals)


def _posted(job: _Job) -> Posted | None:
    at = job.published_at
    return None if at is None or at.tzinfo is None else Posted(meaning="last_published", at=at)


def _pay(job: _Job) -> Pay | None:
    """Only what the employer shows, and only when one range says it all: ranges are never joined."""
    if job.compensation is None or job.should_display_compensation_on_job_postings is False:
        return None
    salaries = [each for each in job.compensation.summary_components if each.compensation_type == "Salary"]
    if len(salaries) != 1:
        return None
    low, high = finite(salaries[0].min_value), finite(salaries[0].max_value)
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        return None
    return Pay(
        low=low,
        high=high,
        currency=currency_code(salaries[0].currency_code),
        interval=_INTERVALS.get(salaries[0].interval),
        source="field",
    )
