"""The history: single decisions about messages and acts in one list, the latest first. Reads only.

What belongs to an act is told by the act. Each log is read from an index that holds it in this order, and no
further than a page needs.
"""

from datetime import UTC, datetime

from matcher.resolutions.history.rules import entry_of_act, entry_of_decision
from matcher.resolutions.history.types import ActRow, DecisionRow, Told
from matcher.resolutions.names import act_entry, act_of, decision_entry, decision_of
from matcher.resolutions.types import EntryId, HistoryEntry, HistoryPage, HistoryPlace
from schema.db import Unit
from schema.errors import Missing
from schema.ids import ActId, DecisionId
from schema.query import Query

TOLD = Query(
    "resolutions.told",
    Told,
    """(SELECT d.created_at AS at, false AS is_act, d.id FROM match_decisions d
        WHERE d.actor = 'person' AND d.act_id IS NULL AND d.choice <> 'undo'
          AND (d.created_at, false, d.id) < (%(at)s::timestamptz, %(is_act)s::boolean, %(id)s::bigint)
        ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s)
       UNION ALL
       (SELECT d.created_at, false, d.id FROM match_decisions d
        WHERE d.actor = 'machine' AND d.outcome = 'attached' AND %(automatic)s::boolean
          AND (d.created_at, false, d.id) < (%(at)s::timestamptz, %(is_act)s::boolean, %(id)s::bigint)
        ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s)
       UNION ALL
       (SELECT t.created_at, true, t.id FROM acts t
        WHERE (t.created_at, true, t.id) < (%(at)s::timestamptz, %(is_act)s::boolean, %(id)s::bigint)
        ORDER BY t.created_at DESC, t.id DESC LIMIT %(limit)s)
       ORDER BY at DESC, is_act DESC, id DESC LIMIT %(limit)s""",
)
DECISIONS = Query(
    "resolutions.history_decisions",
    DecisionRow,
    """SELECT p.id AS decision_id, p.actor, p.choice, p.created_at, p.message_id, g.subject, g.sent_at,
         p.outcome, coalesce(p.application_id, p.rejected_application_id) AS application_id, a.company,
         a.role, p.pattern, d.outcome AS replaced_outcome, d.application_id AS replaced_application_id,
         (SELECT min(u.created_at) FROM match_decisions u
          WHERE u.message_id = p.message_id AND u.undoes_id = p.id) AS undone_at,
         (SELECT max(n.id) FROM match_decisions n
          WHERE n.message_id = p.message_id AND n.actor = 'person') AS newest_id,
         (SELECT max(n.id) FROM match_decisions n
          WHERE n.message_id = p.message_id AND n.actor = 'person' AND n.choice <> 'undo'
            AND NOT EXISTS (SELECT FROM match_decisions u
                            WHERE u.message_id = n.message_id AND u.undoes_id = n.id)) AS standing_id
       FROM match_decisions p
       JOIN messages g ON g.account_id = p.account_id AND g.id = p.message_id
       LEFT JOIN match_decisions d ON d.account_id = p.account_id AND d.id = p.replaces_id
       LEFT JOIN applications a ON a.account_id = p.account_id
         AND a.id = coalesce(p.application_id, p.rejected_application_id)
       WHERE p.id = ANY(%(ids)s::bigint[])""",
)
ACTS = Query(
    "resolutions.history_acts",
    ActRow,
    """SELECT t.id AS act_id, t.about, t.actor, t.choice, t.created_at, t.ask_id, t.message_id, g.subject,
         g.sent_at, t.application_id, a.company, a.role, t.other_application_id, b.company AS other_company,
         b.role AS other_role, t.stage, t.pattern, t.messages,
         CASE t.about WHEN 'status' THEN t.replaced ->> 'status' END AS replaced_stage, t.undone_at,
         NOT EXISTS (SELECT FROM acts n
           WHERE n.application_id = t.application_id AND n.id > t.id AND n.undone_at IS NULL
             AND n.about = t.about AND n.about IN ('status', 'ask', 'pair')
             AND n.ask_id IS NOT DISTINCT FROM t.ask_id
             AND n.other_application_id IS NOT DISTINCT FROM t.other_application_id) AS is_newest,
         coalesce(CASE
           WHEN t.choice = 'accept_status' THEN a.status = t.stage AND a.status_at = g.sent_at
           WHEN t.choice = 'decline_status' THEN a.status IS NOT DISTINCT FROM t.replaced ->> 'status'
           WHEN t.choice = 'merge' THEN b.merged_into_id = t.application_id
           WHEN t.about = 'ask' THEN EXISTS (SELECT FROM asks k
             WHERE k.id = t.ask_id AND k.settled_by = 'person')
           ELSE true END, false) AS is_on_top
       FROM acts t
       LEFT JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
       LEFT JOIN applications a ON a.account_id = t.account_id AND a.id = t.application_id
       LEFT JOIN applications b ON b.account_id = t.account_id AND b.id = t.other_application_id
       WHERE t.id = ANY(%(ids)s::bigint[])""",
)
_TOP = HistoryPlace(at=datetime.max.replace(tzinfo=UTC), is_act=True, id=0)


async def history(
    unit: Unit, *, after: HistoryPlace | None = None, limit: int = 50, automatic: bool = False
) -> HistoryPage:
    """All that the person decided, and what the machine set with their leave; with `automatic` also what it
    attached on its evidence."""
    place = after or _TOP
    rows = await unit.all(
        TOLD, at=place.at, is_act=place.is_act, id=place.id, automatic=automatic, limit=limit + 1
    )
    shown = rows[:limit]
    found = await _entries(
        unit,
        [DecisionId(row.id) for row in shown if not row.is_act],
        [ActId(row.id) for row in shown if row.is_act],
    )
    ids = [act_entry(ActId(row.id)) if row.is_act else decision_entry(DecisionId(row.id)) for row in shown]
    last = shown[-1] if len(rows) > limit else None
    return HistoryPage(
        entries=[found[entry_id] for entry_id in ids if entry_id in found],
        next=last and HistoryPlace(at=last.at, is_act=last.is_act, id=last.id),
    )


async def entry(unit: Unit, entry_id: str) -> HistoryEntry:
    """One line of the history; another account's, or none, is `Missing`."""
    act_id = act_of(entry_id)
    if act_id is not None:
        found = await _entries(unit, [], [act_id])
    else:
        found = await _entries(unit, [decision_of(entry_id)], [])
    if not found:
        raise Missing
    return next(iter(found.values()))


async def _entries(
    unit: Unit, decision_ids: list[DecisionId], act_ids: list[ActId]
) -> dict[EntryId, HistoryEntry]:
    decisions = await unit.all(DECISIONS, ids=decision_ids) if decision_ids else []
    acts = await unit.all(ACTS, ids=act_ids) if act_ids else []
    found = [*map(entry_of_decision, decisions), *map(entry_of_act, acts)]
    return {each.id: each for each in found}
