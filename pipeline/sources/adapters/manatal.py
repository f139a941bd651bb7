"""Manatal's careers-page.com: pages of JSON, texts included. It tells no date and no figure of pay.

The page size that is asked for may be ignored; whether there is more says `next`, how many there are `count`.
"""

import asyncio
from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.gathering import Ending, Gathering
from pipeline.sources.adapters.pages.look import looked_at_page
from pipeline.sources.reading import asked, not_a_board
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under
from pipeline.sources.rules import usable_id
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    Listing,
    PlaceHint,
    PostingPlace,
    Validators,
)

PAGE_SIZE = 100
_MAX_PAGES = 200


class _Envelope(msgspec.Struct, frozen=True):
    count: int | None = None
    next: str | None = None


class _Job(msgspec.Struct, frozen=True):
    hash: str
    position_name: str = ""
    description: str | None = None
    country: str | None = None
    state: str | None = None
    city: str | None = None
    location_display: str | None = None


class Manatal:
    misses_to_close = 3
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - one part of a list that did not change says nothing of the others
        gathering, total, ending = Gathering(), None, None
        while ending is None:
            if gathering.answers == _MAX_PAGES:
                return gathering.reading("cap", vendor_total=total, cap=_MAX_PAGES)
            answer = await asked(fetch, _list(board, gathering.answers + 1))
            if isinstance(answer, Evidence):
                return gathering.reading("unproven", vendor_total=total, problem=answer)
            page = await asyncio.to_thread(_page, answer, board, gathering)
            if isinstance(page, Evidence):
                return gathering.reading("unproven", vendor_total=total, problem=page)
            count, ending = page
            total = total if count is None else count
        return gathering.reading(ending, vendor_total=total)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        return await looked_at_page(place, fetch, board_url=_list(place.board, 1))


def _list(board: str, page: int) -> str:
    asks = f"page_size={PAGE_SIZE}&page={page}"
    return f"https://www.careers-page.com/api/v1.0/c/{quote(board, safe='')}/jobs/?{asks}"


def _page(answer: Answer, board: str, gathering: Gathering) -> tuple[int | None, Ending | None] | Evidence:
    """The count the page tells, and how the list ended when it did."""
    try:
        rows, unreadable = rows_under(answer.body, "results")
        envelope = msgspec.json.decode(answer.body, type=_Envelope)
    except (NotReadable, msgspec.MsgspecError, UnicodeDecodeError):
        return not_a_board(answer).evidence
    gathering.took(answer)
    gathering.unreadable(unreadable)
    new = sum([gathering.add(*_listing(row, board)) for row in rows])
    if envelope.next is None:
        return envelope.count, "natural"
    if new:
        return envelope.count, None
    # More is promised and nothing new came: the same page again, or a hole.
    gathering.repeated_pages += 1
    return envelope.count, "unproven"


def _listing(row: Row, board: str) -> tuple[Listing | None, int]:
    job, odd = fitted(row, _Job)
    vendor_id = None if job is None or not job.hash else usable_id(f"{board}/{job.hash}")
    if job is None or vendor_id is None:
        return None, odd
    place = _place(job)
    page = f"https://www.careers-page.com/{board}/job/{job.hash}"
    return Listing(
        vendor_id=vendor_id,
        record=row.without("description"),
        fingerprint=row.fingerprint,
        title=job.position_name,
        locations=(place.text,) if place.text else (),
        places=(place,) if place.text else (),
        page_url=page,
        apply_url=page,
        description=job.description,
    ), odd


def _place(job: _Job) -> PlaceHint:
    parts = (job.city, job.state, job.country)
    text = (job.location_display or "").strip() or ", ".join(part for part in parts if part)
    return PlaceHint(text=text, city=job.city or None, region=job.state or None, country=job.country or None)
