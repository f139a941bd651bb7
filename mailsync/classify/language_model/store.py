"""What stage 4 asks the database: whether it may read, what is still open, and the owner's switch.

Readings are appended by `classify/store.py` and paid requests by `pipeline/usage`; this file writes only the
owner's permission.
"""

from datetime import datetime

import msgspec

from mailsync.classify.language_model.types import Letter
from schema.db import Unit
from schema.ids import MessageId
from schema.query import Query, Statement


class Permission(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a model may read this account's mail, and since when."""

    allowed: bool
    at: datetime


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    id: MessageId


PERMISSION = Query(
    "language_model.permission",
    Permission,
    "SELECT allowed, at FROM model_permissions ORDER BY id DESC LIMIT 1",
)
SET_PERMISSION = Statement(
    "language_model.set_permission",
    "INSERT INTO model_permissions (allowed, at) VALUES (%(allowed)s, %(now)s)",
)
LETTER = Query(
    "language_model.letter",
    Letter,
    """SELECT id, sender_name, sender_address, subject, left(coalesce(body, ''), 20000) AS body
       FROM messages WHERE id = %(message_id)s AND kept = 'whole' AND NOT from_owner""",
)
HOLD = Query(
    "language_model.hold",
    _Id,
    "SELECT id FROM messages WHERE id = %(message_id)s FOR UPDATE",
)
OPEN = Query(
    "language_model.open",
    _Id,
    """SELECT g.id FROM messages g CROSS JOIN LATERAL (
         SELECT r.state FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
       WHERE g.kept = 'whole' AND NOT g.from_owner AND c.state = 'open'
       ORDER BY g.sent_at DESC NULLS LAST, g.id DESC LIMIT %(limit)s""",
)


async def may_read(unit: Unit) -> bool:
    """Whether the owner lets a model read. Nobody asked means no."""
    permission = await unit.maybe(PERMISSION)
    return permission is not None and permission.allowed


async def set_permission(unit: Unit, *, allowed: bool, now: datetime) -> None:
    await unit.run(SET_PERMISSION, allowed=allowed, now=now)


async def letter(unit: Unit, message_id: MessageId) -> Letter | None:
    """None for a message that is gone, whose body is not kept, or that the owner wrote."""
    return await unit.maybe(LETTER, message_id=message_id)


async def hold(unit: Unit, message_id: MessageId) -> bool:
    """Keep others from deciding about the message until the unit ends; False when it is gone."""
    return await unit.maybe(HOLD, message_id=message_id) is not None


async def open_messages(unit: Unit, *, limit: int) -> list[MessageId]:
    """Those no stage could tell, newest first."""
    return [row.id for row in await unit.all(OPEN, limit=limit)]
