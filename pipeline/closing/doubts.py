"""How a doubt about a board lives: raised by a reading, confirmed or answered by later ones, settled. Pure.

Every doubt ends. The board comes back (`recovered`), spaced readings and the postings' own pages agree
(`confirmed`), or its time is over (`expired`) and what the readings said is taken for true.
"""

from datetime import datetime, timedelta
from statistics import median

import msgspec

from pipeline.closing.types import Memory, Reading, Settlement, Suspicion, SuspicionKind

#: Readings closer together than this are one observation.
SPACING = timedelta(hours=6)
DROP_SHARE = 0.30
#: Small boards fall by a third honestly.
DROP_BASE = 20
BLAST_SHARE = 0.50
BLAST_LEAST = 5
LASTS: dict[SuspicionKind, timedelta] = {
    "drop": timedelta(days=3),
    "blast": timedelta(days=2),
    "empty": timedelta(days=10),
    "gone": timedelta(days=10),
}
#: Nothing is kept open two weeks on a board that shows no list: a doubt raised late has less time, but some.
DECIDED_WITHIN = timedelta(days=12)
LEAST = timedelta(days=3)
#: Spaced readings that say the same after the one that raised it.
CONFIRMATIONS: dict[SuspicionKind, int] = {"drop": 1, "blast": 1, "empty": 2, "gone": 2}
#: Postings whose own pages must be gone, and none open, before time alone decides.
PROBES_GONE: dict[SuspicionKind, int] = {"drop": 2, "blast": 2, "empty": 1, "gone": 0}


def open_doubt(memory: Memory, kind: SuspicionKind) -> Suspicion | None:
    return next((each for each in memory.suspicions if each.kind == kind and each.settled_as is None), None)


def expected_count(memory: Memory) -> float:
    """What the board showed before the doubt, else the median of its last pulls; where those are forgotten,
    what is still open of it."""
    doubt = open_doubt(memory, "drop")
    if doubt is not None:
        return doubt.expected
    return median(memory.counts) if memory.counts else memory.open_postings


def has_dropped(memory: Memory, reading: Reading) -> bool:
    expected = expected_count(memory)
    return expected >= DROP_BASE and len(reading.shown) < (1 - DROP_SHARE) * expected


def is_blast(memory: Memory, due: int) -> bool:
    return due >= BLAST_LEAST and due > BLAST_SHARE * memory.open_postings


def stepped(
    memory: Memory, reading: Reading, kind: SuspicionKind, *, holds: bool, expected: int
) -> Suspicion | None:
    """The doubt after this reading; `holds` is whether the reading gives it reason. None: there is none."""
    doubt = open_doubt(memory, kind)
    if doubt is None:
        return _raised(memory, reading, kind, expected) if holds else None
    if not holds:
        return msgspec.structs.replace(doubt, settled_as="recovered")
    doubt = _confirmed(doubt, reading.at)
    return msgspec.structs.replace(doubt, settled_as=_settlement(doubt, reading.at))


def _raised(memory: Memory, reading: Reading, kind: SuspicionKind, expected: int) -> Suspicion:
    return Suspicion(
        kind=kind,
        raised_at=reading.at,
        expires_at=_expiry(memory, reading.at, kind),
        expected=expected,
        shown=len(reading.shown),
    )


def _expiry(memory: Memory, at: datetime, kind: SuspicionKind) -> datetime:
    in_full = at + LASTS[kind]
    if kind in {"drop", "blast"} or memory.last_complete_at is None:
        return in_full
    return max(at + LEAST, min(in_full, memory.last_complete_at + DECIDED_WITHIN))


def _confirmed(doubt: Suspicion, at: datetime) -> Suspicion:
    if at - (doubt.confirmed_at or doubt.raised_at) < SPACING:
        return doubt
    return msgspec.structs.replace(doubt, confirmations=doubt.confirmations + 1, confirmed_at=at)


def _settlement(doubt: Suspicion, at: datetime) -> Settlement | None:
    if doubt.confirmations < CONFIRMATIONS[doubt.kind]:
        return None
    if doubt.probed_gone >= PROBES_GONE[doubt.kind] and not doubt.probed_alive:
        return "confirmed"
    return "expired" if at >= doubt.expires_at else None
