"""A paid request as the ledger knows it, and what a request costs by the price table."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

Mode = Literal["live", "batch"]


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """As the provider counts them; None is unknown, never 0. `cached` is part of `input`, `reasoning` of
    `output`."""

    input: int | None = None
    cached: int | None = None
    output: int | None = None
    reasoning: int | None = None


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """One request that a provider answered. `subject_id` is what it was about, `version` how it was asked.

    `custom_id` is ours and was sent along; `request_id` the provider's, None when it told none. `outcome`
    says in a word what its answer was good for.
    """

    purpose: str
    subject_id: int
    version: int
    provider: str
    model: str
    mode: Mode
    custom_id: str
    request_id: str | None
    batch_id: str | None = None
    outcome: str
    tokens: Tokens
    asked_at: datetime


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a million tokens of one model cost from a day on. `cached` None: as `input`."""

    model: str
    since: date
    currency: str
    input: Decimal
    cached: Decimal | None = None
    output: Decimal
    mode: Mode = "live"


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """By the prices of one day; a recorded estimate, never a bill."""

    amount: Decimal
    currency: str
    price_since: date
