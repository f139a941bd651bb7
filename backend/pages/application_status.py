"""Application: the person's own words about it: its status, its note, and whether it counts at all."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.pages.application import STAGE_NAMES, Again, mark_of, page_of
from backend.pages.application_statuses import spelled, was_of, were_of
from matcher.applications.store import (
    AlreadyRecorded,
    application,
    dismiss,
    put_status,
    set_note,
    set_status,
    undismiss,
)
from matcher.decisions.store import hold_account
from matcher.resolutions.applications.store import application_items
from schema.db import Unit
from schema.errors import Invalid, Missing
from schema.ids import ApplicationId
from schema.vocabulary import Stage

NOTE_MAX = 20_000
STALE = "This changed since you looked at it, so nothing was done. Here is how it stands now."


@post("/applications/{application_id:int}/status", include_in_schema=False)
async def save_status(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    wanted = _stage(form.value("status"))
    which = ApplicationId(application_id)
    async with visit.unit() as unit:
        await hold_account(unit)
        before = await was_of(unit, which)
        stale = form.value("seen") not in {"", spelled(before)}
        if not stale:
            await set_status(unit, which, wanted, now=visit.clock.now())
        after = await was_of(unit, which)
    if stale:
        return await page_of(visit, which, Again(told=STALE, status=409))
    told = f"Status set: {STAGES[wanted].text.lower()}." if wanted else "The status follows the mail again."
    fields = {"was": spelled(before), "seen": spelled(after)}
    return visit.leave(
        f"/applications/{which}", told, undo=Undo(action=f"/applications/{which}/status/undo", fields=fields)
    )


@post("/applications/{application_id:int}/status/undo", include_in_schema=False)
async def undo_status(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Redirect:
    """What was set before counts again from when it was set."""
    form = await read_form(visit.request)
    which = ApplicationId(application_id)
    [was] = were_of(form.value("was")) or [None]
    if was is None or was.application_id != which:
        raise Invalid("That is no undo of this application.", field="was")
    async with visit.unit() as unit:
        await hold_account(unit)
        is_same = spelled(await was_of(unit, which)) == form.value("seen")
        if is_same:
            await put_status(unit, which, was.status, at=was.at, now=visit.clock.now())
    if not is_same:
        told = "Another status was set since, so nothing was taken back."
        return visit.leave(f"/applications/{which}", told, tone="refused")
    return visit.leave(f"/applications/{which}", "The status is as it was before.")


def _stage(text: str) -> Stage | None:
    if text == "":
        return None
    if text not in STAGE_NAMES:
        raise Invalid("Choose a status of the list.", field="status")
    return text


@post("/applications/{application_id:int}/note", include_in_schema=False)
async def save_note(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    note = form.text("note", "Note", limit=NOTE_MAX, required=False, strip=False)
    which = ApplicationId(application_id)
    if not form.ok:
        return await page_of(visit, which, Again(note=form, status=400))
    async with visit.unit() as unit:
        before = await _write_note(unit, visit, which, note, form.value("seen"))
    if before is None:
        shown = Form.of(note=note, seen=await _seen(visit, which))
        return await page_of(visit, which, Again(note=shown, status=409))
    undo = Undo(action=f"/applications/{which}/note", fields={"note": before, "seen": mark_of(note)})
    return visit.leave(f"/applications/{which}", "Note saved.", undo=undo)


async def _write_note(unit: Unit, visit: Visit, which: ApplicationId, note: str, seen: str) -> str | None:
    """The note before; None, with nothing written, when it is no longer the one that was edited."""
    before = (await application(unit, which)).note
    if seen != mark_of(before) and note != before:
        return None
    written = await set_note(unit, which, note, before=before, now=visit.clock.now())
    return before if written else None


async def _seen(visit: Visit, which: ApplicationId) -> str:
    async with visit.unit() as unit:
        return mark_of((await application(unit, which)).note)


@post("/applications/{application_id:int}/dismiss", include_in_schema=False)
async def put_away(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    """A form that was shown says what it was shown over; taking a recording back says nothing."""
    form = await read_form(visit.request)
    which = ApplicationId(application_id)
    async with visit.unit() as unit:
        await hold_account(unit)
        found = (await application_items(unit, [which])).get(which)
        if found is None:
            raise Missing
        stale = form.value("version") not in {"", found.version}
        if not stale:
            await dismiss(unit, which, now=visit.clock.now())
    if stale:
        return await page_of(visit, which, Again(told=STALE, status=409))
    undo = Undo(action=f"/applications/{which}/restore")
    return visit.leave(f"/applications/{which}", "Dismissed: out of your list and of matching.", undo=undo)


@post("/applications/{application_id:int}/restore", include_in_schema=False)
async def bring_back(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Redirect:
    which = ApplicationId(application_id)
    try:
        async with visit.unit() as unit:
            await undismiss(unit, which, now=visit.clock.now())
    except AlreadyRecorded as refusal:
        return visit.leave(f"/applications/{which}", refusal.detail, tone="refused")
    undo = Undo(action=f"/applications/{which}/dismiss")
    return visit.leave(f"/applications/{which}", "Back in your list.", undo=undo)


ROUTES = (save_status, undo_status, save_note, put_away, bring_back)
