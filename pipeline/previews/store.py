"""The SQL of previews; the only writer of `source_previews`. Wants a fleet unit."""

from datetime import datetime, timedelta

import msgspec
from psycopg.types.json import Jsonb

from pipeline.previews.types import Preview, PreviewRow
from pipeline.sources.add import lane_of
from pipeline.sources.registry import Place
from schema.db import Unit
from schema.ids import PreviewId
from schema.query import Query, Statement
from schema.queue import CLICKED, enqueue
from schema.tasks import PreviewSource

KEPT = timedelta(days=1)


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    id: PreviewId


ONE = Query(
    "previews.one",
    PreviewRow,
    """SELECT id, platform, board, company, url, asked_at, finished_at, result
       FROM source_previews WHERE id = %(id)s""",
)
ASK = Query(
    "previews.ask",
    _Asked,
    """INSERT INTO source_previews (platform, board, company, url, asked_at)
       VALUES (%(platform)s, %(board)s, %(company)s, %(url)s, %(now)s) RETURNING id""",
)
FINISH = Statement(
    "previews.finish",
    """UPDATE source_previews SET result = %(result)s, finished_at = %(now)s
       WHERE id = %(id)s AND finished_at IS NULL""",
)
FORGET = Statement("previews.forget", "DELETE FROM source_previews WHERE asked_at < %(before)s")


async def ask_for_preview(unit: Unit, place: Place, *, company: str | None, now: datetime) -> PreviewId:
    """A worker reads the board; what was looked at more than a day ago goes."""
    await unit.run(FORGET, before=now - KEPT)
    asked = await unit.one(
        ASK, platform=place.platform, board=place.board, company=company, url=place.url, now=now
    )
    task = PreviewSource(preview_id=asked.id, lane=lane_of(place.platform, place.url))
    await enqueue(unit, task, dedupe_key=f"preview:{asked.id}", priority=CLICKED)
    return asked.id


async def preview_by_id(unit: Unit, preview_id: PreviewId) -> PreviewRow:
    """Raises `Missing`."""
    return await unit.one(ONE, id=preview_id)


async def finish(unit: Unit, preview_id: PreviewId, found: Preview, *, now: datetime) -> None:
    await unit.run(FINISH, id=preview_id, result=Jsonb(found), now=now)
