"""The ledger of paid requests and the operator's switch: appended here and nowhere else, never changed.

A row is written in the transaction that applies the answer, priced once by the table of the day it was asked.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pipeline.usage.rules import estimate, price_of
from pipeline.usage.types import Paid, Price
from schema.db import Unit
from schema.query import Query, Statement


class _Recorded(msgspec.Struct, frozen=True, kw_only=True):
    id: int


class Switch(msgspec.Struct, frozen=True, kw_only=True):
    """How the switch stands, since when, who set it and why."""

    allowed: bool
    actor: str
    reason: str
    at: datetime


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    yes: bool


RECORD = Query(
    "usage.record",
    _Recorded,
    """INSERT INTO usage (purpose, subject_id, version, provider, model, mode, batch_id, custom_id,
         request_id, outcome, input_tokens, cached_tokens, output_tokens, reasoning_tokens, estimate,
         currency, price_since, asked_at, recorded_at)
       VALUES (%(purpose)s, %(subject_id)s, %(version)s, %(provider)s, %(model)s, %(mode)s, %(batch_id)s,
         %(custom_id)s, %(request_id)s, %(outcome)s, %(input_tokens)s, %(cached_tokens)s, %(output_tokens)s,
         %(reasoning_tokens)s, %(estimate)s, %(currency)s, %(price_since)s, %(asked_at)s, %(now)s)
       ON CONFLICT DO NOTHING
       RETURNING id""",
)
IS_KNOWN = Query(
    "usage.is_known",
    _Answer,
    """SELECT EXISTS (SELECT FROM usage WHERE provider = %(provider)s AND custom_id = %(custom_id)s
         AND batch_id IS NOT DISTINCT FROM %(batch_id)s) AS yes""",
)
IS_BOUGHT = Query(
    "usage.is_bought",
    _Answer,
    """SELECT EXISTS (SELECT FROM usage WHERE purpose = %(purpose)s AND subject_id = %(subject_id)s
         AND version = %(version)s AND model = %(model)s) AS yes""",
)
SET_SWITCH = Statement(
    "usage.set_switch",
    """INSERT INTO submission_switches (allowed, actor, reason, at)
       VALUES (%(allowed)s, %(actor)s, %(reason)s, %(now)s)""",
)
SWITCH = Query(
    "usage.switch",
    Switch,
    "SELECT allowed, actor, reason, at FROM submission_switches ORDER BY id DESC LIMIT 1",
)


async def record(unit: Unit, paid: Paid, prices: Sequence[Price], *, now: datetime) -> bool:
    """Append the request to the ledger; False when it stands there already.

    Some servers tell the same request id for every request. Such a row is kept without it: each request
    that was paid for has its row.
    """
    if await _insert(unit, paid, prices, now):
        return True
    known = await unit.one(IS_KNOWN, provider=paid.provider, custom_id=paid.custom_id, batch_id=paid.batch_id)
    if known.yes:
        return False
    return await _insert(unit, msgspec.structs.replace(paid, request_id=None), prices, now)


async def _insert(unit: Unit, paid: Paid, prices: Sequence[Price], now: datetime) -> bool:
    price = price_of(prices, paid.model, paid.mode, paid.asked_at.date())
    cost = estimate(price, paid.tokens)
    row = await unit.maybe(
        RECORD,
        purpose=paid.purpose,
        subject_id=paid.subject_id,
        version=paid.version,
        provider=paid.provider,
        model=paid.model,
        mode=paid.mode,
        batch_id=paid.batch_id,
        custom_id=paid.custom_id,
        request_id=paid.request_id,
        outcome=paid.outcome,
        input_tokens=paid.tokens.input,
        cached_tokens=paid.tokens.cached,
        output_tokens=paid.tokens.output,
        reasoning_tokens=paid.tokens.reasoning,
        estimate=cost.amount if cost else None,
        currency=cost.currency if cost else None,
        price_since=cost.price_since if cost else None,
        asked_at=paid.asked_at,
        now=now,
    )
    return row is not None


async def is_bought(unit: Unit, *, purpose: str, subject_id: int, version: int, model: str) -> bool:
    """Whether an answer to this very question was paid for and applied, whatever it was good for."""
    row = await unit.one(IS_BOUGHT, purpose=purpose, subject_id=subject_id, version=version, model=model)
    return row.yes


async def may_submit(unit: Unit) -> bool:
    """Whether paid requests may be made now. Ask before each one; what is under way is collected anyway."""
    switch = await current_switch(unit)
    return switch is None or switch.allowed


async def current_switch(unit: Unit) -> Switch | None:
    """None when nobody ever touched it: paid requests may be made."""
    return await unit.maybe(SWITCH)


async def set_switch(unit: Unit, *, allowed: bool, actor: str, reason: str, now: datetime) -> None:
    """Stop paid requests at once, or let them go on; in a unit of the fleet, by an operator."""
    await unit.run(SET_SWITCH, allowed=allowed, actor=actor, reason=reason, now=now)
