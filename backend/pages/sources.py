"""Boards: what the installation reads, how each was read last, and one more to read. For operators."""

from typing import Annotated, get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit, local
from backend.listing.board_words import COVERAGE, Said, problem_said
from pipeline.catalog.boards.store import boards_page, totals
from pipeline.catalog.boards.types import BoardAfter, BoardLine, BoardsShown, Totals
from pipeline.closing.store import incidents
from pipeline.closing.types import Incident
from pipeline.manners.store import hosts
from pipeline.manners.types import HostState
from pipeline.previews.store import ask_for_preview
from pipeline.sources.add import Added, add_source, pull_key, pull_now
from pipeline.sources.find import PAGE, asked_for
from pipeline.sources.registry import (
    ADAPTERS,
    CLOSING,
    POLICY,
    RETIRED,
    NotABoard,
    Place,
    PlatformForbidsReading,
    PlatformNotRead,
)
from pipeline.sources.store import source_by_id
from schema.errors import Missing
from schema.identity.spelling import spelled
from schema.ids import SourceId
from schema.requests import AlreadyUnderWay, UnderWay, under_way
from schema.text import clean

NAME_MAX = 300
URL_MAX = 2_000
ROWS = 100
HOSTS_SHOWN = 25
SHOWN: tuple[BoardsShown, ...] = get_args(BoardsShown)
REFUSALS = (NotABoard, PlatformForbidsReading, PlatformNotRead)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A board, and the task that reads it now or soon."""

    source: BoardLine
    task: UnderWay | None

    @property
    def coverage(self) -> Said | None:
        return COVERAGE[self.source.coverage] if self.source.coverage else None

    @property
    def problem(self) -> str:
        return problem_said(self.source.problem)


class SourcesView(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[Row]
    next: str | None
    totals: Totals
    shown: BoardsShown
    q: str
    incidents: list[Incident]
    hosts: list[HostState]
    form: Form

    @property
    def readable(self) -> list[str]:
        return [spelled(name) for name in sorted(ADAPTERS)]

    @property
    def unread(self) -> list[tuple[str, str]]:
        """Platforms that are off by policy, each with its reason."""
        closing = {name: each.reason for name, each in CLOSING.items()}
        return [(spelled(name), reason) for name, reason in sorted({**POLICY, **RETIRED, **closing}.items())]

    @property
    def tabs(self) -> list[tuple[BoardsShown, str, int]]:
        return [
            ("all", "All", self.totals.every),
            ("doubted", "Doubted", self.totals.doubted),
            ("troubled", "In trouble", self.totals.troubled),
            ("off", "Off", self.totals.off),
        ]

    def trouble(self, incident: Incident) -> str:
        return problem_said(incident.problem)


# Also where a refused form stands: that page reads itself again, and so does who reloads it.
@get(["/sources", "/sources/previews"], include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    q: Annotated[str, QueryParameter(max_length=200)] = "",
    show: Annotated[str, QueryParameter(max_length=20)] = "all",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    visit.require_operations()
    shown = show if show in SHOWN else "all"
    return await _page(visit, Form.of(), q=clean(q), shown=shown, after=key_of(after, BoardAfter))


async def _page(
    visit: Visit,
    form: Form,
    *,
    q: str = "",
    shown: BoardsShown = "all",
    after: BoardAfter | None = None,
    status: int = 200,
) -> Html:
    async with visit.database.as_fleet() as unit:
        page = await boards_page(unit, words=q, shown=shown, after=after, rows=ROWS, now=visit.clock.now())
        tasks = await under_way(unit, [pull_key(source.id) for source in page.items])
        view = SourcesView(
            rows=[Row(source=source, task=tasks.get(pull_key(source.id))) for source in page.items],
            next=cursor(page.next) if page.next else None,
            totals=await totals(unit),
            shown=shown,
            q=q,
            incidents=await incidents(unit),
            hosts=await hosts(unit, most=HOSTS_SHOWN),
            form=form,
        )
    return visit.page("sources.html", view, status=status)


@post("/sources/previews", include_in_schema=False)
async def look_first(visit: NamedDependency[Visit]) -> Html | Redirect:
    """Ask what a pull would do; a worker reads the board once."""
    visit.require_operations()
    form, url, company = await _asked(visit)
    if form.ok:
        try:
            return await _look(visit, asked_for(url, visit.clock.now()), company)
        except REFUSALS as refusal:
            form.refuse("url", refusal.detail)
    return await _page(visit, form, status=400)


async def _look(visit: Visit, place: Place, company: str) -> Redirect:
    async with visit.database.as_fleet() as unit:
        preview_id = await ask_for_preview(unit, place, company=company or None, now=visit.clock.now())
    return visit.leave(f"/sources/previews/{preview_id}")


@post("/sources", include_in_schema=False)
async def add(visit: NamedDependency[Visit]) -> Html | Redirect:
    """A page that may show a board is looked at first, whichever button was pressed."""
    visit.require_operations()
    form, url, company = await _asked(visit)
    if form.ok:
        try:
            place = asked_for(url, visit.clock.now())
            if place.platform == PAGE:
                return await _look(visit, place, company)
            async with visit.database.as_fleet() as unit:
                added = await add_source(unit, url, company=company or None, now=visit.clock.now())
        except REFUSALS as refusal:
            form.refuse("url", refusal.detail)
        else:
            return visit.leave("/sources", _said(added))
    return await _page(visit, form, status=400)


async def _asked(visit: Visit) -> tuple[Form, str, str]:
    form = await read_form(visit.request)
    url = form.text("url", "Address of the board", limit=URL_MAX)
    return form, url, form.text("company", "Company", limit=NAME_MAX, required=False)


def _said(added: Added) -> str:
    board = f"The board {added.place.board} at {spelled(added.place.platform)}"
    if added.is_new:
        return f"{board} is read from now on."
    reading = "read once more" if added.is_asked else "being read"
    named = f" Its company is {added.named} from now on." if added.named else ""
    return f"{board} was in the list already; it is {reading}.{named}"


@post("/sources/{source_id:int}/pull", include_in_schema=False)
async def pull(visit: NamedDependency[Visit], source_id: FromPath[int]) -> Redirect:
    visit.require_operations()
    back = await _back(visit)
    async with visit.database.as_fleet() as unit:
        source = await source_by_id(unit, SourceId(source_id))
        if source is None:
            raise Missing
        try:
            await pull_now(unit, source.id)
        except AlreadyUnderWay as refusal:
            if not visit.wants_page:
                raise
            told = f"Task {refusal.task_id} reads {source.board} already."
        else:
            told = f"{source.board} is read as soon as a worker is free."
    return visit.leave(back or f"/sources#source-{source.id}", told)


async def _back(visit: Visit) -> str:
    """Where the button stood; a program sends no form."""
    if not visit.request.headers.get("content-type"):
        return ""
    named = (await read_form(visit.request)).value("back")
    return local(named) if named else ""


ROUTES = (listed, look_first, add, pull)
