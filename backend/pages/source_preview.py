"""What reading a board would bring, before it is added. For operators."""

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath

from backend.http.visits import Html, Visit
from backend.listing.board_words import COVERAGE, COVERAGE_MEANS, LOOK_CUT, Said, evidence_said, look_advice
from pipeline.previews.store import preview_by_id
from pipeline.previews.types import Preview, PreviewRow
from pipeline.sources.find import FORBIDDEN, PAGE
from pipeline.sources.store import source_by_id, source_called
from pipeline.sources.types import Source
from schema.identity.spelling import spelled
from schema.ids import PreviewId
from schema.requests import UnderWay, under_way


class PreviewView(msgspec.Struct, frozen=True, kw_only=True):
    """`known` is the source when the board is read already; `task` the one that reads it for this page."""

    asked: PreviewRow
    found: Preview | None
    known: Source | None
    task: UnderWay | None

    @property
    def title(self) -> str:
        place = self.asked
        return place.board if place.platform == PAGE else f"{place.board} at {spelled(place.platform)}"

    @property
    def coverage(self) -> Said | None:
        return COVERAGE[self.found.coverage] if self.found else None

    @property
    def advice(self) -> str:
        """What to do about a board that could not be read."""
        return look_advice(self.found.evidence.problem) if self.found else ""

    @property
    def is_final(self) -> bool:
        """Whether another look could only say the same: it is forbidden."""
        return self.found is not None and self.found.evidence.problem in FORBIDDEN

    @property
    def means(self) -> str:
        if self.found and self.found.is_cut:
            return LOOK_CUT
        return COVERAGE_MEANS[self.found.coverage] if self.found else ""

    @property
    def evidence(self) -> list[str]:
        return evidence_said(self.found.evidence) if self.found else []


@get("/sources/previews/{preview_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], preview_id: FromPath[int]) -> Html:
    visit.require_operations()
    key = f"preview:{preview_id}"
    async with visit.database.as_fleet() as unit:
        asked = await preview_by_id(unit, PreviewId(preview_id))
        source_id = await source_called(unit, asked.platform, asked.board)
        known = None if source_id is None else await source_by_id(unit, source_id)
        task = (await under_way(unit, [key])).get(key)
    return visit.page(
        "source_preview.html", PreviewView(asked=asked, found=asked.preview, known=known, task=task)
    )


ROUTES = (show,)
