"""What one reading of a board decides: misses, closes, reopenings, doubts and what to look at. Pure.

Only a complete reading is evidence of absence; an empty or unknown board is evidence once spaced readings and
the postings' own pages agree. Seeing a posting is evidence in any reading. Nothing stays open for good.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta

import msgspec

from pipeline.closing.doubts import expected_count, has_dropped, is_blast, stepped
from pipeline.closing.incidents import circuit_after
from pipeline.closing.types import (
    CloseReason,
    Closes,
    Decisions,
    Memory,
    Misses,
    Reading,
    Suspicion,
    SuspicionKind,
    Watched,
)
from schema.ids import PostingId

#: Counting goes no further: past any rule a row that stays missing is not rewritten by every pull.
MOST_MISSED = 9
#: Boards read page by page lose postings for days at a time: each miss after the first takes a day at least.
DAY_A_MISS = timedelta(days=1)
#: A page that still stands against a list without it delays the close so long, and no longer.
PAGE_OUTWEIGHS_LIST = timedelta(days=7)
PROBES_A_READING = 5
#: Boards with nothing on them go on being read, this seldom.
CALM: dict[SuspicionKind, timedelta] = {"empty": timedelta(days=1), "gone": timedelta(days=3)}


def decide(memory: Memory, reading: Reading) -> Decisions:
    """Everything this reading changes."""
    circuit = circuit_after(memory, reading)
    seen = Decisions(reopens=_reopened(memory, reading), circuit=circuit)
    if circuit is not None:
        return seen
    if reading.coverage == "failed" and reading.problem == "board_unknown":
        return _without_list(memory, reading, "gone")
    if reading.coverage == "surprising_empty":
        return _without_list(memory, reading, "empty")
    if reading.coverage != "complete":
        return seen
    if not reading.shown and _standing(memory):
        return _without_list(memory, reading, "empty")
    return _with_list(memory, reading, seen.reopens)


def needed_misses(listing: Watched, misses_to_close: int) -> int:
    """One more for each time it came back after it was closed, within the counter."""
    return min(misses_to_close + listing.returns, MOST_MISSED)


def _reopened(memory: Memory, reading: Reading) -> tuple[PostingId, ...]:
    return tuple(
        each.posting_id
        for each in memory.watched
        if each.posting_id is not None and not each.is_open and each.vendor_id in reading.shown
    )


def _with_list(memory: Memory, reading: Reading, reopens: tuple[PostingId, ...]) -> Decisions:
    missing = [each for each in memory.watched if each.vendor_id not in reading.shown]
    due = [each for each in missing if _is_due(each, memory, reading)]
    doubts = _doubts_about_list(memory, reading, len(due))
    is_held = any(each.settled_as is None for each in doubts)
    doubts = [_holding(each, len(due)) for each in doubts]
    return Decisions(
        counted=True,
        misses=_grown(missing, 1),
        closes=() if is_held else _closes(due, "not_listed"),
        reopens=reopens,
        held=len(due) if is_held else 0,
        suspicions=_changed(memory, doubts),
        probes=_to_probe(due) if is_held else (),
    )


def _is_due(listing: Watched, memory: Memory, reading: Reading) -> bool:
    if not listing.is_open or listing.posting_id is None or listing.shown_elsewhere:
        return False
    if listing.probed in {"gone", "filled"}:
        return True
    absent = timedelta(0) if listing.last_seen_at is None else reading.at - listing.last_seen_at
    if listing.probed == "open":
        return absent >= PAGE_OUTWEIGHS_LIST
    needed = needed_misses(listing, memory.misses_to_close)
    return listing.missed + 1 >= needed and absent >= (memory.misses_to_close - 1) * DAY_A_MISS


def _doubts_about_list(memory: Memory, reading: Reading, due: int) -> list[Suspicion]:
    """A list answers doubts that there is one. What settles a drop has decided about a blast as well."""
    answered = [stepped(memory, reading, kind, holds=False, expected=0) for kind in ("empty", "gone")]
    drop = stepped(
        memory,
        reading,
        "drop",
        holds=has_dropped(memory, reading),
        expected=round(expected_count(memory)),
    )
    is_decided = drop is not None and drop.settled_as in {"confirmed", "expired"}
    blast = stepped(
        memory,
        reading,
        "blast",
        holds=is_blast(memory, due) and not is_decided,
        expected=memory.open_postings,
    )
    return [each for each in (*answered, drop, blast) if each is not None]


def _without_list(memory: Memory, reading: Reading, kind: SuspicionKind) -> Decisions:
    """The board shows nothing, or is not there. With nothing left to decide there is nothing to doubt."""
    standing = _standing(memory)
    doubt = stepped(memory, reading, kind, holds=bool(standing), expected=len(standing))
    if doubt is None or not standing:
        answered = [doubt] if doubt else []
        misses = _grown(memory.watched, 1) if kind == "empty" else ()
        return Decisions(counted=True, misses=misses, suspicions=_changed(memory, answered), pause=CALM[kind])
    if doubt.settled_as is not None:
        return _decided(memory, kind, doubt, standing)
    gone = stepped(memory, reading, "gone", holds=False, expected=0) if kind == "empty" else None
    return Decisions(
        counted=True,
        held=len(standing),
        suspicions=_changed(memory, [_holding(each, len(standing)) for each in (doubt, gone) if each]),
        probes=_to_probe(standing),
    )


def _standing(memory: Memory) -> list[Watched]:
    """Open postings on which this board's last word is not spoken."""
    return [
        each
        for each in memory.watched
        if each.is_open
        and each.posting_id is not None
        and not (each.shown_elsewhere and each.missed >= memory.misses_to_close)
    ]


