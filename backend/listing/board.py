"""The columns of the board: one for each stage, with its first lines. Pure."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from backend.listing.filters import STAGE_NAMES, Filters
from matcher.listing.types import ListedApplication, Standing
from matcher.silence.rules import Silence
from matcher.timeline.rules import PROGRESS
from schema.vocabulary import Stage


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An application with its silence; None when nothing is awaited or nobody knows since when."""

    row: ListedApplication
    silence: Silence | None

    @property
    def seen(self) -> str:
        """What a form of the list carries: which application, and how it stood."""
        return seen_as(self.row)


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A stage; `whole` is the address of its list, `switch` of the board with this column before the eye.

    `here` marks the one a narrow screen shows.
    """

    stage: Stage
    count: int
    lines: list[Line]
    whole: str
    switch: str
    here: bool

    @property
    def left_out(self) -> int:
        return self.count - len(self.lines)


def seen_as(row: ListedApplication | Standing) -> str:
    """`12:offer:you`; a status is set only while this is still so."""
    return f"{row.application_id}:{row.stage}:{'you' if row.by_person else 'mail'}"


def columns_of(
    lines: Sequence[Line], counts: Mapping[Stage, int], filters: Filters, wanted: str
) -> list[Column]:
    """Every stage asked for, or each that moves and each end that somebody stands in. `wanted` is the stage a
    narrow screen shows; else the first that somebody stands in.
    """
    shown = filters.stages or tuple(stage for stage in STAGE_NAMES if stage in PROGRESS or counts.get(stage))
    first = next((stage for stage in shown if counts.get(stage)), shown[0])
    here = wanted if wanted in shown else first
    return [
        Column(
            stage=stage,
            count=counts.get(stage, 0),
            lines=[line for line in lines if line.row.stage == stage],
            whole=replace(filters, stages=(stage,), layout="table").query,
            switch="&".join(filter(None, (filters.query, urlencode({"column": stage})))),
            here=stage == here,
        )
        for stage in shown
    ]
