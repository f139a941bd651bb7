"""What the messages and the posting of an application name, to tell where its facts are from. Reads only."""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import ActId, ApplicationId, MessageId, PostingId
from schema.query import Query
from schema.vocabulary import FactName, ReadingStage

MENTIONS_MAX = 300


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that a message attached to the application names, by the reading in force."""

    name: FactName
    value: str
    message_id: MessageId
    sent_at: datetime | None
    reader: ReadingStage


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """The posting in the catalog, as far as an application repeats it."""

    posting_id: PostingId
    title: str
    company: str | None
    requisition_id: str | None
    canonical_url: str
    locations: list[str]


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """The act by which one record came to be part of the application."""

    record_id: ApplicationId
    act_id: ActId
    at: datetime


MERGES = Query(
    "application.merges",
    Merge,
    """SELECT coalesce(t.other_application_id, 0) AS record_id, t.id AS act_id, t.created_at AS at
       FROM acts t
       JOIN applications m ON m.account_id = t.account_id AND m.id = t.other_application_id
         AND m.merged_into_id = t.application_id
       WHERE t.application_id = %(application_id)s AND t.choice = 'merge' AND t.undone_at IS NULL
       ORDER BY t.id""",
)
MENTIONS = Query(
    "application.mentions",
    Mention,
    """SELECT DISTINCT f.name, f.value, f.message_id, g.sent_at, c.stage AS reader
       FROM application_records o
       JOIN attachments t ON t.application_id = o.record_id
       JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
       CROSS JOIN LATERAL (
         SELECT r.id, r.stage FROM readings r
         WHERE r.account_id = t.account_id AND r.message_id = t.message_id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
       JOIN facts f ON f.account_id = t.account_id AND f.message_id = t.message_id AND f.reading_id = c.id
       WHERE o.application_id = %(application_id)s
         AND f.name IN ('employer', 'role', 'requisition', 'posting_url', 'place')
       ORDER BY g.sent_at NULLS LAST, f.message_id, f.name, f.value LIMIT %(limit)s""",
)
POSTING = Query(
    "application.posting",
    Posting,
    """SELECT id AS posting_id, title, company, requisition_id, canonical_url, locations
       FROM postings WHERE id = %(posting_id)s""",
)


async def mentions(unit: Unit, application_id: ApplicationId) -> list[Mention]:
    """What its messages name, the earliest first."""
    return await unit.all(MENTIONS, application_id=application_id, limit=MENTIONS_MAX)


async def posting(unit: Unit, posting_id: PostingId | None) -> Posting | None:
    return await unit.maybe(POSTING, posting_id=posting_id) if posting_id is not None else None


async def merges(unit: Unit, application_id: ApplicationId) -> dict[ApplicationId, Merge]:
    """By which act each record came; one that came along with another record has none of its own."""
    return {row.record_id: row for row in await unit.all(MERGES, application_id=application_id)}
