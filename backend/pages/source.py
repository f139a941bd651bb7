"""One board: its last reads and what each proves, what is doubted of it, and its switch. For operators."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.listing.board_words import (
    COVERAGE,
    COVERAGE_MEANS,
    DOUBTS,
    SETTLED,
    Said,
    evidence_said,
    problem_said,
)
from pipeline.catalog.boards.store import board, holdings, pulls_of
from pipeline.catalog.boards.types import BoardLine, Holdings, Pull
from pipeline.closing.store import doubts_of
from pipeline.closing.types import Doubt
from pipeline.sources.add import correct_company, pull_key
from pipeline.sources.registry import why_forbidden
from pipeline.sources.store import switch_off, switch_on
from schema.errors import Missing
from schema.ids import SourceId
from schema.live import announce
from schema.requests import UnderWay, under_way

NAME_MAX = 300


class SourceView(msgspec.Struct, frozen=True, kw_only=True):
    source: BoardLine
    pulls: list[Pull]
    doubts: list[Doubt]
    holdings: Holdings
    task: UnderWay | None
    forbidden: str | None
    form: Form

    @property
    def open_doubts(self) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.settled_at is None]

    @property
    def settled_doubts(self) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.settled_at is not None]

    def coverage(self, pull: Pull) -> Said:
        return COVERAGE[pull.row.coverage]

    def means(self, pull: Pull) -> str:
        return COVERAGE_MEANS[pull.row.coverage]

    def evidence(self, pull: Pull) -> list[str]:
        return evidence_said(pull.evidence)

    def doubt(self, doubt: Doubt) -> str:
        return DOUBTS[doubt.kind].format(expected=doubt.expected, shown=doubt.shown)

    def settled(self, doubt: Doubt) -> str:
        return SETTLED[doubt.settled_as] if doubt.settled_as else ""

    @property
    def problem(self) -> str:
        return problem_said(self.source.problem)


@get("/sources/{source_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], source_id: FromPath[int]) -> Html:
    visit.require_operations()
    return await _page(visit, SourceId(source_id), None)


async def _page(visit: Visit, found: SourceId, form: Form | None, *, status: int = 200) -> Html:
    async with visit.database.as_fleet() as unit:
        source = await board(unit, found)
        tasks = await under_way(unit, [pull_key(found)])
        view = SourceView(
            source=source,
            pulls=await pulls_of(unit, found),
            doubts=await doubts_of(unit, found),
            holdings=await holdings(unit, found),
            task=tasks.get(pull_key(found)),
            forbidden=why_forbidden(source.platform, visit.clock.now()),
            form=form or Form.of(company=source.company or ""),
        )
    return visit.page("source.html", view, status=status)


@post("/sources/{source_id:int}/company", include_in_schema=False)
async def name(visit: NamedDependency[Visit], source_id: FromPath[int]) -> Html | Redirect:
    visit.require_operations()
    form = await read_form(visit.request)
    company = form.text("company", "Company", limit=NAME_MAX, required=False)
    if not form.ok:
        return await _page(visit, SourceId(source_id), form, status=400)
    async with visit.database.as_fleet() as unit:
        before = await correct_company(unit, SourceId(source_id), company or None)
    told = f"Its company is {company} from now on." if company else "Its company is unknown from now on."
    undo = Undo(action=f"/sources/{source_id}/company", fields={"company": before or ""})
    return visit.leave(f"/sources/{source_id}", told, undo=undo)


@post("/sources/{source_id:int}/on", include_in_schema=False)
async def on(visit: NamedDependency[Visit], source_id: FromPath[int]) -> Redirect:
    return await _switched(visit, SourceId(source_id), wanted=True)


@post("/sources/{source_id:int}/off", include_in_schema=False)
async def off(visit: NamedDependency[Visit], source_id: FromPath[int]) -> Redirect:
    return await _switched(visit, SourceId(source_id), wanted=False)


async def _switched(visit: Visit, source_id: SourceId, *, wanted: bool) -> Redirect:
    visit.require_operations()
    async with visit.database.as_fleet() as unit:
        if not await (switch_on if wanted else switch_off)(unit, source_id):
            raise Missing
        announce(unit, "postings")
    told = "It is read again when its turn comes." if wanted else "It is left alone; what it showed stays."
    undo = Undo(action=f"/sources/{source_id}/{'off' if wanted else 'on'}", fields={})
    return visit.leave(f"/sources/{source_id}", told, undo=undo)


ROUTES = (show, name, on, off)
