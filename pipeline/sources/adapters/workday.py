"""Workday's career sites: lists of twenty rows a page without texts, and a page for each posting.

The interface is the one its own career pages use; it wants all four fields in a request. One requisition may
stand on several sites of a tenant and in several languages: it is one posting.
"""

import time
from urllib.parse import urlsplit

import msgspec

from pipeline.sources.adapters.workday_pages import PAGE, Budget, Page, Walk
from pipeline.sources.adapters.workday_parts import Applied, Facet, Parts, counted, facets_of
from pipeline.sources.adapters.workday_rows import PathRow, Site, once_each, page_of, path_row, site_of
from pipeline.sources.reading import unknown
from pipeline.sources.rows import NotReadable, rows_under, value_under
from pipeline.sources.rules import failed, refused_answer
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    FetchFailed,
    PostingPlace,
    PullProblem,
    Validators,
)
from schema.tasks import PullSource
from schema.vocabulary import Coverage

#: Sixty thousand rows, and well within the time a pull may take.
BUDGET = Budget(pages=3_200, seconds=0.8 * PullSource.TIMEOUT_SECONDS)
_ABSENT = frozenset((404, 410))
# What Workday says of a tenant or a site it does not have, or of a path it does not serve.
_STATUSES: dict[int, PullProblem] = {405: "not_a_board", 422: "board_unknown"}
_COVERAGE: dict[str, Coverage] = {"cap": "capped", "problem": "partial"}


class _Search(msgspec.Struct, frozen=True, rename="camel"):
    """What Workday wants to be told, all of it: less is refused."""

    offset: int
    limit: int = PAGE
    applied_facets: dict[str, list[str]] = {}
    search_text: str = ""


class Workday:
    """Three misses: rows move while a list is read."""

    misses_to_close = 3
    has_one_host = False

    def __init__(self, budget: Budget = BUDGET) -> None:
        self._budget = budget

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - answers to a POST have no validators
        site = site_of(board)
        if site is None:
            return failed(Evidence(problem="not_a_board"))

        facets: list[Facet] = []

        async def ask(offset: int) -> Page[PathRow] | Evidence:
            page = await _page_at(site, fetch, offset)
            if not facets and not isinstance(page, Evidence):
                facets.extend(facets_of(page.answer.body))
            return page

        began = time.monotonic()
        walk = Walk(ask, self._budget)
        ending = await walk.walk()
        evidence = walk.evidence(ending)
        coverage: Coverage = "complete" if ending == "natural" and walk.is_complete() else "partial"
        coverage = _COVERAGE.get(ending, coverage)
        rows = walk.rows
        if _is_cut(walk, evidence, coverage, counted(facets)):
            parts = await self._in_parts(
                site, fetch, facets, walk, evidence.answers, time.monotonic() - began
            )
            rows = parts.rows
            evidence = parts.evidence(evidence, facets)
            coverage = "complete" if parts.is_whole else "capped"
        listings = once_each(rows.values())
        if evidence.problem is not None and not listings:
            return failed(evidence)
        return BoardReading(listings=listings, coverage=coverage, evidence=evidence)

    async def _in_parts(
        self, site: Site, fetch: Fetch, facets: list[Facet], walk: Walk[PathRow], answers: int, seconds: float
    ) -> Parts:
        async def ask(applied: Applied, offset: int) -> Page[PathRow] | Evidence:
            return await _page_at(site, fetch, offset, applied)

        left = Budget(pages=self._budget.pages - answers, seconds=self._budget.seconds - seconds)
        parts = Parts(ask, left)
        await parts.read(facets, walk.rows)
        return parts

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        site = site_of(place.board)
        path = None if site is None else site.path_in(place.apply_url)
        if site is None or path is None:
            # Without the path its list gave, an absent page would say nothing about the posting.
            return unknown(Evidence())
        answer = await _answered(fetch, site.api + path)
        if isinstance(answer, Evidence):
            return unknown(answer)
        if answer.status in _ABSENT:
            # A site that is gone, or a tenant that is away, has none of its pages either.
            site_now = await _page_at(site, fetch, 0)
            return unknown(site_now) if isinstance(site_now, Evidence) else _gone(answer)
        return _looked(site, place, answer)


def _looked(site: Site, place: PostingPlace, answer: Answer) -> Detail:
    evidence = Evidence(answers=1, answer_bytes=len(answer.body), status=answer.status)
    page = page_of(site, answer.body)
    if page is None or page.listing.vendor_id not in {"", place.vendor_id}:
        return unknown(msgspec.structs.replace(evidence, problem="not_a_board"))
    evidence = msgspec.structs.replace(evidence, rows=1, odd_fields=page.odd_fields)
    if not page.is_posted:
        return _gone(answer)
    # It keeps the address its list gives; what the page calls its own may be another site's.
    listing = msgspec.structs.replace(
        page.listing, vendor_id=place.vendor_id, page_url=place.page_url, apply_url=place.apply_url
    )
    return Detail(state="open", evidence=evidence, listing=listing)


def _gone(answer: Answer) -> Detail:
    evidence = Evidence(answers=1, answer_bytes=len(answer.body), status=answer.status)
    return Detail(state="gone", evidence=evidence)


def _is_cut(walk: Walk[PathRow], evidence: Evidence, coverage: Coverage, counted: int) -> bool:
    """Whether the tenant gave a first part only: it began again, or ended though its filters count more."""
    if evidence.problem is not None or counted < len(walk.rows) + evidence.repeated_rows + PAGE:
        return False
    return evidence.repeated_pages > 0 or coverage != "capped"


async def _page_at(
    site: Site, fetch: Fetch, offset: int, applied: Applied | None = None
) -> Page[PathRow] | Evidence:
    search = _Search(offset=offset, applied_facets={**applied} if applied else {})
    answer = await _answered(fetch, f"{site.api}/jobs", msgspec.json.encode(search))
    if isinstance(answer, Evidence):
        return answer
    if answer.status in _ABSENT:
        return _refused(answer, "board_unknown")
    try:
        rows, unreadable = rows_under(answer.body, "jobPostings")
    except NotReadable:
        return _refused(answer, "not_a_board")
    read = [path_row(site, row) for row in rows]
    return Page(
        rows=[row for row, _ in read if row is not None],
        served=len(rows) + unreadable,
        odd_fields=sum(odd for _, odd in read),
        total=value_under(answer.body, "total", int),
        answer=answer,
    )


async def _answered(fetch: Fetch, url: str, json: bytes | None = None) -> Answer | Evidence:
    """An answer of the tenant itself: 200, or that there is no such thing."""
    try:
        answer = await fetch(url, json=json)
    except FetchFailed as error:
        return Evidence(problem=error.problem)
    if urlsplit(answer.url).netloc != urlsplit(url).netloc:
        # A tenant under maintenance sends everybody to a page of Workday's that answers 200.
        return _refused(answer, "platform_error")
    if answer.status in _STATUSES:
        return _refused(answer, _STATUSES[answer.status])
    return answer if answer.status in _ABSENT else refused_answer(answer) or answer


def _refused(answer: Answer, problem: PullProblem) -> Evidence:
    return Evidence(problem=problem, status=answer.status, answer_bytes=len(answer.body))
