"""What written postings ask others to do: tasks in the transaction that writes them. No SQL here."""

from collections.abc import Sequence

from pipeline.postings.types import PostingRow, Written
from schema.db import Unit
from schema.ids import PostingId
from schema.queue import SWEEP, Wanted, enqueue_many
from schema.tasks import FindTwins

#: Postings one task looks for twins of.
_TOGETHER = 500


async def ask_what_follows(unit: Unit, rows: Sequence[PostingRow], written: Sequence[Written]) -> None:
    """Twins are looked for of every written posting whose employer is known."""
    await ask_for_twins(unit, may_have_twins(rows, written))


def may_have_twins(rows: Sequence[PostingRow], written: Sequence[Written]) -> list[PostingId]:
    keyed = {row.vendor_id for row in rows if row.twin_key is not None}
    return [each.id for each in written if each.vendor_id in keyed]


async def ask_for_twins(unit: Unit, ids: Sequence[PostingId]) -> None:
    groups = (ids[start : start + _TOGETHER] for start in range(0, len(ids), _TOGETHER))
    wanted = [Wanted(payload=FindTwins(posting_ids=tuple(group)), priority=SWEEP) for group in groups]
    if wanted:
        await enqueue_many(unit, wanted)
