"""The one door for a pull: remember the board, decide on the reading, and write what closing itself keeps.

The caller holds the source's lock, has written what the reading shows and the pull itself, and then writes
the misses, closes and reopenings of the answer, and asks for its probes, in the same transaction.
"""

from pipeline.closing.rules import decide
from pipeline.closing.store import memory_of, record
from pipeline.closing.types import Decisions, Reading
from pipeline.sources.types import Source
from schema.db import Unit
from schema.ids import PullId


async def decided(
    unit: Unit, source: Source, reading: Reading, *, misses_to_close: int, pull_id: PullId
) -> Decisions:
    """`source` as it was before this pull; `misses_to_close` is the adapter's."""
    memory = await memory_of(unit, source, reading, misses_to_close=misses_to_close, pull_id=pull_id)
    decisions = decide(memory, reading)
    await record(unit, source, memory, decisions, pull_id=pull_id, now=reading.at)
    return decisions
