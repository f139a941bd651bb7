"""Which stages may follow by themselves, and what a person's choice of them changes. Pure."""

from collections.abc import Collection, Sequence
from typing import get_args

from schema.vocabulary import Stage

STAGES: tuple[Stage, ...] = tuple(stage for stage in get_args(Stage) if stage != "applied")
"""No message leads to `applied`: it is where everything begins."""


def chosen(wanted: Collection[str]) -> list[Stage]:
    """The stages of `wanted` that there are, in their own order."""
    return [stage for stage in STAGES if stage in wanted]


def changed(before: Sequence[Stage], after: Sequence[Stage]) -> bool:
    return set(before) != set(after)
