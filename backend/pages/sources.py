"""Boards: what the installation reads, when each was read last, and one more to read. For operators."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from pipeline.sources.add import Added, add_source, pull_key, pull_now
from pipeline.sources.registry import ADAPTERS, NotABoard, PlatformForbidsReading, PlatformNotRead
from pipeline.sources.store import every_source, source_by_id
from pipeline.sources.types import Source
from schema.errors import Missing
from schema.identity.spelling import spelled
from schema.ids import SourceId
from schema.requests import AlreadyUnderWay, UnderWay, under_way

NAME_MAX = 300
URL_MAX = 2_000


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A board, and the task that reads it now or soon."""

    source: Source
    task: UnderWay | None


class SourcesView(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[Row]
    form: Form
    readable: list[str]


@get("/sources", include_in_schema=False)
async def listed(visit: NamedDependency[Visit]) -> Html:
    visit.require_operations()
    return await _page(visit, Form.of())


async def _page(visit: Visit, form: Form, *, status: int = 200) -> Html:
    async with visit.database.as_fleet() as unit:
        sources = await every_source(unit)
        tasks = await under_way(unit, [pull_key(source.id) for source in sources])
    view = SourcesView(
        rows=[Row(source=source, task=tasks.get(pull_key(source.id))) for source in sources],
        form=form,
        readable=[spelled(name) for name in sorted(ADAPTERS)],
    )
    return visit.page("sources.html", view, status=status)


@post("/sources", include_in_schema=False)
async def add(visit: NamedDependency[Visit]) -> Html | Redirect:
    visit.require_operations()
    form = await read_form(visit.request)
    url = form.text("url", "Address of the board", limit=URL_MAX)
    company = form.text("company", "Company", limit=NAME_MAX, required=False)
    if form.ok:
        try:
            async with visit.database.as_fleet() as unit:
                added = await add_source(unit, url, company=company or None, now=visit.clock.now())
        except (NotABoard, PlatformForbidsReading, PlatformNotRead) as refusal:
            form.refuse("url", refusal.detail)
        else:
            return visit.leave("/sources", _said(added))
    return await _page(visit, form, status=400)


def _said(added: Added) -> str:
    board = f"The board {added.place.board} at {spelled(added.place.platform)}"
    if added.is_new:
        return f"{board} is read from now on."
    return f"{board} was in the list already; it is {'read once more' if added.is_asked else 'being read'}."


@post("/sources/{source_id:int}/pull", include_in_schema=False)
async def pull(visit: NamedDependency[Visit], source_id: FromPath[int]) -> Redirect:
    visit.require_operations()
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
    return visit.leave(f"/sources#source-{source.id}", told)


ROUTES = (listed, add, pull)
