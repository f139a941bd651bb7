"""Correcting an application, and taking that back: checked again, written and logged in one transaction."""

from datetime import datetime

from matcher.applications.store import application, facts_of, rewrite
from matcher.decisions.store import hold_account
from matcher.edits.rules import Wanted, asked_of, changed, corrected, mark_of
from matcher.edits.store import EditId, append_edit, edit_held, mark_undone
from matcher.postings.store import known_posting
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import ApplicationId


class EditedMeanwhile(Refusal):
    """This application was changed since you looked at it; nothing was written."""

    code = "edited_meanwhile"
    kind = "conflict"


async def edit(
    unit: Unit, application_id: ApplicationId, wanted: Wanted, *, seen: str, now: datetime
) -> EditId | None:
    """Write what the person corrected; None when nothing differs.

    `seen` is the mark of the facts they looked at. Raises `Missing`, or `EditedMeanwhile`.
    """
    await hold_account(unit)
    before = await facts_of(unit, application_id)
    if (await application(unit, application_id)).merged_into_id is not None or seen != mark_of(before):
        raise EditedMeanwhile
    is_known = wanted.url is not None and wanted.url != before.canonical_url
    after = corrected(before, wanted, await known_posting(unit, asked_of(wanted)) if is_known else None)
    fields = changed(before, after)
    if not fields:
        return None
    await rewrite(unit, application_id, after, now=now)
    return await append_edit(unit, application_id, fields, before, after, now=now)


async def undo_edit(unit: Unit, edit_id: EditId, *, now: datetime) -> ApplicationId:
    """Put back what stood before. Raises `Missing`, or `EditedMeanwhile` when it changed again since."""
    await hold_account(unit)
    found = await edit_held(unit, edit_id)
    if found.is_undone or await facts_of(unit, found.application_id) != found.after:
        raise EditedMeanwhile
    await rewrite(unit, found.application_id, found.before, now=now)
    await mark_undone(unit, edit_id, now=now)
    return found.application_id
