"""Asking for looks, in the transaction of the change that wants them."""

from collections.abc import Sequence
from datetime import datetime

from pipeline.sources.add import lane_of
from pipeline.sources.looking.rules import MOST_TRIES, PORTION, TRY_AGAIN_AFTER
from pipeline.sources.looking.store import postings_due
from pipeline.sources.types import Source
from schema.db import Unit
from schema.ids import PostingId
from schema.queue import ORDINARY, SWEEP, enqueue
from schema.tasks import LookAtPostings


async def ask_for_texts(
    unit: Unit, source: Source, *, now: datetime, not_before: datetime | None = None
) -> bool:
    """The next portion of postings whose list tells no text; False when none is due. A board has one portion
    under way at most, and each asks for the next."""
    due = await postings_due(
        unit, source.id, looked_before=now - TRY_AGAIN_AFTER, most_tries=MOST_TRIES, limit=PORTION
    )
    if not due:
        return False
    key = f"look:{source.id}"
    await enqueue(
        unit, _look(source, due, texts_only=True), dedupe_key=key, priority=SWEEP, not_before=not_before
    )
    return True


async def ask_for_probes(
    unit: Unit, source: Source, ids: Sequence[PostingId], *, not_before: datetime | None = None
) -> None:
    """Whether these postings still stand by their own pages: evidence beside their board's list."""
    for start in range(0, len(ids), PORTION):
        some = sorted(ids)[start : start + PORTION]
        key = f"probe:{source.id}:{some[0]}"
        await enqueue(
            unit,
            _look(source, some, texts_only=False),
            dedupe_key=key,
            priority=ORDINARY,
            not_before=not_before,
        )


def _look(source: Source, ids: Sequence[PostingId], *, texts_only: bool) -> LookAtPostings:
    lane = lane_of(source.platform, source.url)
    return LookAtPostings(source_id=source.id, posting_ids=tuple(ids), texts_only=texts_only, lane=lane)
