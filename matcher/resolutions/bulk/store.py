"""Waiting messages by their pattern of evidence. Reads only."""

import msgspec

from matcher.resolutions.bulk.rules import mark, options, sampled
from matcher.resolutions.bulk.types import Alike
from matcher.resolutions.messages.reasons import why_it_asks
from matcher.resolutions.messages.store import message_items
from matcher.resolutions.rates.store import confirm_rates
from matcher.resolutions.types import Bulk, PatternLine
from schema.db import Unit
from schema.errors import Missing
from schema.query import Query


class _Pattern(msgspec.Struct, frozen=True, kw_only=True):
    pattern: str
    count: int


PATTERNS = Query(
    "resolutions.patterns",
    _Pattern,
    """SELECT d.pattern, count(*)::int AS count
       FROM matches m JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       WHERE m.outcome = 'asks' GROUP BY d.pattern ORDER BY count(*) DESC, d.pattern""",
)
ALIKE = Query(
    "resolutions.alike",
    Alike,
    """SELECT m.message_id, m.decision_id, c.application_id
       FROM matches m JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       LEFT JOIN LATERAL (
         SELECT e.application_id FROM evidence e
         JOIN applications a ON a.account_id = e.account_id AND a.id = e.application_id
         WHERE e.account_id = m.account_id AND e.decision_id = m.decision_id AND a.dismissed_at IS NULL
           AND NOT EXISTS (SELECT FROM evidence v WHERE v.account_id = e.account_id
                           AND v.decision_id = e.decision_id AND v.rank = e.rank AND v.direction = 'veto')
         ORDER BY e.rank LIMIT 1) c ON true
       WHERE m.outcome = 'asks' AND d.pattern = %(pattern)s
       ORDER BY m.rank DESC, m.queued_at DESC, m.message_id DESC""",
)


async def patterns(unit: Unit) -> list[PatternLine]:
    """Every pattern that waits, the one with most messages first."""
    rows = await unit.all(PATTERNS)
    rates = await confirm_rates(unit, [row.pattern for row in rows])
    return [
        PatternLine(
            pattern=row.pattern,
            why=why_it_asks(row.pattern),
            count=row.count,
            confirm_rate=rates[row.pattern].rate if row.pattern in rates else None,
            answered=rates[row.pattern].answered if row.pattern in rates else 0,
        )
        for row in rows
    ]


async def bulk(unit: Unit, pattern: str) -> Bulk:
    """All that wait with this pattern. `Missing` when nothing does."""
    found = await alike(unit, pattern)
    if not found:
        raise Missing
    return await shown(unit, pattern, found)


async def alike(unit: Unit, pattern: str) -> list[Alike]:
    return await unit.all(ALIKE, pattern=pattern)


async def shown(unit: Unit, pattern: str, found: list[Alike]) -> Bulk:
    some = [each.message_id for each in sampled(found)]
    items = await message_items(unit, some) if some else {}
    rate = (await confirm_rates(unit, [pattern])).get(pattern)
    return Bulk(
        pattern=pattern,
        version=mark(pattern, found),
        why=why_it_asks(pattern),
        count=len(found),
        confirm_rate=rate.rate if rate else None,
        answered=rate.answered if rate else 0,
        sample=[items[message_id] for message_id in some if message_id in items],
        options=options(found),
    )
