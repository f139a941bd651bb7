"""Pairs of records as questions. Reads only, and many at once."""

from collections.abc import Sequence

from matcher.resolutions.names import act_entry, pair_item
from matcher.resolutions.pairs.rules import PairRow, is_gone, options, why
from matcher.resolutions.shown.store import shown_applications
from matcher.resolutions.types import PairItem, ShownApplication
from matcher.resolutions.versions import version
from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query

PAIRS = Query(
    "resolutions.pairs",
    PairRow,
    """SELECT p.application_id, p.other_application_id, p.says, p.found_at, p.answer, t.act_id, t.act_choice,
         t.into_id,
         (SELECT max(c.id) FROM acts c
          WHERE c.application_id IN (p.application_id, p.other_application_id)
            AND c.other_application_id IN (p.application_id, p.other_application_id)
            AND c.about = 'pair') AS said_id,
         ARRAY(SELECT DISTINCT l.message_id FROM application_records o
               JOIN attachments l ON l.application_id = o.record_id
               WHERE o.application_id IN (p.application_id, p.other_application_id)
               ORDER BY l.message_id) AS message_ids,
         ARRAY(SELECT k.id FROM asks k WHERE k.application_id IN (p.application_id, p.other_application_id)
               ORDER BY k.id) AS ask_ids
       FROM unnest(%(firsts)s::bigint[], %(seconds)s::bigint[]) w (first, second)
       JOIN pairs p ON p.application_id = w.first AND p.other_application_id = w.second
       LEFT JOIN LATERAL (
         SELECT c.id AS act_id, c.choice AS act_choice, c.application_id AS into_id FROM acts c
         WHERE c.application_id IN (p.application_id, p.other_application_id)
           AND c.other_application_id IN (p.application_id, p.other_application_id)
           AND c.about = 'pair' AND c.undone_at IS NULL
         ORDER BY c.id DESC LIMIT 1) t ON true""",
)

Key = tuple[ApplicationId, ApplicationId]


async def pair_rows(unit: Unit, keys: Sequence[Key]) -> dict[Key, PairRow]:
    firsts, seconds = [key[0] for key in keys], [key[1] for key in keys]
    return {row.key: row for row in await unit.all(PAIRS, firsts=firsts, seconds=seconds)}


async def pair_items(unit: Unit, keys: Sequence[Key]) -> dict[Key, PairItem]:
    """These pairs as questions, open or answered; two records nobody ever paired are left out."""
    rows = await pair_rows(unit, keys)
    shown = await shown_applications(unit, {one for key in rows for one in key})
    return {key: _item(row, shown[key[0]], shown[key[1]]) for key, row in rows.items()}


def _item(row: PairRow, first: ShownApplication, second: ShownApplication) -> PairItem:
    return PairItem(
        id=pair_item(*row.key),
        version=version(
            row.says,
            row.answer,
            row.act_id,
            row.said_id,
            [(one.merged_into_id, one.is_dismissed, one.company, one.role) for one in (first, second)],
        ),
        undoes=act_entry(row.act_id) if row.act_id is not None else None,
        rank=2,
        at=row.found_at,
        waits=row.answer is None and not is_gone(first, second),
        why=why(row),
        options=options(row, first, second),
        first=first,
        second=second,
        says=row.says,
        found_at=row.found_at,
        answer=row.answer,
    )