def _decided(memory: Memory, kind: SuspicionKind, doubt: Suspicion, standing: list[Watched]) -> Decisions:
    """The postings' own pages outweigh the board; what they leave open, the board decides."""
    settled = [
        msgspec.structs.replace(each, settled_as=doubt.settled_as)
        for each in memory.suspicions
        if each.kind != kind
    ]
    pages_stand = doubt.probed_alive > doubt.probed_gone
    reason: CloseReason = "board_gone" if kind == "gone" else "board_empty"
    leaving = [
        each
        for each in standing
        if not each.shown_elsewhere
        and (each.probed in {"gone", "filled"} if pages_stand else each.probed != "open")
    ]
    return Decisions(
        counted=True,
        misses=() if pages_stand else _grown(memory.watched, memory.misses_to_close),
        closes=_closes(leaving, reason),
        held=len(standing) - len(leaving),
        suspicions=(doubt, *settled),
        pause=None if pages_stand else CALM[kind],
    )


def _grown(listings: Iterable[Watched], at_least: int) -> tuple[Misses, ...]:
    """Grouped by what they become; those that stay as they are are left out."""
    grown: dict[int, list[str]] = defaultdict(list)
    for each in listings:
        missed = min(max(each.missed + 1, at_least), MOST_MISSED)
        if missed != each.missed:
            grown[missed].append(each.vendor_id)
    return tuple(
        Misses(missed=missed, vendor_ids=tuple(sorted(ids))) for missed, ids in sorted(grown.items())
    )


def _closes(leaving: Iterable[Watched], by_board: CloseReason) -> tuple[Closes, ...]:
    """What a posting's own page said is the better reason."""
    groups: dict[CloseReason, list[PostingId]] = defaultdict(list)
    for each in leaving:
        if each.posting_id is not None:
            groups[_own_reason(each) or by_board].append(each.posting_id)
    return tuple(
        Closes(reason=reason, posting_ids=tuple(sorted(ids))) for reason, ids in sorted(groups.items())
    )


def _own_reason(listing: Watched) -> CloseReason | None:
    if listing.probed == "filled":
        return "filled"
    return "page_gone" if listing.probed == "gone" else None


def _to_probe(doubted: Sequence[Watched]) -> tuple[PostingId, ...]:
    """A few spread over the board, so that one odd corner of it does not answer for the rest."""
    asked = sorted(each.posting_id for each in doubted if each.posting_id is not None and each.probed is None)
    step = max(1, len(asked) // PROBES_A_READING)
    return tuple(asked[::step][:PROBES_A_READING])


def _holding(doubt: Suspicion, held: int) -> Suspicion:
    return msgspec.structs.replace(doubt, held=held if doubt.settled_as is None else 0)


def _changed(memory: Memory, doubts: Iterable[Suspicion]) -> tuple[Suspicion, ...]:
    return tuple(each for each in doubts if each not in memory.suspicions)
