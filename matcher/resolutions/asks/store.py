"""Asks as questions. Reads only, and many at once."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

import msgspec

from matcher.evidence.store import letters
from matcher.evidence.types import Letter
from matcher.resolutions.choices import option, unless
from matcher.resolutions.names import act_entry, ask_item
from matcher.resolutions.shown.store import excerpts, shown_applications
from matcher.resolutions.types import AskItem, Excerpt, Mark, Option, ShownApplication, Touched
from matcher.resolutions.versions import version
from schema.db import Unit
from schema.ids import ActId, ApplicationId, AskId, MessageId
from schema.query import Query
from schema.vocabulary import AskKind


class _Ask(msgspec.Struct, frozen=True, kw_only=True):
    ask_id: AskId
    application_id: ApplicationId
    message_id: MessageId
    kind: AskKind
    due_at: datetime | None
    due_on: date | None
    due_text: str | None
    opened_at: datetime
    settled_at: datetime | None
    settled_by: Literal["person", "message"] | None
    act_id: ActId | None
    said_id: ActId | None
    """The last act about it, taken back or not: what was answered and undone is not what was looked at."""


ASKS = Query(
    "resolutions.asks",
    _Ask,
    """SELECT k.id AS ask_id, k.application_id, k.message_id, k.kind, k.due_at, k.due_on, k.due_text,
         k.opened_at, k.settled_at, k.settled_by,
         -- The same ask may stand under a record that was merged since.
         (SELECT t.id FROM asks o JOIN acts t ON t.application_id = o.application_id AND t.ask_id = o.id
          WHERE o.message_id = k.message_id AND o.kind = k.kind AND t.about = 'ask' AND t.undone_at IS NULL
          ORDER BY t.id DESC LIMIT 1) AS act_id,
         (SELECT max(t.id) FROM asks o JOIN acts t ON t.application_id = o.application_id AND t.ask_id = o.id
          WHERE o.message_id = k.message_id AND o.kind = k.kind AND t.about = 'ask') AS said_id
       FROM asks k WHERE k.id = ANY(%(ask_ids)s::bigint[])""",
)


async def ask_items(unit: Unit, ask_ids: Sequence[AskId]) -> dict[AskId, AskItem]:
    """These asks as questions, open or settled."""
    rows = await unit.all(ASKS, ask_ids=list(ask_ids))
    found = await letters(unit, sorted({row.message_id for row in rows})) if rows else []
    shown = await excerpts(unit, found, {letter.message_id: _deadlines(letter) for letter in found})
    applications = await shown_applications(unit, {row.application_id for row in rows})
    return {
        row.ask_id: _item(row, applications[row.application_id], shown[row.message_id])
        for row in rows
        if row.application_id in applications and row.message_id in shown
    }


def _item(row: _Ask, application: ShownApplication, excerpt: Excerpt) -> AskItem:
    is_gone = application.is_dismissed or application.merged_into_id is not None
    return AskItem(
        id=ask_item(row.ask_id),
        version=version(
            row.kind,
            row.due_text,
            row.opened_at,
            row.settled_at,
            row.settled_by,
            row.act_id,
            row.said_id,
            is_gone,
        ),
        undoes=act_entry(row.act_id) if row.act_id is not None else None,
        rank=2,
        at=row.opened_at,
        waits=row.settled_at is None and not is_gone,
        why=_why(row),
        options=_options(row),
        ask_id=row.ask_id,
        ask=row.kind,
        application=application,
        excerpt=excerpt,
        due_at=row.due_at,
        due_on=row.due_on,
        due_text=row.due_text,
        opened_at=row.opened_at,
        settled_at=row.settled_at,
        settled_by=row.settled_by,
    )


def _options(row: _Ask) -> list[Option]:
    touches = Touched(applications=[row.application_id], asks=[row.ask_id])
    done = unless(
        (row.settled_by == "person", "You marked it as done already."),
        (row.settled_by == "message", "A later message settled it."),
    )
    undo = unless((row.act_id is None, "There is nothing of yours to take back."))
    return [option("mark_done", done, touches), option("undo", undo, touches)]


def _why(row: _Ask) -> str:
    if row.settled_by == "person":
        return "You marked it as done."
    if row.settled_by == "message":
        return "A later message settled it."
    return "The employer waits for it, and no later message settled it."


def _deadlines(letter: Letter) -> list[Mark]:
    return [
        Mark(source=fact.span.source, start=fact.span.start, end=fact.span.end, says="deadline")
        for fact in letter.all_named("deadline")
    ]
