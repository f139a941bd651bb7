"""Leases on mailboxes, in the database's clock. The one writer of `gmail_turns`; all in the fleet's scope.

Whoever takes a turn raises its generation, and every commit of a sync first renews the lease under that
generation. The renewal locks the row until the commit: nobody takes the turn over in between, and what lost
its turn writes nothing more.
"""

from uuid import UUID

import msgspec

from mailsync.gmail.types import Who
from schema.db import Unit
from schema.ids import AccountId, MailboxId
from schema.query import Query, Statement


class TurnLost(Exception):
    """Somebody else has this mailbox now, or a person took it away; nothing more may be written."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The right to sync one mailbox for a while."""

    account_id: AccountId
    mailbox_id: MailboxId
    holder: UUID
    generation: int

    @property
    def who(self) -> Who:
        return Who(account_id=self.account_id, mailbox_id=self.mailbox_id)


class _Taken(msgspec.Struct, frozen=True, kw_only=True):
    account_id: AccountId
    mailbox_id: MailboxId
    generation: int


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """`name` None: nobody syncs it at the moment. Seconds by the database's clock."""

    name: str | None
    held_seconds: float | None
    due_seconds: float | None


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


class _Exists(msgspec.Struct, frozen=True, kw_only=True):
    exists: bool


OPEN = Statement(
    "gmail_turns.open",
    """INSERT INTO gmail_turns (account_id, mailbox_id) VALUES (%(account_id)s, %(mailbox_id)s)
       ON CONFLICT (account_id, mailbox_id) DO UPDATE SET due_at = clock_timestamp()""",
)
CLOSE = Statement(
    "gmail_turns.close",
    """UPDATE gmail_turns SET due_at = 'infinity', generation = generation + 1, holder = NULL,
         holder_name = NULL, held_since = NULL, lease_until = NULL
       WHERE account_id = %(account_id)s AND mailbox_id = %(mailbox_id)s""",
)
TAKE = Query(
    "gmail_turns.take",
    _Taken,
    """UPDATE gmail_turns t SET holder = %(holder)s, holder_name = %(name)s, held_since = clock_timestamp(),
         lease_until = clock_timestamp() + make_interval(secs => %(lease)s::float8),
         generation = generation + 1
       FROM (SELECT account_id, mailbox_id FROM gmail_turns
             WHERE due_at <= clock_timestamp() AND (holder IS NULL OR lease_until < clock_timestamp())
             ORDER BY due_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED) AS due
       WHERE t.account_id = due.account_id AND t.mailbox_id = due.mailbox_id
       RETURNING t.account_id, t.mailbox_id, t.generation""",
)
TAKE_ONE = Query(
    "gmail_turns.take_one",
    _Taken,
    """UPDATE gmail_turns SET holder = %(holder)s, holder_name = %(name)s, held_since = clock_timestamp(),
         lease_until = clock_timestamp() + make_interval(secs => %(lease)s::float8),
         generation = generation + 1
       WHERE account_id = %(account_id)s AND mailbox_id = %(mailbox_id)s AND due_at < 'infinity'
         AND (holder IS NULL OR lease_until < clock_timestamp())
       RETURNING account_id, mailbox_id, generation""",
)
RENEW = Statement(
    "gmail_turns.renew",
    """UPDATE gmail_turns SET lease_until = clock_timestamp() + make_interval(secs => %(lease)s::float8)
       WHERE account_id = %(account_id)s AND mailbox_id = %(mailbox_id)s AND holder = %(holder)s
         AND generation = %(generation)s AND lease_until > clock_timestamp()""",
)
RELEASE = Statement(
    "gmail_turns.release",
    """UPDATE gmail_turns SET holder = NULL, holder_name = NULL, held_since = NULL, lease_until = NULL,
         due_at = CASE WHEN due_at = 'infinity' THEN due_at
                       ELSE clock_timestamp() + make_interval(secs => %(seconds)s::float8) END
       WHERE account_id = %(account_id)s AND mailbox_id = %(mailbox_id)s AND holder = %(holder)s
         AND generation = %(generation)s""",
)
HOLDER = Query(
    "gmail_turns.holder",
    Holder,
    """SELECT CASE WHEN lease_until > clock_timestamp() THEN holder_name END AS name,
         CASE WHEN lease_until > clock_timestamp()
              THEN extract(epoch FROM clock_timestamp() - held_since)::float8 END AS held_seconds,
         CASE WHEN due_at < 'infinity'
              THEN greatest(extract(epoch FROM due_at - clock_timestamp())::float8, 0) END AS due_seconds
       FROM gmail_turns WHERE account_id = %(account_id)s AND mailbox_id = %(mailbox_id)s""",
)
OPEN_TURNS = Query(
    "gmail_turns.count_open", _Count, "SELECT count(*) AS count FROM gmail_turns WHERE due_at < 'infinity'"
)
ANY_DUE = Query(
    "gmail_turns.any_due",
    _Exists,
    """SELECT EXISTS (SELECT FROM gmail_turns WHERE due_at <= clock_timestamp()
         AND (holder IS NULL OR lease_until < clock_timestamp())) AS exists""",
)


async def open_turn(unit: Unit, who: Who) -> None:
    """There is something to sync, at once."""
    await unit.run(OPEN, account_id=who.account_id, mailbox_id=who.mailbox_id)


async def close_turn(unit: Unit, who: Who) -> None:
    """Nothing more is synced, and who is at it right now commits nothing more."""
    await unit.run(CLOSE, account_id=who.account_id, mailbox_id=who.mailbox_id)


async def take_turns(unit: Unit, holder: UUID, name: str, *, lease: float, limit: int) -> list[Turn]:
    """Up to `limit` mailboxes that are due and that nobody holds, longest due first."""
    rows = await unit.all(TAKE, holder=holder, name=name, lease=lease, limit=limit)
    return [_turn(row, holder) for row in rows]


async def take_turn(unit: Unit, who: Who, holder: UUID, name: str, *, lease: float) -> Turn | None:
    """This mailbox, due or not; None when somebody holds it or it is closed."""
    row = await unit.maybe(
        TAKE_ONE,
        account_id=who.account_id,
        mailbox_id=who.mailbox_id,
        holder=holder,
        name=name,
        lease=lease,
    )
    return None if row is None else _turn(row, holder)


async def hold(unit: Unit, turn: Turn, *, lease: float) -> None:
    """Renew the lease and keep the row until the unit ends. Raises `TurnLost`."""
    if await unit.run(RENEW, lease=lease, **_words(turn)) != 1:
        raise TurnLost


async def release(unit: Unit, turn: Turn, *, seconds: float) -> None:
    """Give it back; it is due again after `seconds`. One that was taken over or closed stays as it is."""
    await unit.run(RELEASE, seconds=seconds, **_words(turn))


async def holder_of(unit: Unit, who: Who) -> Holder | None:
    return await unit.maybe(HOLDER, account_id=who.account_id, mailbox_id=who.mailbox_id)


async def open_turns(unit: Unit) -> int:
    """How many mailboxes are being kept in step on this installation."""
    return (await unit.one(OPEN_TURNS)).count


async def any_due(unit: Unit) -> bool:
    """Whether a mailbox waits for somebody who has room for it."""
    return (await unit.one(ANY_DUE)).exists


def _turn(row: _Taken, holder: UUID) -> Turn:
    return Turn(
        account_id=row.account_id, mailbox_id=row.mailbox_id, holder=holder, generation=row.generation
    )


def _words(turn: Turn) -> dict[str, object]:
    return msgspec.structs.asdict(turn)
