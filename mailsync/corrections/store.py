"""Corrections of many messages: looked up, applied and taken back, each in the caller's one transaction.

The one writer of `corrections`; the readings they append are written by `classify/store.py`. A message that
comes later is never changed by them, only offered.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mailsync.classify.store import correct_each, hold_messages, undo_each
from mailsync.corrections.rules import like, pattern_of
from mailsync.corrections.types import Candidate, Correction, Like
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import CorrectionId, MessageId
from schema.query import Query, Statement
from schema.vocabulary import EventKind

MOST = 5_000
"""Messages of one domain that are looked at, the latest stored first."""


class OthersLikeIt(Refusal):
    """Other messages are like this one than those you looked at."""

    code = "others_like_it"
    kind = "conflict"


class NothingLikeIt(Refusal):
    """This message has no sender or no words, so nothing can be like it."""

    code = "nothing_like_it"
    kind = "conflict"


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    id: CorrectionId


_CANDIDATE = """SELECT g.id AS message_id, g.sent_at, g.sender_address, g.subject,
         coalesce(left(g.body, 1000), '') AS beginning, coalesce(e.rule, '') AS rule, e.span_text AS sentence,
         ARRAY(SELECT DISTINCT f.value FROM facts f WHERE f.account_id = g.account_id AND f.message_id = g.id
               AND f.reading_id = d.id AND f.name IN ('employer', 'role', 'requisition', 'contact', 'place')
               ORDER BY f.value) AS names,
         coalesce(c.stage = 'person', false) AS by_person,
         ARRAY(SELECT k.kind FROM events k WHERE k.account_id = g.account_id AND k.message_id = g.id
               AND k.reading_id = c.id ORDER BY k.id) AS kinds
       FROM messages g
       LEFT JOIN LATERAL (SELECT r.id FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.stage <> 'person'
         ORDER BY r.id DESC LIMIT 1) d ON true
       LEFT JOIN LATERAL (SELECT v.rule, v.span_text FROM events v
         WHERE v.account_id = g.account_id AND v.message_id = g.id AND v.reading_id = d.id
         ORDER BY v.id LIMIT 1) e ON true
       LEFT JOIN LATERAL (
         SELECT r.id, r.stage FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c ON true """
_THE_ONE = "WHERE g.id = %(message_id)s AND g.kept <> 'identity'"
_OF_DOMAIN = """WHERE substring(g.sender_address FROM '[^@]*$') = %(domain)s AND g.kept <> 'identity'
         AND NOT g.from_owner
       ORDER BY g.id DESC LIMIT %(most)s"""
CANDIDATE = Query("corrections.candidate", Candidate, _CANDIDATE + _THE_ONE)
OF_DOMAIN = Query("corrections.of_domain", Candidate, _CANDIDATE + _OF_DOMAIN)
_CORRECTION = """SELECT c.id, c.message_id, c.domain, c.rule, c.shape, c.kinds, c.created_at, c.undone_at,
         (SELECT count(*)::int FROM readings r WHERE r.account_id = c.account_id AND r.correction_id = c.id
          AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                          AND u.message_id = r.message_id AND u.undoes_id = r.id)) AS messages
       FROM corrections c """
_BY_ID = "WHERE c.id = %(correction_id)s"
_IN_FORCE = """WHERE c.domain = %(domain)s AND c.undone_at IS NULL
       ORDER BY c.id DESC LIMIT 100"""
_OF_MESSAGE = """JOIN readings o ON o.account_id = c.account_id AND o.correction_id = c.id
       WHERE o.message_id = %(message_id)s AND o.id = (
         SELECT r.id FROM readings r
         WHERE r.account_id = o.account_id AND r.message_id = o.message_id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1)"""
BY_ID = Query("corrections.by_id", Correction, _CORRECTION + _BY_ID)
IN_FORCE = Query("corrections.in_force", Correction, _CORRECTION + _IN_FORCE)
OF_MESSAGE = Query("corrections.of_message", Correction, _CORRECTION + _OF_MESSAGE)
RECORD = Query(
    "corrections.record",
    _Id,
    """INSERT INTO corrections (message_id, actor_id, domain, rule, shape, kinds, created_at)
       VALUES (%(message_id)s, %(actor_id)s, %(domain)s, %(rule)s, %(shape)s, %(kinds)s, %(now)s)
       RETURNING id""",
)
TAKE_BACK = Statement(
    "corrections.take_back",
    "UPDATE corrections SET undone_at = %(now)s WHERE id = %(correction_id)s AND undone_at IS NULL",
)


async def like_it(unit: Unit, message_id: MessageId) -> Like:
    """The messages like this one. Raises `Missing`, or `NothingLikeIt`."""
    message = await unit.one(CANDIDATE, message_id=message_id)
    domain = message.sender_address.rpartition("@")[2]
    of_domain = await unit.all(OF_DOMAIN, domain=domain, most=MOST) if domain else []
    found = like(message, of_domain, most=MOST)
    if found is None:
        raise NothingLikeIt
    return found


async def correct_like(
    unit: Unit, message_id: MessageId, kinds: Sequence[EventKind], *, seen: str, now: datetime
) -> Correction:
    """Say `kinds` of the message and of all like it. `seen` is the mark of what was looked at.

    Raises `OthersLikeIt` when that is no longer what would be changed.
    """
    await hold_messages(unit, [each.message_id for each in (await like_it(unit, message_id)).messages])
    found = await like_it(unit, message_id)
    if found.mark != seen:
        raise OthersLikeIt
    said = list(dict.fromkeys(kinds))
    recorded = await unit.one(
        RECORD,
        message_id=message_id,
        actor_id=unit.owner,
        domain=found.pattern.domain,
        rule=found.pattern.rule,
        shape=found.pattern.shape,
        kinds=said,
        now=now,
    )
    await correct_each(unit, [each.message_id for each in found.messages], said, recorded.id, now=now)
    return await correction(unit, recorded.id)


async def correction(unit: Unit, correction_id: CorrectionId) -> Correction:
    """Another account's is `Missing`."""
    return await unit.one(BY_ID, correction_id=correction_id)


async def correction_of(unit: Unit, message_id: MessageId) -> Correction | None:
    """The correction by which the message says what it says now, if it is one of many messages."""
    return await unit.maybe(OF_MESSAGE, message_id=message_id)


async def offered(unit: Unit, message_id: MessageId) -> Correction | None:
    """What the person said of messages like this one, of which they have said nothing yet; the latest."""
    message = await unit.maybe(CANDIDATE, message_id=message_id)
    if message is None or message.by_person:
        return None
    known = await unit.all(IN_FORCE, domain=message.sender_address.rpartition("@")[2])
    pattern = pattern_of(message) if known else None
    return next((each for each in known if each.pattern == pattern), None)


async def accept(unit: Unit, message_id: MessageId, correction_id: CorrectionId, *, now: datetime) -> bool:
    """Let the correction count for one more message, one it is offered for; taken back with it.

    False when it is offered no longer.
    """
    await hold_messages(unit, [message_id])
    offer = await offered(unit, message_id)
    if offer is None or offer.id != correction_id:
        return False
    await correct_each(unit, [message_id], offer.kinds, correction_id, now=now)
    return True


async def undo_correction(unit: Unit, correction_id: CorrectionId, *, now: datetime) -> int:
    """Take it back for all its messages; of how many. What was said of one of them since stands."""
    await correction(unit, correction_id)
    if not await unit.run(TAKE_BACK, correction_id=correction_id, now=now):
        return 0
    return await undo_each(unit, correction_id, now=now)
