"""Postings: the catalog with search and filters, and the shelves a person makes of it."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Protocol

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect
from msgspec.structs import replace

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit, local
from backend.listing.filters import Chip, form_in
from backend.listing.posting_filters import (
    COUNTRY_NAMES,
    CURRENCIES,
    DAYS,
    EMPLOYMENTS,
    SENIORITIES,
    WORKPLACES,
    PostingFilters,
    chips_of,
    filters_of,
    wanted_of,
)
from pipeline.catalog.pay import pay_said
from pipeline.catalog.search.store import count_postings, postings_page
from pipeline.catalog.store import Freshness, freshness, hide, posting_named, save, unhide, unsave
from pipeline.catalog.types import After, Count, PostingLine, Shelf, Wanted
from pipeline.kept.store import own_posting_at
from pipeline.sources.registry import ADAPTERS, spelled_out
from schema.db import Unit
from schema.identity.spelling import spelled
from schema.identity.urls import posting_url
from schema.ids import PostingId

ROWS = 50
STALE_AFTER = timedelta(days=1)
SHELVES: dict[Shelf, str] = {"all": "All", "saved": "Saved", "hidden": "Hidden"}


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    count: Count
    query: str
    here: bool


class PostingsView(msgspec.Struct, frozen=True, kw_only=True):
    """`back` is where acting on a row leads back to: this very list. `deep` does not begin at the top."""

    form: Form
    filters: PostingFilters
    rows: list[PostingLine]
    tabs: list[Tab]
    next: str | None
    back: str
    deep: bool
    freshness: Freshness
    now: datetime

    workplaces = WORKPLACES
    employments = EMPLOYMENTS
    seniorities = SENIORITIES
    currencies = tuple((each, each) for each in CURRENCIES)
    days = DAYS
    countries = COUNTRY_NAMES

    @property
    def platforms(self) -> dict[str, str]:
        return {name: spelled(name) for name in sorted(ADAPTERS)}

    @property
    def saved(self) -> Tab:
        return self.tabs[list(SHELVES).index("saved")]

    @property
    def chips(self) -> list[Chip]:
        return chips_of(self.filters)

    @property
    def is_address(self) -> bool:
        """Whether what was typed for words is meant as an address."""
        return "://" in self.filters.words or self.filters.words.lower().startswith("www.")

    @property
    def bare(self) -> str:
        """The same shelf without any filter."""
        return PostingFilters(shelf=self.filters.shelf).query

    @property
    def is_stale(self) -> bool:
        """Whether no board was read for longer than any pause between two reads of a sound one."""
        last = self.freshness.last_pull_at
        return last is not None and self.now - last > STALE_AFTER

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
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html | Redirect:
    asked = visit.request.url.query
    form = form_in(visit.request.query_params.multi_items())
    filters = filters_of(form)
    if form.ok and after is None and any(part.endswith("=") for part in asked.split("&")):
        # A form sends every field it has; the address keeps those that ask something.
        return visit.leave(f"/postings?{filters.query}" if filters.query else "/postings")
    if form.ok and after is None and (there := await _named(visit, filters)) is not None:
        return visit.leave(there)
    place = key_of(after, After)
    wanted = wanted_of(filters, visit.clock.now())
    async with visit.unit() as unit:
        page = await postings_page(unit, wanted, after=place, rows=ROWS)
        counts = {shelf: await _count(unit, wanted, shelf, page.count) for shelf in SHELVES}
        fresh = await freshness(unit)
    view = PostingsView(
        form=form,
        filters=filters,
        rows=page.items,
        tabs=[_tab(filters, shelf, counts[shelf]) for shelf in SHELVES],
        next=cursor(page.next) if page.next else None,
        back=f"/postings?{asked}" if asked else "/postings",
        deep=place is not None,
        freshness=fresh,
        now=visit.clock.now(),
    )
    return visit.page("postings.html", view, status=200 if form.ok else 400)


async def _named(visit: Visit, filters: PostingFilters) -> str | None:
    """Where the posting stands whose address was typed for words; None when it is none or nobody knows it."""
    if " " in filters.words or "." not in filters.words:
        return None
    named = posting_url(spelled_out(filters.words))
    if named is None or named.kind == "board":
        return None
    async with visit.unit() as unit:
        if (known := await posting_named(unit, named)) is not None:
            return f"/postings/{known}"
        own = await own_posting_at(unit, named.canonical)
    return None if own is None else f"/postings/own/{own}"


async def _count(unit: Unit, wanted: Wanted, shelf: Shelf, counted: Count) -> Count:
    if shelf == wanted.shelf:
        return counted
    return await count_postings(unit, replace(wanted, shelf=shelf))


def _tab(filters: PostingFilters, shelf: Shelf, count: Count) -> Tab:
    query = replace(filters, shelf=shelf).query
    return Tab(label=SHELVES[shelf], count=count, query=query, here=filters.shelf == shelf)


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


def pay_of(row: Paid) -> str | None:
    return pay_said(row.pay_min, row.pay_max, row.pay_currency, row.pay_interval)


ROUTES = (listed, keep, let_go, put_away, bring_back)
