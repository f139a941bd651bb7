"""The SQL of automatic statuses: which stages the person opted in, and which applications they move now."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import ActId, ApplicationId, MessageId
from schema.query import Query, Statement
from schema.vocabulary import Stage


class OptedIn(msgspec.Struct, frozen=True, kw_only=True):
    """A stage that follows the mail by itself, for messages that came in since then."""

    stage: Stage
    since: datetime


class Proposed(msgspec.Struct, frozen=True, kw_only=True):
    """A status the person set, and the newer message that says otherwise."""

    application_id: ApplicationId
    status: Stage | None
    status_at: datetime | None
    stage: Stage
    message_id: MessageId
    sent_at: datetime


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """A status that followed by itself and stands. `replaced` is what the person had set, as JSON."""

    act_id: ActId
    application_id: ApplicationId
    message_id: MessageId | None
    stage: Stage | None
    at: datetime
    replaced: bytes | None


OPTED_IN = Query("automatic.opted_in", OptedIn, "SELECT stage, since FROM automatic_statuses ORDER BY stage")
OPT_OUT = Statement(
    "automatic.opt_out", "DELETE FROM automatic_statuses WHERE stage <> ALL (%(stages)s::text[])"
)
OPT_IN = Statement(
    "automatic.opt_in",
    """INSERT INTO automatic_statuses (stage, since)
       SELECT s.stage, %(now)s FROM unnest(%(stages)s::text[]) s (stage)
       ON CONFLICT (account_id, stage) DO NOTHING""",
)
PROPOSED = Query(
    "automatic.proposed",
    Proposed,
    """SELECT s.application_id, a.status, a.status_at, c.stage, g.id AS message_id,
         coalesce(s.proposal_at, 'epoch') AS sent_at
       FROM standings s
       JOIN automatic_statuses c ON c.stage = s.proposal
       JOIN applications a ON a.id = s.application_id
       JOIN messages g ON g.id = s.proposal_message_id
       WHERE s.proposal IS NOT NULL AND NOT s.dismissed AND a.merged_into_id IS NULL
         AND g.first_seen_at >= c.since
       ORDER BY s.proposal_at, s.application_id""",
)
LOST = Query(
    "automatic.lost",
    Followed,
    """SELECT t.id AS act_id, a.id AS application_id, t.message_id, a.status AS stage, t.created_at AS at,
         t.replaced
       FROM acts t
       JOIN applications a ON a.id = t.application_id AND a.status = t.stage
       JOIN messages g ON g.id = t.message_id AND g.sent_at = a.status_at
       WHERE t.about = 'status' AND t.actor = 'machine' AND t.undone_at IS NULL
         AND NOT EXISTS (SELECT FROM application_records o
           JOIN attachments l ON l.application_id = o.record_id
           WHERE o.application_id = a.id AND l.message_id = t.message_id)
       ORDER BY t.id DESC""",
)
FOLLOWED = Query(
    "automatic.followed",
    Followed,
    """SELECT t.id AS act_id, a.id AS application_id, t.message_id, a.status AS stage, t.created_at AS at,
         t.replaced
       FROM acts t
       JOIN applications a ON a.id = t.application_id AND a.status = t.stage
       JOIN messages g ON g.id = t.message_id AND g.sent_at = a.status_at
       WHERE t.application_id = %(application_id)s AND t.about = 'status' AND t.actor = 'machine'
         AND t.undone_at IS NULL
       ORDER BY t.id DESC LIMIT 1""",
)


async def opted_in(unit: Unit) -> list[OptedIn]:
    return await unit.all(OPTED_IN)


async def opt_in(unit: Unit, stages: Sequence[Stage], *, now: datetime) -> None:
    """Exactly these stages from now on; one that was chosen before keeps its beginning."""
    await unit.run(OPT_OUT, stages=list(stages))
    await unit.run(OPT_IN, stages=list(stages), now=now)


async def proposed(unit: Unit) -> list[Proposed]:
    """Every proposal that may be followed without asking, the oldest first."""
    return await unit.all(PROPOSED)


async def lost(unit: Unit) -> list[Followed]:
    """Statuses in force that followed a message which is no longer attached there, the latest first."""
    return await unit.all(LOST)


async def followed(unit: Unit, application_id: ApplicationId) -> Followed | None:
    """By which act the status of this application came about; None when the person set it."""
    return await unit.maybe(FOLLOWED, application_id=application_id)
