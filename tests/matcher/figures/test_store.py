"""Figures from rows, held against a plain count of the same rows in Python."""

import random
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from fixtures.samples import Samples

from matcher.figures.store import figures
from schema.db import Database
from schema.ids import AccountId

NOW = datetime(2026, 3, 4, 23, 30, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


async def test_weeks_and_steps_are_those_of_a_plain_count(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples
):
    chance = random.Random(7)
    kept: list[tuple[datetime | date | None, datetime | None]] = []
    for number in range(80):
        at = NOW - timedelta(minutes=chance.randint(0, 60 * 24 * 220))
        applied = chance.choice([at, at.date(), None])
        answered = at + timedelta(hours=chance.randint(1, 24 * 120)) if chance.random() < 0.6 else None
        mine = samples if number % 9 else samples.of(other_account)
        made = mine.application(f"C{number}", None, applied=applied)
        samples.rows(
            "UPDATE standings SET answered_at = %s, dismissed = %s WHERE application_id = %s",
            answered,
            number % 7 == 0,
            made,
        )
        if number % 9 and number % 7:
            kept.append((applied, answered))
    async with database.as_account(account) as unit:
        found = await figures(unit, now=NOW, zone=BERLIN)
    for week in found.weeks:
        days = {week.start + timedelta(days=more) for more in range(7)}
        assert week.sent == sum(day_of(applied) in days for applied, _ in kept)
        assert week.answered == sum(day_of(answered) in days for _, answered in kept)
    took = [
        int(max((answered - begun).total_seconds() / 86400, 0))
        for applied, answered in kept
        if answered and (begun := begun_of(applied))
    ]
    for step in found.steps:
        assert step.count == sum(step.first <= days <= (step.last or 10_000) for days in took)
    totals = found.totals
    assert (totals.applications, totals.open) == (len(kept), len(kept))
    assert totals.dated == sum(applied is not None for applied, _ in kept)
    assert (totals.answered, totals.timed) == (sum(a is not None for _, a in kept), len(took))
    assert sum(week.sent for week in found.weeks) > 20
    assert sum(step.count for step in found.steps) == len(took) > 20


def day_of(when: datetime | date | None) -> date | None:
    """The day it was in Berlin; a plain day stays what it is."""
    return when.astimezone(BERLIN).date() if isinstance(when, datetime) else when


def begun_of(when: datetime | date | None) -> datetime | None:
    if when is None or isinstance(when, datetime):
        return when
    return datetime(when.year, when.month, when.day, tzinfo=UTC)


async def test_nothing_is_nothing(database: Database, account: AccountId):
    async with database.as_account(account) as unit:
        found = await figures(unit, now=NOW, zone=UTC)
    assert (found.totals.applications, sum(week.sent for week in found.weeks)) == (0, 0)
