"""Applications: where does each stand; a table or a board, under the filters of the address."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec.structs import replace

from backend.http import times
from backend.http.forms import Form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.listing.board import Column, Line, columns_of
from backend.listing.filters import (
    ORIGINS,
    SORTS,
    STAGE_NAMES,
    Chip,
    Filters,
    Layout,
    chips_of,
    filters_of,
    form_in,
    lens_of,
)
from matcher.listing.store import applications, board, platforms
from matcher.listing.types import ApplicationPage, Lens, Place, PlatformCount, Sort
from matcher.silence.rules import Pace, silence
from matcher.silence.store import pace
from matcher.views.store import SavedView, saved_views
from schema.db import Unit
from schema.text import clean
from schema.vocabulary import Stage

ROWS = 50
CARDS = 8
"""In a column of the board; the rest is one link away."""

After = Annotated[str | None, QueryParameter(max_length=500)]


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    """A stage with how many stand there. `stage` None is all of them."""

    stage: Stage | None
    count: int
    query: str
    here: bool


class Asides(msgspec.Struct, frozen=True, kw_only=True):
    """What stands around the list: the person's pace and views, and the platforms to choose from."""

    pace: Pace
    views: list[SavedView]
    platforms: list[PlatformCount]


class ApplicationsView(msgspec.Struct, frozen=True, kw_only=True):
    """`deep` is a page that does not begin at the top, `told` why nothing was set."""

    form: Form
    filters: Filters
    asides: Asides
    tabs: list[Tab]
    lines: list[Line]
    columns: list[Column]
    total: int
    next: str | None
    deep: bool
    told: str = ""

    stage_choices = tuple((stage, STAGES[stage].text) for stage in STAGE_NAMES)
    statuses = (*stage_choices, ("follow", "Follow the mail"))
    origins = ORIGINS
    sorts = SORTS

    @property
    def at(self) -> str:
        """Where links to other filters lead; nothing on the list's own address."""
        return "/applications" if self.told else ""

    @property
    def chips(self) -> list[Chip]:
        return chips_of(self.filters)

    @property
    def bare(self) -> str:
        """The same list without any filter."""
        kept = self.filters
        return Filters(dismissed=kept.dismissed, sort=kept.sort, layout=kept.layout).query

    @property
    def platform_names(self) -> list[str]:
        return [entry.platform for entry in self.asides.platforms]

    def sorted_by(self, sort: Sort) -> str:
        return replace(self.filters, sort=sort).query

    def laid_out(self, layout: Layout) -> str:
        return replace(self.filters, layout=layout).query


@get("/applications", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    after: After = None,
    column: Annotated[str, QueryParameter(max_length=20)] = "",
) -> Html:
    form = form_in(visit.request.query_params.multi_items())
    return await page_of(visit, form, column=column, place=key_of(after, Place))


async def page_of(
    visit: Visit, form: Form, *, column: str = "", place: Place | None = None, told: str = ""
) -> Html:
    """The list under the filters of `form`; with `told` as the answer to something that was refused."""
    filters = filters_of(form)
    lens = lens_of(filters, visit.clock.now(), times.zone(visit.chrome.zone))
    async with visit.unit() as unit:
        page = await _page(unit, lens, filters.layout, place)
        asides = Asides(pace=await pace(unit), views=await saved_views(unit), platforms=await platforms(unit))
    lines = _lines(visit, page, asides.pace)
    counts: dict[Stage, int] = {entry.stage: entry.count for entry in page.counts}
    on_board = filters.layout == "board"
    view = ApplicationsView(
        form=form,
        filters=filters,
        asides=asides,
        tabs=_tabs(filters, counts),
        lines=lines,
        columns=columns_of(lines, counts, filters, clean(column)) if on_board else [],
        total=sum(count for stage, count in counts.items() if stage in (filters.stages or counts)),
        next=cursor(page.next) if page.next else None,
        deep=place is not None,
        told=told,
    )
    return visit.page("applications.html", view, status=409 if told else 200 if form.ok else 400)


async def _page(unit: Unit, lens: Lens, layout: Layout, after: Place | None) -> ApplicationPage:
    if layout == "table":
        return await applications(unit, lens, after=after, limit=ROWS)
    return await board(unit, lens, each=CARDS)


def _lines(visit: Visit, page: ApplicationPage, usual: Pace) -> list[Line]:
    now = visit.clock.now()
    return [Line(row=row, silence=silence(row.silent_since, row.stage, usual, now)) for row in page.rows]


def _tabs(filters: Filters, counts: dict[Stage, int]) -> list[Tab]:
    """All, then each stage that somebody stands in or that is asked for."""
    whole = Tab(
        stage=None,
        count=sum(counts.values()),
        query=replace(filters, stages=()).query,
        here=not filters.stages,
    )
    return [
        whole,
        *(
            Tab(
                stage=stage,
                count=counts.get(stage, 0),
                query=replace(filters, stages=(stage,)).query,
                here=filters.stages == (stage,),
            )
            for stage in STAGE_NAMES
            if counts.get(stage) or stage in filters.stages
        ),
    ]


ROUTES = (listed,)
