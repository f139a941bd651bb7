"""Reads a Workday list that its tenant cuts off in parts, by the filters its own page offers.

A tenant that gives no row behind its limit still counts, for each value of each filter, how many there are.
So a filter is chosen whose values all stay under the limit, each value's list is walked by itself, and the
parts are the whole when nothing that is known speaks against it. Knows filters, no fields of rows.
"""

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping

import msgspec

from pipeline.sources.adapters.workday_pages import Budget, Page, Walk
from pipeline.sources.adapters.workday_rows import PathRow
from pipeline.sources.rows import value_under
from pipeline.sources.types import Evidence

#: A posting has one value of these at most, so what they count is no more than there are. Of places and
#: families of jobs it may have several.
_SINGLE = frozenset(("timeType", "workerSubType"))
_MOST_VALUES = 400
_DEEPEST = 3

Applied = Mapping[str, list[str]]
AskPart = Callable[[Applied, int], Awaitable[Page[PathRow] | Evidence]]
"""The page of a filtered list at an offset, or the evidence of why there is none."""


class Facet(msgspec.Struct, frozen=True, kw_only=True):
    """One filter: how many postings each of its values has, by the value's id."""

    name: str
    counts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class _Value(msgspec.Struct, frozen=True, rename="camel"):
    """A value of a filter, or a filter among others under one heading."""

    id: str | None = None
    count: int = 0
    facet_parameter: str | None = None
    values: "list[_Value]" = []


def facets_of(body: bytes) -> list[Facet]:
    """Every filter a first page offers; none where it is written in another way."""
    return list(_flat(value_under(body, "facets", list[_Value]) or []))


def _flat(values: list[_Value]) -> Iterator[Facet]:
    for each in values:
        counts = {value.id: value.count for value in each.values if value.id and value.count > 0}
        if each.facet_parameter and counts:
            yield Facet(name=each.facet_parameter, counts=counts)
        yield from _flat([value for value in each.values if value.facet_parameter])


def chosen(facets: list[Facet], applied: Applied, limit: int) -> Facet | None:
    """The one that leaves least out and is cheapest to walk: all its values under the limit if one is so."""
    free = [each for each in facets if each.name not in applied and 1 < len(each.counts) <= _MOST_VALUES]
    wanted = counted(facets)
    whole = [each for each in free if each.total >= wanted]
    small = [each for each in whole if max(each.counts.values()) < limit]
    return min(
        small or whole, key=lambda each: (max(each.counts.values()) >= limit, len(each.counts)), default=None
    )


def counted(facets: list[Facet]) -> int:
    """How many postings there are at least."""
    return max((each.total for each in facets if each.name in _SINGLE), default=0)


class Parts:
    """`rows` holds each row once. `is_whole`: every part was, and no filter counts more than were seen."""

    def __init__(self, ask: AskPart, budget: Budget) -> None:
        self._ask = ask
        self._pages_left = budget.pages
        self._until = time.monotonic() + budget.seconds
        self._found: list[Evidence] = []
        self.rows: dict[str, PathRow] = {}
        self.is_whole = True

    async def read(self, facets: list[Facet], first: Mapping[str, PathRow]) -> None:
        """Walk the values of one filter, and of a second and third where one value has too many. `first` is
        what the tenant gives without filters; where it has rows no part shows, the parts prove nothing."""
        await self._split(facets, {}, len(first))
        self.is_whole &= first.keys() <= self.rows.keys()
        self.rows = {**first, **self.rows}
        self.is_whole &= len(self.rows) >= counted(facets) > 0

    def evidence(self, whole: Evidence, facets: list[Facet]) -> Evidence:
        """What the uncut walk proved, with what the parts add."""
        every = [whole, *self._found]
        troubled = next((each for each in self._found if each.problem is not None), None)
        return msgspec.structs.replace(
            whole,
            answers=sum(each.answers for each in every),
            answer_bytes=sum(each.answer_bytes for each in every),
            vendor_total=max(counted(facets), whole.vendor_total or 0),
            cap=None if self.is_whole else len(self.rows),
            rows=len(self.rows),
            repeated_rows=whole.repeated_rows + sum(each.repeated_rows for each in self._found),
            unreadable_rows=max(each.unreadable_rows for each in every),
            odd_fields=max(each.odd_fields for each in every),
            ended_naturally=self.is_whole,
            problem=troubled.problem if troubled else whole.problem,
            status=troubled.status if troubled else whole.status,
            retry_after_seconds=troubled.retry_after_seconds if troubled else whole.retry_after_seconds,
        )

    async def _split(self, facets: list[Facet], applied: Applied, limit: int) -> None:
        facet = chosen(facets, applied, limit) if len(applied) < _DEEPEST else None
        if facet is None:
            self.is_whole = False
            return
        for value, count in facet.counts.items():
            part = {**applied, facet.name: [value]}
            if count >= limit:
                first = await self._ask(part, 0)
                self._pages_left -= 1
                inner = [] if isinstance(first, Evidence) else facets_of(first.answer.body)
                await self._split(inner, part, limit)
            else:
                await self._walk(part)

    async def _walk(self, part: Applied) -> None:
        seconds = self._until - time.monotonic()
        if self._pages_left <= 0 or seconds <= 0 or self._is_refused():
            self.is_whole = False
            return

        async def ask(offset: int) -> Page[PathRow] | Evidence:
            return await self._ask(part, offset)

        walk = Walk(ask, Budget(pages=self._pages_left, seconds=seconds))
        ending = await walk.walk()
        evidence = walk.evidence(ending)
        self._pages_left -= evidence.answers
        self._found.append(evidence)
        self.is_whole &= ending == "natural" and walk.is_complete()
        for path, row in walk.rows.items():
            self.rows.setdefault(path, row)

    def _is_refused(self) -> bool:
        """A tenant that refused one part is not asked for the rest."""
        return bool(self._found) and self._found[-1].problem is not None
