"""Application, corrected: the employer, the role, the address, the number and the day, each with undo."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.times import zone
from backend.http.visits import Html, Visit
from matcher.applications.rules import MAX_NAME_CHARS, address_of
from matcher.applications.store import application, facts_of
from matcher.applications.types import Application, Facts, NewApplication
from matcher.edits.editing import EditedMeanwhile, edit, undo_edit
from matcher.edits.rules import Wanted, mark_of
from matcher.edits.store import EditId
from schema.ids import ApplicationId

URL_MAX = 2000


class EditView(msgspec.Struct, frozen=True, kw_only=True):
    """`stale` when the application was changed elsewhere: the form then holds what was typed."""

    application: Application
    form: Form
    stale: bool = False


@get("/applications/{application_id:int}/edit", include_in_schema=False)
async def ask(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html:
    return await _page(visit, ApplicationId(application_id))


async def _page(
    visit: Visit, which: ApplicationId, form: Form | None = None, *, stale: bool = False, status: int = 200
) -> Html:
    async with visit.unit() as unit:
        found = await application(unit, which)
        facts = await facts_of(unit, which)
    shown = form or _form(facts, zone(visit.account.time_zone))
    if stale:
        shown.values["seen"] = mark_of(facts)
    return visit.page(
        "application_edit.html", EditView(application=found, form=shown, stale=stale), status=status
    )


def _form(facts: Facts, where: ZoneInfo) -> Form:
    applied = _day(facts, where)
    return Form.of(
        company=facts.company or "",
        role=facts.role or "",
        url=facts.canonical_url or "",
        requisition=facts.requisition_id or "",
        applied_on=applied.isoformat() if applied else "",
        seen=mark_of(facts),
    )


def _day(facts: Facts, where: ZoneInfo) -> date | None:
    return facts.applied_at.astimezone(where).date() if facts.applied_at else facts.applied_on


@post("/applications/{application_id:int}/edit", include_in_schema=False)
async def save(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    which = ApplicationId(application_id)
    form = await read_form(visit.request)
    async with visit.unit() as unit:
        before = await facts_of(unit, which)
    wanted = _wanted(form, before, visit)
    if not form.ok:
        return await _page(visit, which, form, status=400)
    try:
        async with visit.unit() as unit:
            made = await edit(unit, which, wanted, seen=form.value("seen"), now=visit.clock.now())
    except EditedMeanwhile:
        return await _page(visit, which, form, stale=True, status=409)
    if made is None:
        return visit.leave(f"/applications/{which}", "Nothing was different.")
    undo = Undo(action=f"/applications/{which}/edit/undo", fields={"edit": str(made)})
    return visit.leave(f"/applications/{which}", "Corrected. Its mail is looked at again.", undo=undo)


def _wanted(form: Form, before: Facts, visit: Visit) -> Wanted:
    company = form.text("company", "Company", limit=MAX_NAME_CHARS, required=False)
    role = form.text("role", "Role", limit=MAX_NAME_CHARS, required=False)
    requisition = form.text("requisition", "Requisition", limit=MAX_NAME_CHARS, required=False)
    if not company and not role:
        form.refuse("company", "Name the company or the role: without both nobody could tell it apart.")
    was_on = _day(before, zone(visit.account.time_zone))
    latest = visit.clock.now().date() + timedelta(days=1)
    applied_on = form.past_day("applied_on", "Applied on", latest=latest, known=was_on)
    same_day = applied_on == was_on
    return Wanted(
        company=company or None,
        role=role or None,
        url=_url(form, before),
        requisition_id=requisition or None,
        applied_at=before.applied_at if same_day else None,
        applied_on=before.applied_on if same_day else applied_on,
    )


def _url(form: Form, before: Facts) -> str | None:
    text = form.text("url", "Address of the posting", limit=URL_MAX, required=False)
    if not text or text == before.canonical_url:
        return text or None
    if form.fault("url") is None and address_of(NewApplication(origin="manual", url=text)) is None:
        form.refuse("url", "This is not the address of one posting; copy it from the browser.")
    return text


@post("/applications/{application_id:int}/edit/undo", include_in_schema=False)
async def take_back(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    edit_id = EditId(form.whole("edit", "Correction"))
    form.require_ok()
    try:
        async with visit.unit() as unit:
            await application(unit, ApplicationId(application_id))
            which = await undo_edit(unit, edit_id, now=visit.clock.now())
    except EditedMeanwhile:
        told = "It was changed again since, so nothing was taken back. Correct it by hand."
        return visit.leave(f"/applications/{application_id}", told, tone="refused")
    return visit.leave(f"/applications/{which}", "As it was before.")


ROUTES = (ask, save, take_back)
