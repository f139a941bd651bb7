"""From any address to a board that can be read: by the address alone, else by what the page there shows.

An employer's own page of openings names its board in what it embeds, loads or links to. Only addresses are
looked at, and nothing they name is asked here.
"""

import asyncio
import html
import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from pipeline.sources.adapters.pages.tree import MAX_BYTES, decoded
from pipeline.sources.registry import (
    ADAPTERS,
    NotABoard,
    Place,
    PlatformForbidsReading,
    can_be_a_board,
    place_of,
    spelled_out,
    why_forbidden,
)
from pipeline.sources.types import Answer, Fetch, FetchFailed, FetchProblem
from schema.identity.addresses import read_address
from schema.identity.spelling import spelled
from schema.identity.urls import MAX_CANONICAL_CHARS, PostingUrl, posting_url

#: Stands for the platform of a page whose board is not known yet.
PAGE = "page"
_MOST_ADDRESSES = 5_000
_MOST_TOLD = 5
_READ_STATUS = 200
_WHY: dict[FetchProblem, str] = {
    "policy_forbid": "its platform forbids automated reading",
    "robots_forbid": "its robots.txt forbids it",
    "refused_address": "it is at no public address",
    "host_blocked": "its host wants to be left alone for a while",
    "unreachable": "its host could not be reached",
    "timeout": "it did not answer in time",
    "cut_short": "the answer was cut short",
}
FORBIDDEN: tuple[FetchProblem, ...] = ("policy_forbid", "robots_forbid", "refused_address")
"""Problems that no further look passes by."""
_SUCCESSFACTORS = ("//rmkcdn.successfactors.", "tile-search-results")
_ADDRESS = re.compile(r"(?:https?:)?//[A-Za-z0-9][^\s\"'<>()\\]{3,1500}", re.IGNORECASE)


class PageUnread(NotABoard):
    """The address names no board, and the page there could not be read.

    `problem`: why nothing was had of the page; None when it answered with an error.
    """

    code = "source_page_unread"

    def __init__(self, why: str, problem: FetchProblem | None = None) -> None:
        self.problem: FetchProblem | None = problem
        words = "The address names no board of a platform Jobtrail knows, and its page could not be read"
        super().__init__(f"{words}: {why}.", field="url")


def asked_for(url: str, now: datetime) -> Place:
    """The board an address names, or the page that may show one: its platform is `PAGE`, its board the host.

    Raises the refusals of `place_of`.
    """
    try:
        return place_of(url, now)
    except NotABoard:
        page = spelled_out(url)
        address = read_address(page) if len(page) <= MAX_CANONICAL_CHARS else None
        if address is None or "." not in address.host:
            raise
        return Place(platform=PAGE, board=address.host, url=page)


async def board_behind(page: Place, fetch: Fetch, now: datetime) -> Place:
    """The one board a page shows or leads to.

    Raises `PageUnread`, else `NotABoard` or `PlatformForbidsReading`, saying why.
    """
    if page.platform != PAGE:
        return page
    try:
        answer = await fetch(page.url)
    except FetchFailed as error:
        raise PageUnread(_WHY.get(error.problem, error.problem.replace("_", " ")), error.problem) from error
    moved = asked_for(answer.url, now)
    if moved.platform != PAGE:
        return moved
    if answer.status != _READ_STATUS:
        raise PageUnread(f"status {answer.status}")
    return _the_one(await asyncio.to_thread(boards_on, answer), now)


def boards_on(answer: Answer) -> list[PostingUrl]:
    """The boards whose addresses stand in a page, each once and the most named first. Pure."""
    text = html.unescape(decoded(answer.body[:MAX_BYTES], answer.content_type).replace("\\/", "/"))
    named = Counter(found[0] for found in _ADDRESS.finditer(text))
    boards: Counter[tuple[str, str]] = Counter()
    shown: dict[tuple[str, str], PostingUrl] = {}
    for address, times in named.most_common(_MOST_ADDRESSES):
        found = posting_url(address if address.lower().startswith("http") else f"https:{address}")
        if found is not None and found.platform is not None and can_be_a_board(found.board):
            key = (found.platform, found.board.lower())
            boards[key] += times
            if key not in shown or found.kind == "board":
                shown[key] = found
    return [shown[key] for key, _ in boards.most_common()] or _own_site(text, answer.url)


def _own_site(text: str, url: str) -> list[PostingUrl]:
    """A SuccessFactors site under a company's own host names its platform in what it loads, and no board."""
    address = read_address(url)
    if address is None or not any(mark in text for mark in _SUCCESSFACTORS):
        return []
    found = posting_url(f"https://{address.host}/tile-search-results/")
    return [] if found is None else [found]


def _the_one(found: Iterable[PostingUrl], now: datetime) -> Place:
    known = [(each.platform, each.board, each.canonical) for each in found if each.platform and each.board]
    forbidden = [why for platform, _, _ in known if (why := why_forbidden(platform, now))]
    places = [
        Place(platform=platform, board=board, url=url)
        for platform, board, url in known
        if platform in ADAPTERS and not why_forbidden(platform, now)
    ]
    if len(places) == 1:
        return places[0]
    if places:
        told = ", ".join(f"{spelled(each.platform)} {each.board}" for each in places[:_MOST_TOLD])
        raise NotABoard(f"The page shows several boards: {told}. Give the address of one.", field="url")
    if forbidden:
        raise PlatformForbidsReading(f"The page shows a board that is not read: {forbidden[0]}", field="url")
    raise NotABoard(
        "The address names no board of a platform Jobtrail knows, and its page shows none.", field="url"
    )
