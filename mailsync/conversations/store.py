"""Which kept messages have something in common with new ones: one question for a batch. Reads only.

By index on every way: Message-ID, provider thread, the UID of an invitation, the sender's address. Of each
common thing only the newest are looked at.
"""

from collections.abc import Sequence

from mailsync.conversations.types import Bond, Lender
from schema.db import Unit
from schema.query import Query

MOST_OF_ONE = 20

LENDERS = Query(
    "conversations.lenders",
    Lender,
    """WITH asked AS (
         SELECT way, key FROM unnest(%(ways)s::text[], %(keys)s::text[]) AS a (way, key)),
       common AS (
         SELECT a.way, a.key, m.id FROM asked a CROSS JOIN LATERAL (
           SELECT g.id FROM messages g WHERE a.way = 'answers' AND g.rfc_message_id = a.key
             AND g.kept = 'whole' ORDER BY g.id DESC LIMIT %(most)s) m
         UNION ALL
         SELECT a.way, a.key, m.id FROM asked a CROSS JOIN LATERAL (
           SELECT g.id FROM messages g WHERE a.way = 'thread' AND g.provider_thread = a.key
             AND g.kept = 'whole' ORDER BY g.id DESC LIMIT %(most)s) m
         UNION ALL
         SELECT a.way, a.key, m.id FROM asked a CROSS JOIN LATERAL (
           SELECT DISTINCT f.message_id AS id FROM facts f WHERE a.way = 'calendar' AND f.name = 'meeting'
             AND f.comparable = a.key ORDER BY id DESC LIMIT %(most)s) m
         UNION ALL
         SELECT a.way, a.key, m.id FROM asked a CROSS JOIN LATERAL (
           SELECT g.id FROM messages g WHERE a.way = 'writer' AND g.sender_address = a.key
             AND g.kept = 'whole' ORDER BY g.id DESC LIMIT %(most)s) m),
       each AS (
         SELECT way, key, id, true AS is_root FROM common
         UNION ALL
         SELECT c.way, c.key, g.continues_id, false FROM common c
         JOIN messages g ON g.id = c.id
         WHERE c.way <> 'writer' AND g.continues_id IS NOT NULL)
       SELECT e.way, e.key, g.id AS message_id, e.is_root, g.kept_because IS NOT NULL AS is_continuing,
         coalesce((g.parsed #>> '{bulk,list_unsubscribe}')::boolean, false)
           OR coalesce((g.parsed #>> '{bulk,auto_submitted}')::boolean, false)
           OR coalesce(g.parsed #>> '{bulk,list_id}', '') <> ''
           OR coalesce(g.parsed #>> '{bulk,precedence}', '') <> '' AS is_bulk,
         coalesce((g.parsed->>'is_forward')::boolean, false) AS is_forward,
         EXISTS (SELECT FROM matches m WHERE m.account_id = g.account_id AND m.message_id = g.id
                 AND m.outcome = 'attached') AS is_attached,
         EXISTS (SELECT FROM facts f WHERE f.account_id = g.account_id AND f.message_id = g.id
                 AND f.name IN ('role', 'requisition', 'posting_url', 'board')) AS names_a_job,
         coalesce(c.state = 'decided', false) AS is_decided,
         ARRAY(SELECT v.kind FROM events v WHERE v.account_id = g.account_id AND v.message_id = g.id
               AND v.reading_id = c.id ORDER BY v.id) AS kinds,
         g.from_owner, g.sender_address, g.sent_at
       FROM each e JOIN messages g ON g.id = e.id AND g.kept = 'whole'
       LEFT JOIN LATERAL (
         SELECT r.id, r.state FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c ON true
       ORDER BY e.is_root DESC, g.sent_at DESC NULLS LAST, g.id DESC""",
)


async def lenders(unit: Unit, bonds: Sequence[Bond]) -> list[Lender]:
    """Everything kept that one of the bonds could continue, whether or not it lends."""
    ties = list(dict.fromkeys(tie for bond in bonds for tie in bond.ties()))
    if not ties:
        return []
    ways, keys = [tie.way for tie in ties], [tie.key for tie in ties]
    return await unit.all(LENDERS, ways=ways, keys=keys, most=MOST_OF_ONE)
