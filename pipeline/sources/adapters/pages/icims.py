"""iCIMS boards: pages of search results in HTML, themed by every employer; the posting's page holds the text.

Nothing tells how many there are. A page behind the last is empty or is the last once more; a site that always
shows one page looks the same, so a repeat counts as the end only when no page links further on.
"""

import asyncio
import re
from urllib.parse import parse_qs, urljoin, urlsplit

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.sources.adapters.gathering import Ending, Gathering
from pipeline.sources.adapters.pages.cards import listing_of_card, listings_of
from pipeline.sources.adapters.pages.look import Sayings, looked_at_page
from pipeline.sources.adapters.pages.tree import parsed, told
from pipeline.sources.reading import asked
from pipeline.sources.rules import failed
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
from schema.identity.urls import posting_url

_MAX_PAGES = 100
_MARK = b"iCIMS_"
_SAYINGS: Sayings = (
    (re.compile(r"\bposition has been filled\b", re.IGNORECASE), "filled"),
    (
        re.compile(r"\b(?:job|position) (?:\S+ ){0,8}is no longer (?:available|posted)\b", re.IGNORECASE),
        "gone",
    ),
)


class _Page(msgspec.Struct, frozen=True, kw_only=True):
    """`last_linked` is the highest page number any link of the page leads to."""

    listings: tuple[Listing | None, ...]
    last_linked: int


class Icims:
    misses_to_close = 3
    has_one_host = False

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - pages carry no validators
        gathering = Gathering()
        before: tuple[str, ...] | None = None
        last_linked = 0
        while gathering.answers < _MAX_PAGES:
            answer = await asked(fetch, _list(board, gathering.answers))
            if isinstance(answer, Evidence):
                return gathering.reading("unproven", problem=answer)
            page = await asyncio.to_thread(_read, answer, board)
            if page is None:
                return _no_page(gathering, answer)
            last_linked = max(last_linked, page.last_linked)
            shown = tuple(each.vendor_id for each in page.listings if each is not None)
            is_repeat = bool(shown) and shown == before
            new = [] if is_repeat else [gathering.add(each) for each in page.listings]
            number = gathering.answers
            gathering.took(answer)
            if not any(new):
                gathering.repeated_pages += bool(shown)
                return gathering.reading(_ending(shown, before, number=number, last_linked=last_linked))
            before = shown
        return gathering.reading("cap", cap=_MAX_PAGES)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        url = place.page_url + ("&" if "?" in place.page_url else "?") + "in_iframe=1"
        board_url = _list(place.board, 0)
        return await looked_at_page(place, fetch, board_url=board_url, url=url, sayings=_SAYINGS)


def _list(board: str, page: int) -> str:
    return f"https://{board}.icims.com/jobs/search?pr={page}&in_iframe=1&searchRelation=keyword_all"


def _no_page(gathering: Gathering, answer: Answer) -> BoardReading:
    problem = Evidence(problem="not_a_board", status=answer.status, answer_bytes=len(answer.body))
    return gathering.reading("unproven", problem=problem) if gathering.answers else failed(problem)


def _ending(
    shown: tuple[str, ...], before: tuple[str, ...] | None, *, number: int, last_linked: int
) -> Ending:
    """How a list ended whose page `number` brought nothing new."""
    if last_linked >= number > 0:
        return "unproven"
    return "natural" if not shown or shown == before else "unproven"


def _read(answer: Answer, board: str) -> _Page | None:
    tree = parsed(answer.body, answer.content_type) if _MARK in answer.body else None
    if tree is None:
        return None
    cards = tree.css("li.iCIMS_JobCardItem, div.iCIMS_JobsTable > .row")
    return _Page(
        listings=listings_of(cards, lambda card: _listing(card, answer.url, board)),
        last_linked=max((_linked_page(link) for link in _onward(tree)), default=0),
    )


def _linked_page(link: LexborNode) -> int:
    numbers = parse_qs(urlsplit(link.attributes.get("href") or "").query).get("pr", ["0"])
    number = numbers[0]
    return int(number) if number.isascii() and number.isdigit() and len(number) < len("10000") else 0


def _listing(card: LexborNode, base: str, board: str) -> Listing | None:
    link = card.css_first("a.iCIMS_Anchor[href]")
    found = None if link is None else posting_url(urljoin(base, link.attributes.get("href") or ""))
    if link is None or found is None or found.platform != "icims" or found.vendor_id is None:
        return None
    labelled = _labelled(card)
    heading = link.css_first("h1, h2, h3, h4")
    return listing_of_card(
        vendor_id=found.vendor_id,
        page_url=found.canonical,
        title=told(heading) if heading is not None else _titled(link),
        place=next((text for label, text in labelled.items() if "location" in label), ""),
        requisition=next((text for label, text in labelled.items() if label in {"id", "job id"}), ""),
        fields=labelled,
        board=board,
    )


def _titled(link: LexborNode) -> str:
    """The title attribute reads "8214 - Pilot"."""
    return (link.attributes.get("title") or told(link)).partition(" - ")[2] or told(link)


def _labelled(card: LexborNode) -> dict[str, str]:
    """What the card says under each of its labels, in small letters."""
    pairs: dict[str, str] = {}
    for label in card.css(".field-label, dt"):
        value = label.next
        while value is not None and not value.is_element_node:
            value = value.next
        name = told(label).lower().rstrip(":")
        if name and value is not None:
            pairs.setdefault(name, told(value))
    return pairs


def _onward(tree: LexborHTMLParser) -> list[LexborNode]:
    return tree.css("a[href*='pr=']")
