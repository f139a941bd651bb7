"""Review, all that waits: the whole queue with true counts, by kind, by what an answer does, by pattern."""

from typing import Annotated, get_args

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from backend.http.paging import Page, cursor, key_of
from backend.http.visits import Html, Visit
from backend.pages.review_views import Ahead, left_words
from backend.review.addresses import path_of
from backend.review.pace import pace
from backend.review.patterns import path_of_pattern, title
from backend.review.queue import Narrowed, counted, narrowed
from backend.review.store import Working, bulk_under_way
from matcher.resolutions.bulk.store import patterns
from matcher.resolutions.types import PatternLine, Place, Rank, WaitingKind, WaitingPage

ROWS = 50
PATTERNS = 12
KINDS: dict[WaitingKind, str] = {
    "message": "Messages",
    "status": "Statuses",
    "ask": "Asks",
    "pair": "Pairs of records",
}
RANKS: dict[Rank, str] = {3: "moves an application", 2: "can be answered", 1: "can only be refused"}


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    query: str
    count: int
    here: bool


class PatternTab(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    path: str
    count: int


class ListView(msgspec.Struct, frozen=True, kw_only=True):
    rows: Page[Ahead]
    found: int
    total: int
    left_words: str
    kinds: list[Tab]
    ranks: list[Tab]
    patterns: list[PatternTab]
    has_messages: bool
    work: list[Working]
    query: str
    """What stands in the address besides the place, for the next page."""


@get("/review/list", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    kind: Annotated[str, QueryParameter(max_length=20)] = "",
    rank: Annotated[str, QueryParameter(max_length=5)] = "",
    common: Annotated[str, QueryParameter(max_length=5)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    want = wanted(kind, rank)
    async with visit.unit() as unit:
        page = await narrowed(unit, want, after=key_of(after, Place), limit=ROWS)
        words = left_words(0, page.total, await pace(unit))
        # Counting by pattern reads every waiting message: only for who asks for it.
        found = await patterns(unit) if common else []
        work = await bulk_under_way(unit)
    view = ListView(
        rows=Page(
            items=[Ahead(line=line, path=path_of(line.id)) for line in page.lines],
            next=cursor(page.next) if page.next else None,
        ),
        found=counted(page, want),
        total=page.total,
        left_words=words,
        kinds=_kinds(page, want),
        ranks=_ranks(page, want),
        has_messages=page.of_kind("message") > 0,
        patterns=[_pattern(line) for line in found[:PATTERNS]],
        work=work,
        query=query_of(want, more=True),
    )
    return visit.page("review_list.html", view)


def wanted(kind: str, rank: str) -> Narrowed:
    """What an address asks for; what it spells wrong narrows nothing."""
    by_kind = next((known for known in get_args(WaitingKind) if known == kind), None)
    by_rank = next((known for known in get_args(Rank) if str(known) == rank), None)
    return Narrowed(kind=by_kind, rank=by_rank)


def query_of(want: Narrowed, *, more: bool = False) -> str:
    parts = {"kind": want.kind, "rank": want.rank}
    text = "&".join(f"{name}={value}" for name, value in parts.items() if value)
    return f"{text}&" if text and more else text


def _kinds(page: WaitingPage, want: Narrowed) -> list[Tab]:
    ways: list[tuple[WaitingKind | None, str]] = [(None, "Everything"), *KINDS.items()]
    return [_tab(page, Narrowed(kind=kind, rank=want.rank), label, want) for kind, label in ways]


def _ranks(page: WaitingPage, want: Narrowed) -> list[Tab]:
    ways: list[tuple[Rank | None, str]] = [(None, "any"), *RANKS.items()]
    return [_tab(page, Narrowed(kind=want.kind, rank=rank), label, want) for rank, label in ways]


def _tab(page: WaitingPage, there: Narrowed, label: str, here: Narrowed) -> Tab:
    return Tab(label=label, query=query_of(there), count=counted(page, there), here=there == here)


def _pattern(line: PatternLine) -> PatternTab:
    return PatternTab(label=title(line.pattern), path=path_of_pattern(line.pattern), count=line.count)


ROUTES = (listed,)
