"""Pinpoint's postings.json: one answer holds the whole board, texts included, but no date of publication.

Pay is sent even when the employer does not show it; then it is not read.
"""

import asyncio
from urllib.parse import urljoin

import msgspec

from pipeline.sources.adapters.amounts import amount, one_range
from pipeline.sources.adapters.labels import employment_called, interval_called, workplace_called
from pipeline.sources.adapters.pages.look import looked_at_page
from pipeline.sources.reading import asked, gathered, is_unchanged, not_a_board, unchanged, with_validators
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under
from pipeline.sources.rules import failed, usable_id
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    Listing,
    Pay,
    PlaceHint,
    PostingPlace,
    Validators,
)
from schema.identity.urls import posting_url

_SECTIONS = ("key_responsibilities", "skills_knowledge_expertise", "benefits")
_TEXTS = ("description", *_SECTIONS)


class _Location(msgspec.Struct, frozen=True):
    name: str | None = None
    city: str | None = None
    province: str | None = None


class _Job(msgspec.Struct, frozen=True):
    requisition_id: str | None = None


class _Posting(msgspec.Struct, frozen=True):
    id: str | int
    title: str = ""
    url: str | None = None
    path: str | None = None
    description: str | None = None
    key_responsibilities_header: str | None = None
    key_responsibilities: str | None = None
    skills_knowledge_expertise_header: str | None = None
    skills_knowledge_expertise: str | None = None
    benefits_header: str | None = None
    benefits: str | None = None
    employment_type: str | None = None
    workplace_type: str | None = None
    compensation_minimum: float | str | None = None
    compensation_maximum: float | str | None = None
    compensation_currency: str | None = None
    compensation_frequency: str | None = None
    compensation_visible: bool | None = None
    job: _Job | None = None
    location: _Location | None = None


class Pinpoint:
    """Answers with a weak ETag."""

    misses_to_close = 1
    has_one_host = False

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        answer = await asked(fetch, _list(board), known)
        if isinstance(answer, Evidence):
            return failed(answer)
        if known is not None and is_unchanged(answer):
            return unchanged(known)
        return await asyncio.to_thread(read_board, answer, board)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        return await looked_at_page(place, fetch, board_url=_list(place.board))


def _list(board: str) -> str:
    return f"https://{board}.pinpointhq.com/postings.json"


def read_board(answer: Answer, board: str) -> BoardReading:
    try:
        rows, unreadable = rows_under(answer.body, "data")
    except NotReadable:
        return not_a_board(answer)
    reading = gathered(answer, rows, unreadable, lambda row: _listing(row, board))
    return with_validators(reading, answer)


def _listing(row: Row, board: str) -> tuple[Listing | None, int]:
    posting, odd = fitted(row, _Posting)
    if posting is None:
        return None, odd
    home = f"https://{board}.pinpointhq.com/"
    page = posting.url or urljoin(home, posting.path or f"/postings/{posting.id}")
    found = posting_url(page)
    vendor_id = usable_id((found.vendor_id if found else None) or f"{board}/{posting.id}")
    if vendor_id is None:
        return None, odd
    place = _place(posting.location)
    return Listing(
        vendor_id=vendor_id,
        record=row.without(*_TEXTS),
        fingerprint=row.fingerprint,
        title=posting.title,
        requisition_id=None if posting.job is None else posting.job.requisition_id,
        locations=() if place is None else (place.text,),
        places=() if place is None else (place,),
        workplace=workplace_called(posting.workplace_type),
        workplace_signals=(f"workplace_type={posting.workplace_type}",) if posting.workplace_type else (),
        employment_type=employment_called((posting.employment_type or "").replace("_", " ")),
        pay=_pay(posting),
        page_url=page,
        description=_description(posting),
    ), odd


def _place(location: _Location | None) -> PlaceHint | None:
    if location is None or not (text := (location.name or location.city or "").strip()):
        return None
    return PlaceHint(text=text, city=location.city or None, region=location.province or None)


def _pay(posting: _Posting) -> Pay | None:
    if posting.compensation_visible is not True:
        return None
    return one_range(
        amount(posting.compensation_minimum),
        amount(posting.compensation_maximum),
        posting.compensation_currency,
        interval_called(posting.compensation_frequency),
    )


def _description(posting: _Posting) -> str:
    sections = (
        ("", posting.description),
        (posting.key_responsibilities_header, posting.key_responsibilities),
        (posting.skills_knowledge_expertise_header, posting.skills_knowledge_expertise),
        (posting.benefits_header, posting.benefits),
    )
    return "".join(f"<h3>{name}</h3>{text}" if name else text for name, text in sections if text)
