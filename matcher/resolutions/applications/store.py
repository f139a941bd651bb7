"""Applications as something to be answered about. Reads only."""

from collections.abc import Sequence

from matcher.resolutions.applications.rules import Holding, options, why
from matcher.resolutions.names import act_entry, application_item
from matcher.resolutions.shown.store import shown_applications
from matcher.resolutions.types import ApplicationItem
from matcher.resolutions.versions import version
from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query

HOLDINGS = Query(
    "resolutions.holdings",
    Holding,
    """SELECT a.id AS application_id,
         ARRAY(SELECT DISTINCT l.message_id FROM application_records o
               JOIN attachments l ON l.application_id = o.record_id
               WHERE o.application_id = a.id ORDER BY l.message_id) AS message_ids,
         ARRAY(SELECT m.id FROM applications m WHERE m.merged_into_id = a.id ORDER BY m.id) AS merged_ids,
         ARRAY(SELECT k.id FROM asks k WHERE k.application_id = a.id ORDER BY k.id) AS ask_ids,
         EXISTS (SELECT FROM applications b WHERE b.id <> a.id AND b.dismissed_at IS NULL
                 AND b.merged_into_id IS NULL) AS others,
         t.act_id, t.act_choice, t.act_other_id, t.other_merged_into_id
       FROM applications a
       LEFT JOIN LATERAL (
         SELECT c.id AS act_id, c.choice AS act_choice, c.other_application_id AS act_other_id,
           o.merged_into_id AS other_merged_into_id
         FROM acts c LEFT JOIN applications o
           ON o.account_id = c.account_id AND o.id = c.other_application_id
         WHERE c.account_id = a.account_id AND c.application_id = a.id
           AND c.choice IN ('merge', 'split') AND c.undone_at IS NULL
         ORDER BY c.id DESC LIMIT 1) t ON true
       WHERE a.id = ANY(%(application_ids)s::bigint[])""",
)


async def holdings(unit: Unit, application_ids: Sequence[ApplicationId]) -> dict[ApplicationId, Holding]:
    rows = await unit.all(HOLDINGS, application_ids=list(application_ids))
    return {row.application_id: row for row in rows}


async def application_items(
    unit: Unit, application_ids: Sequence[ApplicationId]
) -> dict[ApplicationId, ApplicationItem]:
    """These applications with what they hold, and what may be done about it."""
    held = await holdings(unit, application_ids)
    shown = await shown_applications(unit, held)
    return {
        key: ApplicationItem(
            id=application_item(key),
            version=version(
                shown[key].is_dismissed,
                shown[key].merged_into_id,
                tuple(row.message_ids),
                tuple(row.merged_ids),
                row.act_id,
            ),
            undoes=act_entry(row.act_id) if row.act_id is not None else None,
            rank=2,
            at=shown[key].recorded_at,
            waits=False,
            why=why(row, shown[key]),
            options=options(row, shown[key]),
            application=shown[key],
            message_ids=row.message_ids,
            merged_ids=row.merged_ids,
        )
        for key, row in held.items()
    }
