"""Greenhouse's public job board API: one answer holds the whole board, descriptions included.

It tells how many postings there are, so that a cut list is known as one. `updated_at` moves with every edit
and is never a date of posting. Ids are unique over all of Greenhouse and over its European boards.
"""

import asyncio
import html
import re
from datetime import datetime
from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.greenhouse_fields import (
    Custom,
    PayRange,
    employment_told,
    pay_told,
    workplace_told,
)
from pipeline.sources.adapters.labels import agreed, workplace_called
from pipeline.sources.reading import (
    asked,
    gathered,
    is_absent,
    is_unchanged,
    not_a_board,
    opened,
    posted_at,
    stands,
    unchanged,
    unknown,
    with_validators,
)
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under, value_under
from pipeline.sources.rules import failed, refused_answer
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    FetchFailed,
    Listing,
    PostingPlace,
    Validators,
    Workplace,
)
from schema.identity.urls import posting_url

_API = "https://boards-api.greenhouse.io/v1/boards"
_ID = re.compile(r"[0-9]{1,19}")
#: Marks that never stand within the name of one place.
_BETWEEN_PLACES = re.compile(r"[|•;\n]")
_MAX_LOCATION_CHARS = 5_000


class _Named(msgspec.Struct, frozen=True):
    name: str | None = None


class _Office(msgspec.Struct, frozen=True):
    name: str | None = None
    location: str | None = None


class _Meta(msgspec.Struct, frozen=True):
    total: int | None = None


class _Job(msgspec.Struct, frozen=True):
    id: int | str
    title: str = ""
    absolute_url: str | None = None
    company_name: str | None = None
    content: str | msgspec.UnsetType | None = msgspec.UNSET
    first_published: datetime | None = None
    internal_job_id: int | None = None
    language: str | None = None
    location: _Named | None = None
    metadata: list[Custom] | None = None
    offices: list[_Office] | None = None
    pay_input_ranges: list[PayRange] | None = None


class Greenhouse:
    """One answer a board, with an entity tag."""

    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        url = f"{_board_url(board)}/jobs?pay_transparency=true"
        answer = await asked(fetch, f"{url}&content=true", known)
        if isinstance(answer, Evidence) and answer.problem == "too_large":
            # Without texts it fits; those are fetched one by one.
            answer = await asked(fetch, url, known)
        if isinstance(answer, Evidence):
            return failed(answer)
        if known is not None and is_unchanged(answer):
            return unchanged(known)
        # A big board is seconds of work; the worker's other tasks go on meanwhile.
        return await asyncio.to_thread(read_board, board, answer)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        url = f"{_board_url(place.board)}/jobs/{quote(place.vendor_id, safe='')}?pay_transparency=true"
        try:
            answer = await fetch(url)
        except FetchFailed as error:
            return unknown(Evidence(problem=error.problem))
        if is_absent(answer):
            return await _absent(place.board, fetch, answer)
        refusal = refused_answer(answer)
        return unknown(refusal) if refusal else opened(answer, place, lambda row: _listing(place.board, row))


def read_board(board: str, answer: Answer) -> BoardReading:
    """A 200 of the API as listings; `failed` when it is no board at all."""
    try:
        rows, unreadable = rows_under(answer.body, "jobs")
    except NotReadable:
        return not_a_board(answer)
    meta = value_under(answer.body, "meta", _Meta)
    total = None if meta is None else meta.total
    reading = gathered(answer, rows, unreadable, lambda row: _listing(board, row), total)
    return with_validators(reading, answer)


async def _absent(board: str, fetch: Fetch, answer: Answer) -> Detail:
    """Greenhouse says "Job not found" of a posting that is gone, and also of boards it does not know."""
    words = value_under(answer.body, "error", str) or ""
    if "board" in words.casefold():
        return unknown(refused_answer(answer) or Evidence())
    return await stands(fetch, _board_url(board), answer, _is_board)


def _is_board(answer: Answer) -> bool:
    return value_under(answer.body, "name", str) is not None


def _board_url(board: str) -> str:
    return f"{_API}/{quote(board, safe='')}"


def _listing(board: str, row: Row) -> tuple[Listing | None, int]:
    job, odd = fitted(row, _Job)
    vendor_id = None if job is None else str(job.id).strip()
    if job is None or vendor_id is None or not _ID.fullmatch(vendor_id):
        return None, odd
    custom = tuple(job.metadata or ())
    locations, workplace, signals = _places(job)
    told, told_signals = workplace_told(custom)
    page_url, apply_url = _addresses(board, vendor_id, job.absolute_url)
    return Listing(
        vendor_id=vendor_id,
        record=row.without("content"),
        fingerprint=row.fingerprint,
        title=job.title,
        requisition_id=None if job.internal_job_id is None else str(job.internal_job_id),
        company=(job.company_name or "").strip() or None,
        locations=locations,
        workplace=told or workplace,
        workplace_signals=(*told_signals, *signals),
        employment_type=employment_told(custom),
        pay=pay_told(job.pay_input_ranges or (), custom),
        posted=posted_at("first_published", job.first_published),
        apply_url=apply_url,
        page_url=page_url,
        language=job.language,
        description=_description(job),
    ), odd


def _description(job: _Job) -> str | None:
    """`content` is HTML written as text: it is decoded once, and what the text itself escapes stays so."""
    if isinstance(job.content, msgspec.UnsetType):
        return None
    content = job.content or ""
    return content if "<" in content else html.unescape(content)


def _places(job: _Job) -> tuple[tuple[str, ...], Workplace | None, tuple[str, ...]]:
    """The places, the workplace where the place names nothing else, and what was said of it."""
    text = ((job.location and job.location.name) or "")[:_MAX_LOCATION_CHARS]
    parts = tuple(dict.fromkeys(part.strip() for part in _BETWEEN_PLACES.split(text) if part.strip()))
    called: list[Workplace | None] = [workplace_called(part) for part in parts]
    if not all(called):
        return parts, None, ()
    workplace = agreed(called)
    # "Hybrid" is no place; where the work is done stands among the offices.
    places = parts if workplace == "remote" else _offices(job) or parts
    return places, workplace, (f"location={text.strip()}",) if parts else ()


def _offices(job: _Job) -> tuple[str, ...]:
    told = ((each.location or "").strip() or (each.name or "").strip() for each in job.offices or ())
    return tuple(dict.fromkeys(place for place in told if place))


def _addresses(board: str, vendor_id: str, told: str | None) -> tuple[str, str | None]:
    """The page everything else knows the posting by, and where it is applied for.

    An employer's own page may name no posting; one that names another posting is a copying mistake.
    """
    own = f"https://boards.greenhouse.io/{quote(board, safe='')}/jobs/{vendor_id}"
    found = posting_url(told) if told else None
    if told is None or found is None:
        return own, own
    if found.vendor_id is None:
        return own, told
    is_this = (found.platform, found.vendor_id) == ("greenhouse", vendor_id)
    return (told, told) if is_this else (own, own)
