"""Proposed statuses as questions. Reads only, and many at once."""

from collections.abc import Sequence

from matcher.evidence.store import letters
from matcher.resolutions.names import act_entry, status_item
from matcher.resolutions.shown.store import excerpts, shown_applications
from matcher.resolutions.statuses.rules import Proposal, options, why
from matcher.resolutions.types import Excerpt, ShownApplication, StatusItem
from matcher.resolutions.versions import version
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.query import Query

PROPOSALS = Query(
    "resolutions.proposals",
    Proposal,
    """SELECT a.id AS application_id, a.status, a.status_at,
         coalesce(s.activity_at, a.created_at) AS activity_at, s.proposal, s.proposal_message_id,
         s.proposal_at, a.dismissed_at IS NOT NULL OR a.merged_into_id IS NOT NULL AS is_gone,
         t.act_id, t.choice, t.actor, t.stage, t.replaced, t.sent_at,
         (SELECT max(c.id) FROM acts c WHERE c.application_id = a.id AND c.about = 'status') AS said_id
       FROM applications a
       LEFT JOIN standings s ON s.account_id = a.account_id AND s.application_id = a.id
       LEFT JOIN LATERAL (
         SELECT c.id AS act_id, c.choice, c.actor, c.stage, c.replaced, g.sent_at
         FROM acts c LEFT JOIN messages g ON g.account_id = c.account_id AND g.id = c.message_id
         WHERE c.account_id = a.account_id AND c.application_id = a.id AND c.about = 'status'
           AND c.undone_at IS NULL
         ORDER BY c.id DESC LIMIT 1) t ON true
       WHERE a.id = ANY(%(application_ids)s::bigint[])""",
)


async def proposals(unit: Unit, application_ids: Sequence[ApplicationId]) -> dict[ApplicationId, Proposal]:
    rows = await unit.all(PROPOSALS, application_ids=list(application_ids))
    return {row.application_id: row for row in rows}


async def status_items(
    unit: Unit, application_ids: Sequence[ApplicationId]
) -> dict[ApplicationId, StatusItem]:
    """The statuses of these applications as questions, whether something is proposed now or not."""
    found = await proposals(unit, application_ids)
    said = {row.proposal_message_id for row in found.values() if row.waits and row.proposal_message_id}
    shown = await shown_applications(unit, found)
    excerpt = await excerpts(unit, await letters(unit, sorted(said))) if said else {}
    return {key: _item(row, shown[key], excerpt) for key, row in found.items() if key in shown}


def _item(row: Proposal, application: ShownApplication, shown: dict[MessageId, Excerpt]) -> StatusItem:
    return StatusItem(
        id=status_item(row.application_id),
        version=version(
            row.status,
            row.status_at,
            row.proposal,
            row.proposal_message_id,
            row.is_gone,
            row.act_id,
            row.said_id,
        ),
        undoes=act_entry(row.act_id) if row.act_id is not None else None,
        rank=3,
        at=row.proposal_at or row.activity_at,
        waits=row.waits,
        why=why(row),
        options=options(row),
        application=application,
        proposal=row.proposal if row.waits else None,
        excerpt=shown.get(row.proposal_message_id) if row.proposal_message_id else None,
    )
