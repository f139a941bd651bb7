"""A preview of a board, and what is asked for. Only structs."""

from datetime import datetime

import msgspec

from pipeline.sources.types import Evidence
from schema.ids import PreviewId
from schema.vocabulary import Coverage


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """Listings about which one rule says one thing."""

    rule: str
    reason: str
    number: int
    examples: list[str]


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    company: str | None
    places: list[str]
    workplace: str | None


class Unknown(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the admitted do not state something."""

    what: str
    number: int


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """`refused` would be observed and not shown, `marked` shown although a rule has something to say.
    `refusal` says why there was no board to read behind a page.
    `is_cut`: the look ended because its time was over, and saw a part of a list that is fine."""

    coverage: Coverage
    evidence: Evidence
    listings: int
    admitted: int
    refused: list[Ruled] = []
    marked: list[Ruled] = []
    samples: list[Sample] = []
    unknown: list[Unknown] = []
    is_cut: bool = False
    refusal: str = ""


class PreviewRow(msgspec.Struct, frozen=True, kw_only=True):
    id: PreviewId
    platform: str
    board: str
    company: str | None
    url: str
    asked_at: datetime
    finished_at: datetime | None
    result: bytes | None

    @property
    def preview(self) -> Preview | None:
        return None if self.result is None else msgspec.json.decode(self.result, type=Preview)
