"""Career sites of SuccessFactors: tiles in HTML, as many a page as the site likes, the text elsewhere.

`startrow` counts rows, so the next page starts behind the rows that were shown. The end is an answer without
a tile, or as many rows as the site says there are; a page shown again proves nothing.
"""

import asyncio
import re
from urllib.parse import urljoin

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.sources.adapters.gathering import Gathering
from pipeline.sources.adapters.pages.cards import listing_of_card, listings_of
from pipeline.sources.adapters.pages.look import Sayings, looked_at_page
from pipeline.sources.adapters.pages.tree import parsed, told
from pipeline.sources.reading import asked
from pipeline.sources.rules import failed
from pipeline.sources.stamps import posted
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    Listing,
    PostingPlace,
    Validators,
)

_MAX_PAGES = 200
_MARKS = (b"job-tile", b"tile-search-results", b"noresults")
_ID = re.compile(r"(?:^|\s)job-id-(\d{1,19})(?:\s|$)")
_TOTAL = re.compile(r"\b(?:of\s{1,3}|Showing\s{1,3})(\d{1,6})\s{1,3}Jobs?\b", re.IGNORECASE)
_SAYINGS: Sayings = (
    (re.compile(r"\bposition has been filled\b", re.IGNORECASE), "filled"),
    (re.compile(r"\bjob posting has ended\b|\bis no longer available\b", re.IGNORECASE), "gone"),
)


class _Page(msgspec.Struct, frozen=True, kw_only=True):
    listings: tuple[Listing | None, ...]
    total: int | None


class SuccessFactors:
    """The board is the host of the site, with the site's name where one host carries several."""

    misses_to_close = 3
    has_one_host = False

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - pages carry no validators
        gathering = Gathering()
        total: int | None = None
        while gathering.answers < _MAX_PAGES:
            answer = await asked(fetch, _list(board, gathering.rows))
            if isinstance(answer, Evidence):
                return gathering.reading("unproven", vendor_total=total, problem=answer)
            page = await asyncio.to_thread(_read, answer, board, is_first=gathering.answers == 0)
            if page is None:
                return _no_page(gathering, answer, total)
            gathering.took(answer)
            if not page.listings:
                return gathering.reading("natural", vendor_total=total)
            total = page.total if total is None else total
            if not _any_new(gathering, page):
                return gathering.reading("unproven", vendor_total=total)
            if total is not None and gathering.rows >= total:
                return gathering.reading("natural", vendor_total=total)
        return gathering.reading("cap", vendor_total=total, cap=_MAX_PAGES)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        return await looked_at_page(place, fetch, board_url=_list(place.board, 0), sayings=_SAYINGS)


def _list(board: str, row: int) -> str:
    return f"https://{board}/tile-search-results/?q=&startrow={row}"


def _any_new(gathering: Gathering, page: _Page) -> bool:
    new = sum([gathering.add(each) for each in page.listings])
    gathering.repeated_pages += not new
    return new > 0


def _no_page(gathering: Gathering, answer: Answer, total: int | None) -> BoardReading:
    problem = Evidence(problem="not_a_board", status=answer.status, answer_bytes=len(answer.body))
    if gathering.answers == 0:
        return failed(problem)
    return gathering.reading("unproven", vendor_total=total, problem=problem)


def _read(answer: Answer, board: str, *, is_first: bool) -> _Page | None:
    """None for an answer that shows nothing of a career site: a fault in between is no end of the list."""
    if not is_first and not answer.body.strip():
        return _Page(listings=(), total=None)
    tree = parsed(answer.body, answer.content_type) if any(mark in answer.body for mark in _MARKS) else None
    if tree is None:
        return None
    return _Page(
        listings=listings_of(tree.css("li.job-tile"), lambda tile: _listing(tile, answer.url, board)),
        total=_total(tree),
    )


def _total(tree: LexborHTMLParser) -> int | None:
    for label in tree.css("#tile-search-results-label, #searchresultslabel, .paginationLabel"):
        if found := _TOTAL.search(told(label)):
            return int(found[1])
    return None


def _listing(tile: LexborNode, base: str, board: str) -> Listing | None:
    named = _ID.search(tile.attributes.get("class") or "")
    link = tile.css_first("a.jobTitle-link")
    path = tile.attributes.get("data-url") or (link.attributes.get("href") if link is not None else None)
    if named is None or link is None or not path:
        return None
    fields = _fields(tile)
    place = fields.get("location") or ", ".join(
        fields[name] for name in ("city", "state", "country") if fields.get(name)
    )
    return listing_of_card(
        # One host numbers the postings of all its sites.
        vendor_id=f"{board.partition('/')[0]}/{named[1]}",
        page_url=urljoin(base, path),
        title=told(link),
        place=place,
        requisition="",
        fields=fields,
        board=board,
        posted=posted(fields.get("date"), "last_published"),
    )


def _fields(tile: LexborNode) -> dict[str, str]:
    """By the site's own names ("location", "date", "customfield1"); each stands once per screen size."""
    pairs: dict[str, str] = {}
    for node in tile.css("[id*='-section-']"):
        name = (node.attributes.get("id") or "").partition("-section-")[2]
        if name.endswith("-label"):
            continue
        # A selector finds the node itself too.
        inner = [each for each in node.css("div") if each.mem_id != node.mem_id]
        value = inner[-1] if inner and not name.endswith("-value") else node
        pairs.setdefault(name.removesuffix("-value"), told(value))
    for node in tile.css(".jobLocation"):
        pairs.setdefault("location", told(node))
    return {name: text for name, text in pairs.items() if text}
