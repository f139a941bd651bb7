"""What the answers of one board bring together: listings once each, and the evidence of how they were had.

For boards that come in several answers, or in rows of another kind than JSON; knows no platform.
"""

from typing import Literal

from pipeline.sources.rules import failed, settled_coverage
from pipeline.sources.types import Answer, BoardReading, Evidence, Listing
from schema.vocabulary import Coverage

#: How a list stopped: by itself, at a limit, or without telling whether there is more.
Ending = Literal["natural", "cap", "unproven"]


class Gathering:
    """Fills up answer by answer, then says what was read and what that proves."""

    def __init__(self) -> None:
        self._found: dict[str, Listing] = {}
        self._answers = self._answer_bytes = 0
        self._rows = self._repeated = self._unreadable = self._odd = 0
        self.repeated_pages = 0

    @property
    def rows(self) -> int:
        return self._rows

    @property
    def answers(self) -> int:
        return self._answers

    def took(self, answer: Answer) -> None:
        self._answers += 1
        self._answer_bytes += len(answer.body)

    def unreadable(self, rows: int) -> None:
        self._rows += rows
        self._unreadable += rows

    def add(self, listing: Listing | None, odd_fields: int = 0) -> bool:
        """Whether it is one that was not there yet; None counts as a row that could not be read."""
        self._rows += 1
        self._odd += odd_fields
        if listing is None:
            self._unreadable += 1
            return False
        if listing.vendor_id in self._found:
            self._repeated += 1
            return False
        self._found[listing.vendor_id] = listing
        return True

    def reading(
        self,
        ending: Ending,
        *,
        vendor_total: int | None = None,
        cap: int | None = None,
        problem: Evidence | None = None,
    ) -> BoardReading:
        """With a `problem` nothing is whole; without any listing it is a failure."""
        evidence = Evidence(
            answers=self._answers,
            answer_bytes=self._answer_bytes,
            vendor_total=vendor_total,
            cap=cap if ending == "cap" else None,
            repeated_pages=self.repeated_pages,
            rows=self._rows,
            repeated_rows=self._repeated,
            unreadable_rows=self._unreadable,
            odd_fields=self._odd,
            ended_naturally=ending == "natural" and problem is None,
            problem=None if problem is None else problem.problem,
            status=None if problem is None else problem.status,
            retry_after_seconds=None if problem is None else problem.retry_after_seconds,
        )
        listings = tuple(self._found.values())
        if problem is not None and not listings:
            return failed(evidence)
        settled = settled_coverage(listings, evidence)
        coverage: Coverage = "capped" if ending == "cap" else settled.coverage
        return BoardReading(listings=listings, coverage=coverage, evidence=evidence)
