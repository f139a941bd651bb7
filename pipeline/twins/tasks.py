"""Work on twins: compare postings with those of the same employer and title on other platforms."""

from collections import defaultdict
from collections.abc import Sequence

from pipeline.twins.rules import TwinSide, twin_evidence
from pipeline.twins.store import Candidate, Pair, others_of, sides_of, suggest
from pipeline.worker.types import Done, TaskRun
from schema.ids import PostingId
from schema.live import announce
from schema.tasks import FindTwins

_PORTION = 50


async def find_twins(run: TaskRun, payload: FindTwins) -> Done:
    """A portion of the postings at a time; doing it again changes nothing."""
    found = 0
    for start in range(0, len(payload.posting_ids), _PORTION):
        ids = [PostingId(each) for each in payload.posting_ids[start : start + _PORTION]]
        async with run.db.as_fleet() as unit:
            sides, others = await sides_of(unit, ids), await others_of(unit, ids)
        pairs = await run.thread(_pairs, sides, others)
        async with run.db.as_fleet() as unit:
            await suggest(unit, ids, pairs, now=run.clock.now())
            if pairs:
                announce(unit, "postings")
        found += len(pairs)
    return Done("found" if found else "none_found")


def _pairs(sides: Sequence[TwinSide], others: Sequence[Candidate]) -> list[Pair]:
    by_side: dict[PostingId, list[Candidate]] = defaultdict(list)
    for other in others:
        by_side[other.posting_id].append(other)
    return [
        Pair(one=side.id, other=other.id, evidence=evidence)
        for side in sides
        for other in by_side[side.id]
        if (evidence := twin_evidence(side, other))
    ]
