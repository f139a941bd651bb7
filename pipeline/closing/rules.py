"""What one reading of a board decides: misses, closes, reopenings, doubts and what to look at. Pure.

Only a complete reading is evidence of absence; an empty or unknown board is evidence once spaced readings and
the postings' own pages agree. Seeing a posting is evidence in any reading. Nothing stays open for good.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec

from pipeline.closing.doubts import expected_count, has_dropped, is_blast, open_doubt, stepped
from pipeline.closing.incidents import circuit_after
from pipeline.closing.types import (
    CloseReason,
    Closes,
    Decisions,
    Memory,
    Misses,
    ProbeState,
    Reading,
    Standing,
    Suspicion,
    SuspicionKind,
    Verdict,
    Watched,
)
from schema.ids import PostingId

#: Counting goes no further: past any rule a row that stays missing is not rewritten by every pull.
MOST_MISSED = 9
#: What leaves a board is back within a day or two often enough; its own page can say sooner that it is gone.
LEAST_ABSENCE = timedelta(days=3)
#: One more miss, and day, for each time a posting came back, and on boards whose closes come back.
MOST_PATIENCE = 5
BOARD_PATIENCE = 2
BOARD_RETURNS_LEAST = 3
BOARD_RETURNS_STEP = 0.05
#: A page that still stands against a list without it delays the close so long, and no longer.
PAGE_OUTWEIGHS_LIST = timedelta(days=7)
PROBES_A_READING = 10
SECOND_LOOK = timedelta(days=1)
#: A page that stood is asked again this much later, while its board goes on without it.
LOOK_LASTS = timedelta(days=1)
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


def patience(listing: Watched, memory: Memory) -> int:
    """How many misses and days more than usual: for each time it came back after it was closed, and for a
    board whose postings come back."""
    board = 0
    if memory.returned >= BOARD_RETURNS_LEAST:
        board = min(BOARD_PATIENCE, int(memory.returned / max(memory.closed, 1) / BOARD_RETURNS_STEP))
    return min(listing.returns + board, MOST_PATIENCE)


def after_look(standing: Standing, state: ProbeState, now: datetime) -> Verdict:
    """What a look at one posting's own page decides by itself.

    A board that shows the posting outweighs its page, and a doubt about the board waits for all its evidence.
    Missed by every board and gone by its page is two kinds of evidence. Where no board that is read ever
    showed it, the page must be gone twice, a day apart.
    """
    if state == "open":
        return Verdict(reopens=not standing.is_open and not standing.is_watched)
    if not standing.is_open or standing.is_listed or standing.is_doubted:
        return Verdict()
    again_at = (standing.gone_since or now) + SECOND_LOOK
    if not standing.is_watched and now < again_at:
        return Verdict(again_at=again_at)
    return Verdict(closes="filled" if state == "filled" else "page_gone")


def _reopened(memory: Memory, reading: Reading) -> tuple[PostingId, ...]:
    return tuple(
        sorted(
            each.posting_id
            for each in memory.watched
            if each.posting_id is not None and not each.is_open and each.vendor_id in reading.shown
        )
    )


def _with_list(memory: Memory, reading: Reading, reopens: tuple[PostingId, ...]) -> Decisions:
    missing = [each for each in memory.watched if each.vendor_id not in reading.shown]
    due = [*(each for each in missing if _is_due(each, memory, reading)), *memory.withdrawn]
    doubts = _doubts_about_list(memory, reading, missing, len(due))
    is_held = any(each.settled_as is None for each in doubts)
    doubts = [_holding(each, len(due)) for each in doubts]
    return Decisions(
        counted=True,
        misses=_grown(missing, 1),
        closes=() if is_held else _closes(due, "not_listed"),
        reopens=reopens,
        held=len(due) if is_held else 0,
        suspicions=_changed(memory, doubts),
        probes=_to_probe(due if is_held else _leaving(missing, memory), reading.at),
        pause=None if reading.shown else CALM["empty"],
    )


def _is_due(listing: Watched, memory: Memory, reading: Reading) -> bool:
    if not listing.is_open or listing.posting_id is None or listing.shown_elsewhere:
        return False
    if listing.probed in {"gone", "filled"}:
        return True
    absent = timedelta(0) if listing.last_seen_at is None else reading.at - listing.last_seen_at
    if listing.probed == "open":
        return absent >= PAGE_OUTWEIGHS_LIST
    more = patience(listing, memory)
    needed = min(memory.misses_to_close + more, MOST_MISSED)
    return listing.missed + 1 >= needed and absent >= LEAST_ABSENCE + more * timedelta(days=1)


def _leaving(missing: Sequence[Watched], memory: Memory) -> list[Watched]:
    """Missed often enough, and only time is wanting: their own pages can decide at once."""
    return [
        each
        for each in missing
        if each.is_open and not each.shown_elsewhere and each.missed + 1 >= memory.misses_to_close
    ]


def _doubts_about_list(
    memory: Memory, reading: Reading, missing: Sequence[Watched], due: int
) -> list[Suspicion]:
    """A list answers doubts that there is one. A fall that takes no open posting along is no doubt."""
    answered = [stepped(memory, reading, kind, holds=False, expected=0) for kind in ("empty", "gone")]
    expected = round(expected_count(memory))
    has_fallen = any(each.is_open for each in missing) and has_dropped(memory, reading)
    drop = stepped(memory, reading, "drop", holds=has_fallen, expected=expected)
    is_blasting = is_blast(memory, due) and not _covers_blast(memory, drop)
    blast = stepped(memory, reading, "blast", holds=is_blasting, expected=memory.open_postings)
    return [each for each in (*answered, drop, blast) if each is not None]


def _covers_blast(memory: Memory, drop: Suspicion | None) -> bool:
    """What decides a drop has decided about the blast as well; while it is open, one doubt is enough."""
    if drop is None or drop.settled_as == "recovered":
        return False
    return drop.settled_as is not None or open_doubt(memory, "blast") is None


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
        probes=_to_probe(standing, reading.at),
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


def _to_probe(doubted: Sequence[Watched], now: datetime) -> tuple[PostingId, ...]:
    """A few spread over the board, so that one odd corner of it does not answer for the rest."""
    asked = sorted(
        each.posting_id for each in doubted if each.posting_id is not None and _wants_look(each, now)
    )
    return tuple(asked[:: -(-len(asked) // PROBES_A_READING) or 1])


def _wants_look(listing: Watched, now: datetime) -> bool:
    if listing.looked_at is None:
        return True
    return listing.probed == "open" and now - listing.looked_at >= LOOK_LASTS


def _holding(doubt: Suspicion, held: int) -> Suspicion:
    return msgspec.structs.replace(doubt, held=held if doubt.settled_as is None else 0)


def _changed(memory: Memory, doubts: Iterable[Suspicion]) -> tuple[Suspicion, ...]:
    return tuple(each for each in doubts if each not in memory.suspicions)
