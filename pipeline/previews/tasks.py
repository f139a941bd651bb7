"""`source.preview.v1`: the preview somebody waits for on a page."""

from collections.abc import Awaitable, Callable

from pipeline.manners.fetch import polite_fetcher
from pipeline.previews.reading import looked_at
from pipeline.previews.store import finish, preview_by_id
from pipeline.sources.registry import Place
from pipeline.worker.types import Done, TaskRun
from schema.errors import Missing
from schema.ids import PreviewId
from schema.live import announce
from schema.settings import SourceSettings
from schema.tasks import PreviewSource

PreviewHandler = Callable[[TaskRun, PreviewSource], Awaitable[Done]]


def preview_handler(settings: SourceSettings) -> PreviewHandler:
    """The handler of `source.preview.v1` for this installation."""

    async def preview(run: TaskRun, payload: PreviewSource) -> Done:
        preview_id = PreviewId(payload.preview_id)
        try:
            async with run.db.as_fleet() as unit:
                asked = await preview_by_id(unit, preview_id)
        except Missing:
            return Done("forgotten")
        await run.progress(0, None, "the board is being read")
        place = Place(platform=asked.platform, board=asked.board, url=asked.url)
        async with polite_fetcher(run.db, settings, clock=run.clock) as fetch:
            place, found = await looked_at(place, fetch, company=asked.company, now=run.clock.now())
        async with run.db.as_fleet() as unit:
            await finish(unit, preview_id, place, found, now=run.clock.now())
            announce(unit, "postings")
        return Done(found.coverage)

    return preview
