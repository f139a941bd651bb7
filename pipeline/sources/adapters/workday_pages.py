"""Walks a Workday list page by page and says what that proves. Knows pages and rows' paths, no fields.

A tenant tells its total on the first page only, lets rows move while it is read, and may give the first
page again instead of what lies behind row 2,000. So each page is asked to overlap the one before: while some
row of one stands in the next, nothing between them was skipped, however the list moved.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

from pipeline.sources.rules import is_passing
from pipeline.sources.types import Answer, Evidence

#: More is refused, or answered with an empty list.
PAGE = 20
_OVERLAP = 1
#: Some tenants show no row behind this one; a list that seems to end here is asked for one page more.
_CLAMP = 2_000
_STEP_BACK = 10
_MOST_REPAIRS = 25
#: A list of nine hundred pages is not given up for one of them.
_SECOND_TRIES = 5


class HasPath(Protocol):
    @property
    def path(self) -> str: ...


RowT = TypeVar("RowT", bound=HasPath)
Ending = Literal["natural", "cap", "problem"]


class Page(msgspec.Struct, Generic[RowT], frozen=True, kw_only=True):
    """One answer: `served` counts its rows, also those that could not be read."""

    rows: Sequence[RowT]
    served: int
    odd_fields: int
    total: int | None
    answer: Answer

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(row.path for row in self.rows)


Ask = Callable[[int], Awaitable[Page[RowT] | Evidence]]
"""The page at an offset, or the evidence of why there is none."""


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """How much one reading may cost. What lies beyond is not read, and the reading says so."""

    pages: int
    seconds: float


class Walk(Generic[RowT]):
    """`rows` holds each row once, in the order of the list; bodies are let go page by page."""

    def __init__(self, ask: Ask[RowT], budget: Budget) -> None:
        self._ask = ask
        self._budget = budget
        self._until = time.monotonic() + budget.seconds
        self._overlap = _OVERLAP
        self._last: frozenset[str] = frozenset()
        self._pages: set[tuple[str, ...]] = set()
        self._repairs = 0
        self._second_tries = 0
        self._is_unbroken = True
        self._answers = self._bytes = self._repeated = self._unreadable = self._odd = self._replayed = 0
        self._first_total: int | None = None
        self._last_total: int | None = None
        self._problem: Evidence | None = None
        self._cap: int | None = None
        self.rows: dict[str, RowT] = {}

    async def walk(self) -> Ending:
        page = await self._asked(0)
        self._first_total = self._last_total = None if page is None else _total(page)
        offset = 0
        while page is not None:
            end = offset + page.served
            grew = self._take(page)
            if page.served < PAGE and (not grew or end >= (self._first_total or 0)):
                return await self._at_the_end(end)
            if not grew or self._is_spent():
                self._replayed += not grew
                return self._stopped()
            offset, page = await self._next(end - self._overlap)
        return "problem" if self._problem is not None else self._stopped()

    def is_complete(self) -> bool:
        """For a list that ended by itself: whether every row of it was seen."""
        if self._first_total is None or self._last_total is None or self._unreadable:
            return False
        if self._is_unbroken and self._overlap:
            return len(self.rows) + self._repeated >= self._last_total
        return len(self.rows) >= max(self._first_total, self._last_total)

    def evidence(self, ending: Ending) -> Evidence:
        found = Evidence(
            answers=self._answers,
            answer_bytes=self._bytes,
            vendor_total=self._last_total,
            cap=self._cap,
            repeated_pages=self._replayed,
            rows=len(self.rows),
            repeated_rows=self._repeated,
            unreadable_rows=self._unreadable,
            odd_fields=self._odd,
            ended_naturally=ending == "natural",
        )
        if self._problem is None:
            return found
        return msgspec.structs.replace(
            found,
            problem=self._problem.problem,
            status=self._problem.status,
            retry_after_seconds=self._problem.retry_after_seconds,
        )

    def _is_spent(self) -> bool:
        return self._answers >= self._budget.pages or time.monotonic() >= self._until

    async def _asked(self, offset: int) -> Page[RowT] | None:
        """None for what is no page: an error is never the end of a list."""
        page = await self._tried(offset)
        if isinstance(page, Evidence) and self._may_ask_again(page):
            self._second_tries += 1
            again = await self._tried(offset)
            # Where the fetcher does not wait that long for its turn, what the tenant said is told.
            if not isinstance(again, Evidence) or again.problem != "host_blocked":
                page = again
        if isinstance(page, Evidence):
            self._problem = page
            return None
        return page

    def _may_ask_again(self, refused: Evidence) -> bool:
        """Also where it wants to be left alone for a while: it is asked in its turn."""
        passes = refused.problem is not None and (
            refused.problem == "throttled" or is_passing(refused.problem)
        )
        return passes and bool(self.rows) and self._second_tries < _SECOND_TRIES

    async def _tried(self, offset: int) -> Page[RowT] | Evidence:
        page = await self._ask(offset)
        self._answers += 1
        self._bytes += page.answer_bytes if isinstance(page, Evidence) else len(page.answer.body)
        return page

    def _stopped(self) -> Ending:
        self._cap = len(self.rows)
        return "cap"

    def _take(self, page: Page[RowT]) -> bool:
        """Whether it showed anything new."""
        known = len(self.rows)
        for row in page.rows:
            if row.path not in self.rows:
                self.rows[row.path] = row
            elif row.path not in self._last:
                self._repeated += 1
        self._unreadable += page.served - len(page.rows)
        self._odd += page.odd_fields
        self._last = frozenset(page.paths)
        self._pages.add(page.paths)
        return len(self.rows) > known

    async def _next(self, offset: int) -> tuple[int, Page[RowT] | None]:
        page = await self._asked(offset)
        if page is None:
            return offset, None
        if page.paths and page.paths in self._pages:
            return await self._behind_a_replay()
        return await self._joined(offset, page)

    async def _behind_a_replay(self) -> tuple[int, Page[RowT] | None]:
        """A page that was there before: a limit of the tenant's, or a tenant that knows whole pages only."""
        if self._overlap and len(self._pages) == 1:
            self._overlap = 0
            page = await self._asked(PAGE)
            if page is None or page.paths not in self._pages:
                return PAGE, page
        self._replayed += 1
        return PAGE, None

    async def _joined(self, offset: int, page: Page[RowT]) -> tuple[int, Page[RowT] | None]:
        """A page that has a row in common with the one before, if going back a little finds one."""
        if not self._overlap or self._last.intersection(page.paths):
            return offset, page
        if self._repairs < _MOST_REPAIRS:
            self._repairs += 1
            back = offset - min(_STEP_BACK, offset)
            nearer = await self._asked(back)
            if nearer is None or self._last.intersection(nearer.paths):
                return back, nearer
        self._is_unbroken = False
        return offset, page

    async def _at_the_end(self, end: int) -> Ending:
        if len(self.rows) >= _CLAMP or (self._first_total or 0) == _CLAMP:
            beyond = await self._asked(end)
            if beyond is None:
                return "problem"
            if beyond.paths:
                self._replayed += 1
                return self._stopped()
        if len(self.rows) + self._repeated < (self._first_total or 0):
            # Postings that went away meanwhile are missing too: what is the total now?
            first = await self._asked(0)
            if first is None:
                return "problem"
            self._last_total = _total(first)
        return "natural"


def _total(page: Page[RowT]) -> int | None:
    """None where the tenant tells no total: later pages say 0 however many rows there are."""
    return page.total if page.total or not page.served else None
