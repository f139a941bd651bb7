"""One pass at a time over the mail of an account: a lease in the database's clock.

The one writer of `mail_passes`. Every commit of a pass renews its lease first, which locks the row until the
commit: a pass that was taken for dead writes nothing more. One that was killed holds others up no longer than
its lease.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from schema.db import Unit
from schema.errors import HeldElsewhere
from schema.query import Query, Statement
from schema.text import clean, shorten

LEASE_SECONDS = 60.0
_MOST_NAME_CHARACTERS = 200


class _Taken(msgspec.Struct, frozen=True, kw_only=True):
    holder: UUID


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    since: datetime
    until: datetime


TAKE = Query(
    "passes.take_turn",
    _Taken,
    """INSERT INTO mail_passes (holder, holder_name, held_since, lease_until)
       VALUES (%(holder)s, %(name)s, clock_timestamp(),
               clock_timestamp() + make_interval(secs => %(seconds)s::float8))
       ON CONFLICT (account_id) DO UPDATE SET holder = excluded.holder, holder_name = excluded.holder_name,
         held_since = excluded.held_since, lease_until = excluded.lease_until
         WHERE mail_passes.lease_until < clock_timestamp()
       RETURNING holder""",
)
HOLDER = Query(
    "passes.holder",
    Holder,
    "SELECT holder_name AS name, held_since AS since, lease_until AS until FROM mail_passes",
)
RENEW = Statement(
    "passes.renew_turn",
    """UPDATE mail_passes SET lease_until = clock_timestamp() + make_interval(secs => %(seconds)s::float8)
       WHERE holder = %(holder)s""",
)
RELEASE = Statement("passes.release_turn", "DELETE FROM mail_passes WHERE holder = %(holder)s")


async def take(unit: Unit, holder: UUID, name: str) -> None:
    """Raises `HeldElsewhere`, saying who has it and since when."""
    told = shorten(clean(name), _MOST_NAME_CHARACTERS)
    if await unit.maybe(TAKE, holder=holder, name=told, seconds=LEASE_SECONDS) is not None:
        return
    other = await holder_of(unit)
    who = "another pass" if other is None else f"{other.name} (since {other.since:%Y-%m-%d %H:%M:%S} UTC)"
    until = "" if other is None else f"; killed, it holds others up until {other.until:%H:%M:%S} UTC"
    raise HeldElsewhere(f"the stored mail is being read by {who}{until}. Try again later.")


async def hold(unit: Unit, holder: UUID) -> None:
    """Renew the lease, and keep the turn until the unit ends. Raises `HeldElsewhere` when it was lost."""
    if await unit.run(RENEW, holder=holder, seconds=LEASE_SECONDS) != 1:
        raise HeldElsewhere("another pass took over, for this one gave no sign of life; nothing is lost.")


async def release(unit: Unit, holder: UUID) -> None:
    await unit.run(RELEASE, holder=holder)


async def holder_of(unit: Unit) -> Holder | None:
    """None when nobody reads."""
    return await unit.maybe(HOLDER)
