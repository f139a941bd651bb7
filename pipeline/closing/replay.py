"""A daily series of what boards showed, lived through once more by the product's own rules. Pure.

Every snapshot with rows of a board is a complete pull of it. A board without rows on a day when others have
some is read as empty; a day on which nobody has rows is no pull at all. A series knows no pages of
postings: here time settles what a look would settle sooner.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from pipeline.closing.rules import decide
from pipeline.closing.series import Series
from pipeline.closing.types import Decisions, Memory, Misses, Reading, Suspicion, Watched
from schema.ids import PostingId

STALE_AFTER = timedelta(days=14)
#: As `pulls` are asked: the last five, since the last level that was decided on.
_COUNTS = 5


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """`false_closes`: postings shown again after they were closed. `stale_at_end`: last seen over 14 days
    before the last day and open still, of `open_at_end`; `stale_days` of `open_days` sums every day's."""

    misses_to_close: int
    closes: int = 0
    false_closes: int = 0
    open_at_end: int = 0
    stale_at_end: int = 0
    open_days: int = 0
    stale_days: int = 0
    doubts: int = 0
    days_to_close: int = 0

    def __add__(self, other: "Outcome") -> "Outcome":
        names = [name for name in self.__struct_fields__ if name != "misses_to_close"]
        summed = {name: _number(self, name) + _number(other, name) for name in names}
        return msgspec.structs.replace(self, **summed)

    @property
    def false_share(self) -> float:
        """Of all closes."""
        return self.false_closes / self.closes if self.closes else 0.0

    @property
    def stale_share(self) -> float:
        """Of all postings that were open on any day, a posting a day."""
        return self.stale_days / self.open_days if self.open_days else 0.0


class _Posting(msgspec.Struct, kw_only=True):
    id: PostingId
    seen_at: datetime
    missed: int = 0
    is_open: bool = True
    returns: int = 0


class _Board:
    """What the product would keep of one board, day after day."""

    def __init__(self, misses_to_close: int) -> None:
        self._misses_to_close = misses_to_close
        self._postings: dict[str, _Posting] = {}
        self._counts: list[int] = []
        self._suspicions: tuple[Suspicion, ...] = ()
        self._complete_at: datetime | None = None
        self.outcome = Outcome(misses_to_close=misses_to_close)

    def read(self, shown: frozenset[str], at: datetime) -> None:
        was_shown = any(each.missed == 0 for each in self._postings.values())
        is_surprising = was_shown and not shown
        reading = Reading(at=at, coverage="surprising_empty" if is_surprising else "complete", shown=shown)
        decisions = decide(self._memory(shown), reading)
        if not is_surprising:
            self._counts.append(len(shown))
            self._complete_at = at
        self._show(shown, at)
        if any(each.settled_as in {"confirmed", "expired"} for each in decisions.suspicions):
            self._counts = [] if is_surprising else [len(shown)]
        self._apply(decisions, at)
        self._count_stale(at)

    def _memory(self, shown: frozenset[str]) -> Memory:
        return Memory(
            misses_to_close=self._misses_to_close,
            counts=tuple(self._counts[-_COUNTS:]),
            open_postings=sum(each.is_open for each in self._postings.values()),
            closed=self.outcome.closes,
            returned=self.outcome.false_closes,
            last_complete_at=self._complete_at,
            watched=tuple(self._watched(shown)),
            suspicions=self._suspicions,
        )

    def _watched(self, shown: frozenset[str]) -> Iterator[Watched]:
        for vendor_id, each in self._postings.items():
            if (vendor_id in shown) != each.is_open:
                yield Watched(
                    vendor_id=vendor_id,
                    posting_id=each.id,
                    is_open=each.is_open,
                    missed=each.missed,
                    last_seen_at=each.seen_at,
                    returns=each.returns,
                )

    def _show(self, shown: frozenset[str], at: datetime) -> None:
        for vendor_id in shown:
            known = self._postings.get(vendor_id)
            if known is None:
                self._postings[vendor_id] = _Posting(id=PostingId(len(self._postings)), seen_at=at)
            else:
                known.missed = 0
                known.seen_at = at

    def _apply(self, decisions: Decisions, at: datetime) -> None:
        by_id = {each.id: each for each in self._postings.values()}
        self._miss(decisions.misses)
        closing = [by_id[posting_id] for each in decisions.closes for posting_id in each.posting_ids]
        for posting in closing:
            posting.is_open = False
        for posting_id in decisions.reopens:
            by_id[posting_id].is_open = True
            by_id[posting_id].returns += 1
        raised = self._doubt(decisions.suspicions)
        self.outcome += Outcome(
            misses_to_close=self._misses_to_close,
            closes=len(closing),
            false_closes=len(decisions.reopens),
            doubts=raised,
            days_to_close=sum((at - posting.seen_at).days for posting in closing),
        )

    def _miss(self, misses: tuple[Misses, ...]) -> None:
        for group in misses:
            for vendor_id in group.vendor_ids:
                self._postings[vendor_id].missed = group.missed

    def _doubt(self, changed: tuple[Suspicion, ...]) -> int:
        before = {each.kind: each for each in self._suspicions}
        now = before | {each.kind: each for each in changed}
        self._suspicions = tuple(each for each in now.values() if each.settled_as is None)
        return len(now.keys() - before.keys())

    def _count_stale(self, at: datetime) -> None:
        still_open = [each for each in self._postings.values() if each.is_open]
        stale = sum(at - each.seen_at > STALE_AFTER for each in still_open)
        self.outcome = msgspec.structs.replace(
            self.outcome,
            open_at_end=len(still_open),
            stale_at_end=stale,
            open_days=self.outcome.open_days + len(still_open),
            stale_days=self.outcome.stale_days + stale,
        )


def replayed(series: Series, misses_to_close: int) -> Outcome:
    """Every board from the first day it shows anything to the last day of the series."""
    days: dict[date, dict[str, frozenset[str]]] = defaultdict(dict)
    for each in series.snapshots:
        days[each.on][each.board] = each.ids
    boards: dict[str, _Board] = {}
    for day in sorted(days):
        at = datetime.combine(day, time(12), UTC)
        for name in days[day].keys() - boards.keys():
            boards[name] = _Board(misses_to_close)
        for name, board in boards.items():
            board.read(days[day].get(name, frozenset()), at)
    return sum((each.outcome for each in boards.values()), Outcome(misses_to_close=misses_to_close))


def _number(outcome: Outcome, name: str) -> int:
    return int(getattr(outcome, name))
