"""Rippling's public job board API: lists of up to a thousand rows a page, and a record for each posting.

A list shows a posting once for each of its places, and neither text, pay nor date; those stand in the
posting's own record. Board names are told apart by their case: a wrong one is answered like a board that does
not exist.
"""

from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.rippling_rows import detailed, merged
from pipeline.sources.reading import asked, is_absent, opened, stands, unknown
from pipeline.sources.rows import NotReadable, Row, rows_of, rows_under, value_under
from pipeline.sources.rules import failed, refused_answer
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    FetchFailed,
    PostingPlace,
    Validators,
)
from schema.vocabulary import Coverage

_ROOT = "https://api.rippling.com/platform/api/ats/v2/board"
_PAGE = 1_000
_MOST_PAGES = 50


class Rippling:
    """One miss: a board of up to a thousand rows is one answer, and a larger one is looked at twice."""

    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - it gives no validators
        reading = _Reading(_jobs(board), fetch)
        return await reading.read(board)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        url = _jobs(place.board)
        try:
            answer = await fetch(f"{url}/{quote(place.vendor_id, safe='')}")
        except FetchFailed as error:
            return unknown(Evidence(problem=error.problem))
        if is_absent(answer):
            # A posting that is gone and a whole board that is are answered alike.
            return await stands(fetch, f"{url}?page=0&pageSize=1", answer)
        refusal = refused_answer(answer)
        if refusal is not None:
            return unknown(refusal)
        return opened(answer, place, lambda row: detailed(place, row))


class _Page(msgspec.Struct, frozen=True, kw_only=True):
    """`pages` None: the answer does not say how many there are."""

    rows: list[Row]
    unreadable: int
    pages: int | None
    total: int | None
    answer: Answer

    @property
    def prints(self) -> tuple[str, ...]:
        return tuple(row.fingerprint for row in self.rows)


class _Reading:
    """One walk through a board."""

    def __init__(self, url: str, fetch: Fetch) -> None:
        self._url = url
        self._fetch = fetch
        self._answers = self._bytes = self._served = self._unreadable = 0
        self._pages: list[tuple[str, ...]] = []
        self._total: int | None = None
        self._problem = Evidence()
        self._rows: list[Row] = []

    async def read(self, board: str) -> BoardReading:
        ending = await self._walk()
        found = merged(board, self._rows)
        evidence = msgspec.structs.replace(
            self._problem,
            answers=self._answers,
            answer_bytes=self._bytes,
            vendor_total=self._total,
            cap=self._served if ending == "capped" else None,
            repeated_pages=len(self._pages) - len(set(self._pages)),
            rows=self._served,
            repeated_rows=found.repeated,
            unreadable_rows=self._unreadable + found.nameless,
            odd_fields=found.odd_fields,
            ended_naturally=ending == "complete",
        )
        if evidence.problem is not None and not found.listings:
            return failed(evidence)
        is_whole = not evidence.unreadable_rows and self._served >= (self._total or 0)
        coverage: Coverage = "partial" if ending == "complete" and not is_whole else ending
        return BoardReading(listings=found.listings, coverage=coverage, evidence=evidence)

    async def _walk(self) -> Coverage:
        number = 0
        while (page := await self._page(number)) is not None:
            if page.prints and page.prints in self._pages:
                self._pages.append(page.prints)
                return "capped"
            self._take(page)
            number += 1
            if not page.rows if page.pages is None else number >= page.pages:
                return await self._at_the_end(number)
            if not page.rows:
                return "partial"
            if number >= _MOST_PAGES:
                return "capped"
        return "partial"

    async def _at_the_end(self, pages: int) -> Coverage:
        """Rows move between the pages of a large board: it is whole if it still begins as it did."""
        if pages == 1:
            return "complete"
        first = await self._page(0)
        if first is None or first.prints != self._pages[0] or first.total != self._total:
            return "partial"
        return "complete"

    async def _page(self, number: int) -> _Page | None:
        answer = await asked(self._fetch, f"{self._url}?page={number}&pageSize={_PAGE}")
        self._answers += 1
        page = answer if isinstance(answer, Evidence) else _read(answer)
        if isinstance(page, Evidence):
            self._problem = page
            return None
        self._bytes += len(page.answer.body)
        return page

    def _take(self, page: _Page) -> None:
        self._rows += page.rows
        self._served += len(page.rows) + page.unreadable
        self._unreadable += page.unreadable
        self._total = page.total
        self._pages.append(page.prints)


def _jobs(board: str) -> str:
    return f"{_ROOT}/{quote(board, safe='')}/jobs"


def _read(answer: Answer) -> _Page | Evidence:
    """A page of the board; a bare list, as the first version of the API answered, is all of it."""
    try:
        if answer.body.lstrip()[:1] == b"[":
            rows, unreadable = rows_of(answer.body)
            return _Page(rows=rows, unreadable=unreadable, pages=1, total=None, answer=answer)
        rows, unreadable = rows_under(answer.body, "items")
    except NotReadable:
        return Evidence(problem="not_a_board", status=answer.status, answer_bytes=len(answer.body))
    return _Page(
        rows=rows,
        unreadable=unreadable,
        pages=value_under(answer.body, "totalPages", int),
        total=value_under(answer.body, "totalItems", int),
        answer=answer,
    )
