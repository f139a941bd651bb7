"""A person's calendar as a file, for whoever brings its secret; and making that secret.

The secret is the only key: no cookie is looked at, an unknown and a revoked one answer alike, and every try
is counted before it is judged.
"""

from datetime import datetime, timedelta

from backend.accounts.rules import new_token, token_hash
from backend.accounts.store import account
from backend.calendar import store
from backend.calendar.rules import entries
from backend.calendar.writing import written
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Missing
from schema.throttle import Rate, spend

READS_OF_PEER = Rate(name="calendar.peer", burst=60, seconds_each=5)
KEPT = timedelta(days=365)
"""How long ago an interview was settled that still stands in the calendar."""


async def calendar(database: Database, clock: Clock, secret: str, *, peer: str, address: str) -> bytes:
    """The calendar behind `secret`; raises `Missing` when it opens nothing, `TooManyAttempts` for a hurry."""
    async with database.as_presenter("") as unit:
        await spend(unit, READS_OF_PEER, peer)
    presented = token_hash(secret)
    async with database.as_presenter(presented) as unit:
        found = await store.presented_feed(unit, presented)
    if found is None:
        raise Missing
    async with database.as_account(found.account_id) as unit:
        whose = await account(unit)
        if whose.disabled_at is not None:
            raise Missing
        await store.note_read(unit, found.feed_id, now=clock.now())
        told = await store.told_meetings(unit, since=clock.now() - KEPT)
        shown = entries(
            await store.dues(unit), told, whose=f"{whose.id} {whose.created_at.isoformat()}", now=clock.now()
        )
    return written(shown, address)


async def new_secret(unit: Unit, *, now: datetime) -> str:
    """A fresh secret of the unit's account, which exists nowhere else; the old one opens nothing any more."""
    secret = new_token()
    await store.replace_feed(unit, token_hash(secret), now=now)
    return secret
