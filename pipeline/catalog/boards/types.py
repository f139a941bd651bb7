"""What is known of a board and of its reads, for pages and commands. Only structs."""

from datetime import datetime
from typing import Literal

import msgspec

from pipeline.sources.types import Evidence
from schema.ids import PullId, SourceId
from schema.vocabulary import Coverage

BoardsShown = Literal["all", "doubted", "troubled", "off", "behind"]


class BoardLine(msgspec.Struct, frozen=True, kw_only=True):
    """One board with its newest read. What belongs to a read is None for a board that was never read.

    `doubts` are open suspicions; the first of them ends at `doubted_until`.
    """

    id: SourceId
    platform: str
    board: str
    company: str | None
    url: str
    enabled: bool
    failures_in_a_row: int
    blocked_until: datetime | None
    rests_until: datetime | None
    off_since: datetime | None
    off_reason: str | None
    last_pull_at: datetime | None
    last_complete_at: datetime | None
    coverage: Coverage | None
    problem: str | None
    observed: int | None
    refused: int | None
    doubts: int
    doubted_until: datetime | None


class BoardAfter(msgspec.Struct, frozen=True, kw_only=True):
    """The last row a page showed."""

    platform: str
    board: str


class BoardsPage(msgspec.Struct, frozen=True, kw_only=True):
    items: list[BoardLine]
    next: BoardAfter | None


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """How many boards there are, and how many of them each view shows."""

    every: int
    doubted: int
    troubled: int
    off: int


class PullRow(msgspec.Struct, frozen=True, kw_only=True):
    id: PullId
    task_id: int | None
    started_at: datetime
    finished_at: datetime
    coverage: Coverage
    evidence: bytes
    observed: int
    refused: int
    written: int
    closed: int


class Pull(msgspec.Struct, frozen=True, kw_only=True):
    """One read of a board, with why its coverage says what it says."""

    row: PullRow
    evidence: Evidence


class Holdings(msgspec.Struct, frozen=True, kw_only=True):
    """What the catalog has of a board: listings it shows, those of them refused, and open postings."""

    listings: int
    refused: int
    open: int
