"""Teamtailor's two feeds of a board, a hundred postings a page: JSON with a schema.org JobPosting, and RSS.

Only the JSON tells pay, kind of work and number; only the RSS tells places by the names of the employer, and
whether work is remote. Both are needed for a listing that stays the same from pull to pull, so a fault of
either fails the pull; a board that has no RSS at all is read without.
"""

import asyncio
import hashlib
import re
from urllib.parse import urljoin, urlsplit

import msgspec

from pipeline.sources.adapters.gathering import Ending, Gathering
from pipeline.sources.adapters.pages.job_posting import listing_of
from pipeline.sources.adapters.pages.jsonld import things_in
from pipeline.sources.adapters.pages.look import looked_at_page
from pipeline.sources.adapters.pages.things import Thing
from pipeline.sources.reading import asked, not_a_board
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under
from pipeline.sources.rules import failed, usable_id
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
    Workplace,
)
from pipeline.sources.xml_rows import XmlNotReadable, XmlRow, root_of

PAGE_SIZE = 100
_MAX_PAGES = 100
_WORKPLACES: dict[str, Workplace] = {"fully": "remote", "hybrid": "hybrid", "none": "onsite"}
_NUMBER = re.compile(r"/jobs/(\d{1,19})(?:-|/|$)")


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What the RSS says of a posting that the JSON does not."""

    remote_status: str
    places: tuple[PlaceHint, ...]


class _Feed(msgspec.Struct, frozen=True):
    next_url: str | None = None


class _Item(msgspec.Struct, frozen=True):
    id: str | int
    title: str = ""
    url: str | None = None
    date_published: str | None = None
    content_html: str | None = None
    posting: msgspec.Raw = msgspec.field(name="_jobposting", default=msgspec.Raw(b"{}"))


class Teamtailor:
    misses_to_close = 3
    has_one_host = False

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - one page that did not change says nothing of the others
        remarks = await _remarks(board, fetch)
        if isinstance(remarks, Evidence):
            return failed(remarks)
        gathering = Gathering()
        url: str | None = f"https://{board}.teamtailor.com/jobs.json"
        ending: Ending = "natural"
        while url is not None:
            if gathering.answers == _MAX_PAGES:
                return gathering.reading("cap", cap=_MAX_PAGES)
            answer = await asked(fetch, url)
            if isinstance(answer, Evidence):
                return gathering.reading("unproven", problem=answer)
            page = await asyncio.to_thread(_page, answer, board, remarks, gathering)
            if isinstance(page, Evidence):
                return gathering.reading("unproven", problem=page)
            url, ending = page
        return gathering.reading(ending)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        board_url = f"https://{place.board}.teamtailor.com/jobs.json"
        return await looked_at_page(place, fetch, board_url=board_url)


def _page(
    answer: Answer, board: str, remarks: dict[str, Remark], gathering: Gathering
) -> tuple[str | None, Ending] | Evidence:
    """Reads one page; where the next is, and how the list ended when there is none."""
    try:
        rows, unreadable = rows_under(answer.body, "items")
        feed = msgspec.json.decode(answer.body, type=_Feed)
    except (NotReadable, msgspec.MsgspecError, UnicodeDecodeError):
        return not_a_board(answer).evidence
    gathering.took(answer)
    gathering.unreadable(unreadable)
    new = sum([gathering.add(*_listing(row, board, remarks)) for row in rows])
    if feed.next_url is None:
        return None, "natural"
    onward = urljoin(answer.url, feed.next_url)
    if new and urlsplit(onward).netloc == urlsplit(answer.url).netloc:
        return onward, "natural"
    gathering.repeated_pages += not new
    return None, "unproven"


def _listing(row: Row, board: str, remarks: dict[str, Remark]) -> tuple[Listing | None, int]:
    item, odd = fitted(row, _Item)
    if item is None:
        return None, odd
    posting = next(iter(things_in(bytes(item.posting).decode("utf-8", "replace"))), None)
    posting = posting or Thing(types=frozenset(), values={})
    number = _number(item.url, posting)
    vendor_id = usable_id(f"{board}/{number}") if number else None
    if vendor_id is None:
        return None, odd
    page = item.url or f"https://{board}.teamtailor.com/jobs/{number}"
    listing = listing_of(posting, vendor_id=vendor_id, page_url=page)
    return _with_remark(_with_item(listing, item, row), remarks.get(str(item.id))), odd


def _with_item(listing: Listing, item: _Item, row: Row) -> Listing:
    """What the feed says of the item itself, where the posting inside it says nothing; never its number of
    the platform as a requisition of the employer."""
    return msgspec.structs.replace(
        listing,
        record=row.without("content_html"),
        fingerprint=row.fingerprint,
        title=item.title or listing.title,
        requisition_id=None,
        posted=posted(item.date_published, "first_published") or listing.posted,
        description=item.content_html or listing.description or "",
    )


def _with_remark(listing: Listing, remark: Remark | None) -> Listing:
    if remark is None:
        return listing
    places = remark.places or listing.places
    status = remark.remote_status
    return msgspec.structs.replace(
        listing,
        fingerprint=_both(listing.fingerprint, remark),
        locations=tuple(dict.fromkeys(place.text for place in places if place.text)),
        places=places,
        workplace=_WORKPLACES.get(status) or listing.workplace,
        workplace_signals=(*listing.workplace_signals, *((f"remoteStatus={status}",) if status else ())),
    )


def _both(fingerprint: str, remark: Remark) -> str:
    return hashlib.sha256(fingerprint.encode() + msgspec.json.encode(remark)).hexdigest()


def _number(url: str | None, posting: Thing) -> str | None:
    found = _NUMBER.search(urlsplit(url or "").path)
    if found is not None:
        return found[1]
    values = [each.text("value") for each in posting.things("identifier")]
    return next((value for value in values if value.isascii() and value.isdigit()), None)


async def _remarks(board: str, fetch: Fetch) -> dict[str, Remark] | Evidence:
    """By the id of the item; empty for a board without an RSS feed."""
    found: dict[str, Remark] = {}
    for page in range(_MAX_PAGES):
        url = f"https://{board}.teamtailor.com/jobs.rss?per_page={PAGE_SIZE}&offset={page * PAGE_SIZE}"
        answer = await asked(fetch, url)
        if isinstance(answer, Evidence):
            return found if answer.problem in {"board_unknown", "access_refused"} and not found else answer
        told = await asyncio.to_thread(_remarks_in, answer)
        if told.keys() <= found.keys():
            break
        found |= told
        if len(told) < PAGE_SIZE:
            break
    return found


def _remarks_in(answer: Answer) -> dict[str, Remark]:
    try:
        root = root_of(answer.body)
    except XmlNotReadable:
        return {}
    return {item.text("guid"): _remark(item) for item in root.rows("channel/item")}


def _remark(item: XmlRow) -> Remark:
    places = tuple(_place(each) for each in item.rows("{*}locations/{*}location"))
    return Remark(
        remote_status=item.text("remoteStatus").lower(),
        places=tuple(dict.fromkeys(place for place in places if place.text)),
    )


def _place(location: XmlRow) -> PlaceHint:
    name, city, country = (location.text("{*}" + part) for part in ("name", "city", "country"))
    text = name or ", ".join(part for part in (city, country) if part)
    return PlaceHint(text=text, city=city or None, country=country or None)
