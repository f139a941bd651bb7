"""The SQL of previews; the only writer of `source_previews`. Wants a fleet unit."""

from datetime import datetime

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

MOST_KEPT = 200


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
    """UPDATE source_previews SET platform = %(platform)s, board = %(board)s, url = %(url)s,
         result = %(result)s, finished_at = %(now)s
       WHERE id = %(id)s AND finished_at IS NULL""",
)
FORGET = Statement(
    "previews.forget",
    """DELETE FROM source_previews WHERE id IN
         (SELECT id FROM source_previews WHERE asked_at < %(before)s ORDER BY id LIMIT %(most)s)""",
)
FORGET_ALL_BUT = Statement(
    "previews.forget_all_but",
    """DELETE FROM source_previews WHERE id <=
         (SELECT id FROM source_previews ORDER BY id DESC OFFSET %(newest_kept)s LIMIT 1)""",
)


async def ask_for_preview(unit: Unit, place: Place, *, company: str | None, now: datetime) -> PreviewId:
    """A worker reads the board. However many are asked for, a bounded number is kept until they expire."""
    await unit.run(FORGET_ALL_BUT, newest_kept=MOST_KEPT - 1)
    asked = await unit.one(
        ASK, platform=place.platform, board=place.board, company=company, url=place.url, now=now
    )
    task = PreviewSource(preview_id=asked.id, lane=lane_of(place.platform, place.url))
    await enqueue(unit, task, dedupe_key=f"preview:{asked.id}", priority=CLICKED)
    return asked.id


async def preview_by_id(unit: Unit, preview_id: PreviewId) -> PreviewRow:
    """Raises `Missing`."""
    return await unit.one(ONE, id=preview_id)


async def forget_previews(unit: Unit, *, asked_before: datetime, most: int) -> int:
    return await unit.run(FORGET, before=asked_before, most=most)


async def finish(unit: Unit, preview_id: PreviewId, place: Place, found: Preview, *, now: datetime) -> None:
    """`place` is the board that was read: of a page that shows one, it is known only now."""
    await unit.run(
        FINISH,
        id=preview_id,
        platform=place.platform,
        board=place.board,
        url=place.url,
        result=Jsonb(found),
        now=now,
    )
