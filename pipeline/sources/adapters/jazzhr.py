"""JazzHR's XML feed of a board, rewritten by the vendor once a day: one answer holds all of it.

The number of a job in the feed is not the code in its address; the code is the identity, as links carry it.
The feed names people who hire; they are left out of the record.
"""

import asyncio
from urllib.parse import quote

from pipeline.sources.adapters.gathering import Gathering
from pipeline.sources.adapters.pages.job_posting import employment
from pipeline.sources.adapters.pages.look import looked_at_page
from pipeline.sources.reading import asked, is_unchanged, not_a_board, unchanged, with_validators
from pipeline.sources.rules import failed
from pipeline.sources.stamps import posted
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
from pipeline.sources.xml_rows import XmlNotReadable, XmlRow, root_of
from schema.identity.urls import posting_url

_PEOPLE = ("hiring_lead", "hiringlead", "recruiter", "notes")
_SHOWN = frozenset({"", "open"})


class JazzHr:
    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        answer = await asked(fetch, _feed(board), known)
        if isinstance(answer, Evidence):
            return failed(answer)
        if known is not None and is_unchanged(answer):
            return unchanged(known)
        return await asyncio.to_thread(read_board, answer)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        return await looked_at_page(place, fetch, board_url=_feed(place.board))


def _feed(board: str) -> str:
    return f"https://app.jazz.co/feeds/export/jobs/{quote(board, safe='')}"


def read_board(answer: Answer) -> BoardReading:
    try:
        root = root_of(answer.body)
    except XmlNotReadable:
        return not_a_board(answer)
    if root.element.tag != "jobs":
        return not_a_board(answer)
    gathering = Gathering()
    gathering.took(answer)
    company = root.text("company") or None
    for job in root.rows("job"):
        gathering.add(_listing(job, company))
    return with_validators(gathering.reading("natural"), answer)


def _listing(job: XmlRow, company: str | None) -> Listing | None:
    found = posting_url(job.text("url"))
    if found is None or found.platform != "jazzhr" or found.vendor_id is None:
        return None
    place = _place(job)
    return Listing(
        vendor_id=found.vendor_id,
        record=job.without("description", *_PEOPLE),
        fingerprint=job.fingerprint,
        title=job.text("title"),
        is_listed=job.text("status").lower() in _SHOWN,
        company=company,
        locations=(place.text,) if place.text else (),
        places=(place,) if place.text else (),
        employment_type=employment([job.text("type")]),
        posted=posted(job.text("original_open_date"), "first_published"),
        apply_url=found.canonical,
        page_url=found.canonical,
        description=job.text("description"),
    )


def _place(job: XmlRow) -> PlaceHint:
    city, region, country = job.text("city"), job.text("state"), job.text("country")
    text = ", ".join(part for part in (city, region, country) if part)
    return PlaceHint(text=text, city=city or None, region=region or None, country=country or None)
