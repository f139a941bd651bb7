"""Postings: the catalog with search and filters, and the shelves a person makes of it."""

from decimal import Decimal
from typing import Annotated, Protocol, get_args
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit, local
from pipeline.catalog.pay import pay_said
from pipeline.catalog.search.store import count_postings, postings_page
from pipeline.catalog.store import hide, save, unhide, unsave
from pipeline.catalog.types import After, Count, PostingLine, Shelf, Wanted
from pipeline.sources.types import Workplace
from schema.errors import Invalid
from schema.ids import PostingId
from schema.text import clean

ROWS = 50
SEARCH_MAX = 200
WORKPLACES: tuple[Workplace, ...] = get_args(Workplace)
SHELF_NAMES: tuple[Shelf, ...] = get_args(Shelf)
SHELVES: tuple[tuple[Shelf, str], ...] = (("all", "All"), ("saved", "Saved"), ("hidden", "Hidden"))


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    count: Count
    query: str
    here: bool


class PostingsView(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[PostingLine]
    tabs: list[Tab]
    wanted: Wanted
    query: str
    next: str | None
    back: str
    """Where acting on a row leads back to: this very list."""

    @property
    def filtered(self) -> bool:
        return bool(self.wanted.words or self.wanted.workplace)

    def pay(self, row: "Paid") -> str | None:
        return pay_of(row)


class Paid(Protocol):
    """What a posting says of pay."""

    @property
    def pay_min(self) -> Decimal | None: ...
    @property
    def pay_max(self) -> Decimal | None: ...
    @property
    def pay_currency(self) -> str | None: ...
    @property
    def pay_interval(self) -> str | None: ...


@get("/postings", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    q: Annotated[str, QueryParameter(max_length=SEARCH_MAX)] = "",
    workplace: Annotated[str, QueryParameter(max_length=20)] = "",
    show: Annotated[str, QueryParameter(max_length=20)] = "",
    closed: Annotated[str, QueryParameter(max_length=1)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    wanted = Wanted(
        words=clean(q).strip(), shelf=_shelf(show), workplace=_workplace(workplace), with_closed=closed == "1"
    )
    place = key_of(after, After)
    async with visit.unit() as unit:
        page = await postings_page(unit, wanted, after=place, rows=ROWS)
        counts = {shelf: await count_postings(unit, _on(wanted, shelf)) for shelf, _ in SHELVES}
    view = PostingsView(
        rows=page.items,
        tabs=[
            Tab(
                label=label,
                count=counts[shelf],
                query=query_of(_on(wanted, shelf)),
                here=wanted.shelf == shelf,
            )
            for shelf, label in SHELVES
        ],
        wanted=wanted,
        query=query_of(wanted),
        next=cursor(page.next) if page.next else None,
        back=f"/postings?{visit.request.url.query}" if visit.request.url.query else "/postings",
    )
    return visit.page("postings.html", view)


@post("/postings/{posting_id:int}/save", include_in_schema=False)
async def keep(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await save(unit, PostingId(posting_id), now=visit.clock.now())
    return await _back(visit, posting_id, "Saved.", "unsave")


@post("/postings/{posting_id:int}/unsave", include_in_schema=False)
async def let_go(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await unsave(unit, PostingId(posting_id), now=visit.clock.now())
    return await _back(visit, posting_id, "No longer saved.", "save")


@post("/postings/{posting_id:int}/hide", include_in_schema=False)
async def put_away(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await hide(unit, PostingId(posting_id), now=visit.clock.now())
    return await _back(visit, posting_id, "Hidden from your lists.", "unhide")


@post("/postings/{posting_id:int}/unhide", include_in_schema=False)
async def bring_back(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await unhide(unit, PostingId(posting_id), now=visit.clock.now())
    return await _back(visit, posting_id, "Shown again.", "hide")


async def _back(visit: Visit, posting_id: int, told: str, undo: str) -> Redirect:
    """To where the button was, which the form says in `back`."""
    named = (await read_form(visit.request)).value("back")
    back = local(named) if named else f"/postings/{posting_id}"
    return visit.leave(back, told, undo=Undo(action=f"/postings/{posting_id}/{undo}", fields={"back": back}))


def query_of(wanted: Wanted) -> str:
    """The filters as they stand in the address."""
    filters = {
        "q": wanted.words,
        "workplace": wanted.workplace or "",
        "show": "" if wanted.shelf == "all" else wanted.shelf,
        "closed": "1" if wanted.with_closed else "",
    }
    return urlencode({name: value for name, value in filters.items() if value})


def pay_of(row: Paid) -> str | None:
    return pay_said(row.pay_min, row.pay_max, row.pay_currency, row.pay_interval)


def _on(wanted: Wanted, shelf: Shelf) -> Wanted:
    return msgspec.structs.replace(wanted, shelf=shelf)


def _shelf(text: str) -> Shelf:
    if not text:
        return "all"
    if text not in SHELF_NAMES:
        raise Invalid("There is no such shelf; choose all, saved or hidden.", field="show")
    return text


def _workplace(text: str) -> Workplace | None:
    if not text:
        return None
    if text not in WORKPLACES:
        raise Invalid("Choose onsite, hybrid or remote.", field="workplace")
    return text


ROUTES = (listed, keep, let_go, put_away, bring_back)
