"""The weights and thresholds as one frozen struct, read once from the table beside this file.

Fitting and ablation weigh by other numbers within a block of their own; nobody else does.
"""

import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

import msgspec

from schema.vocabulary import EvidenceName

_TABLE = Path(__file__).with_name("weights.toml")


class Decision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """See `weights.toml` for what each number means."""

    attach: float
    margin: float
    contradiction: float
    plausible: float


class Strength(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one piece of evidence counts; negative speaks against."""

    posting_url: float
    posting_listed: float
    posting_other: float
    board_posting: float
    requisition: float
    requisition_short: float
    requisition_unlike: float
    reply_chain: float
    calendar: float
    thread: float
    contact: float
    contact_shared: float
    employer_named: float
    employer_alias: float
    employer_house: float
    employer_domain: float
    employer_seen: float
    employer_alias_seen: float
    employer_domain_unknown: float
    employer_spelling: float
    employer_akin: float
    employer_beside: float
    employer_mentioned: float
    employer_near: float
    employer_other: float
    tenant: float
    role_same: float
    role_lone: float
    role_longer: float
    role_shorter: float
    role_sibling: float
    role_other: float
    place_same: float
    place_other: float
    level_missing: float
    level_more: float
    level_other: float
    time_near: float
    time_late: float
    time_very_late: float
    time_after_end: float


class Weights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`without` leaves out whole kinds of evidence, vetoes included; the table never does."""

    version: int
    decision: Decision
    strength: Strength
    without: tuple[EvidenceName, ...] = ()


_trial: ContextVar[Weights | None] = ContextVar("weights on trial", default=None)


def current_weights() -> Weights:
    return _trial.get() or _table()


@contextmanager
def on_trial(weights: Weights) -> Generator[None]:
    """Have everything inside the block weighed by other numbers."""
    token = _trial.set(weights)
    try:
        yield
    finally:
        _trial.reset(token)


@cache
def _table() -> Weights:
    return msgspec.convert(tomllib.loads(_TABLE.read_text(encoding="utf-8")), Weights)
