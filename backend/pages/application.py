"""Application: what happened, on what evidence; where it stands; the person's status and note.

What the person sets is theirs: the mail's stage is only proposed beside it. Answers about a message are
given on the review page's address and lead back here.
"""

import hashlib
from typing import get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.pages.strip import Moment, Strip, strip_of
from extension_api.fills.store import Submission, submissions_of
from matcher.applications.store import AlreadyRecorded, application, dismiss, set_note, set_status, undismiss
from matcher.applications.types import Application
from matcher.asks.store import AskRow, asks_of_application
from matcher.timeline.rules import ENDED
from matcher.timeline.store import timeline
from matcher.timeline.types import Timeline
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ApplicationId
from schema.vocabulary import Stage

STAGE_NAMES: tuple[Stage, ...] = get_args(Stage)
NOTE_MAX = 20_000


class ApplicationView(msgspec.Struct, frozen=True, kw_only=True):
    application: Application
    timeline: Timeline
    strip: Strip | None
    asks: list[AskRow]
    submissions: list[Submission]
    note: Form
    other_note: str | None
    """The note as it was saved elsewhere meanwhile, shown beside the one in the form."""

    @property
    def ended(self) -> bool:
        return self.application.stage in ENDED

    @property
    def open_asks(self) -> list[AskRow]:
        return [ask for ask in self.asks if ask.settled_at is None]

    @property
    def settled_asks(self) -> list[AskRow]:
        return [ask for ask in self.asks if ask.settled_at is not None]

    @property
    def statuses(self) -> list[tuple[str, str]]:
        """The first gives the stage back to the mail."""
        follow = f"Follow the mail ({STAGES[self.application.mail_stage].text.lower()})"
        return [("", follow), *((stage, STAGES[stage].text) for stage in STAGE_NAMES)]


@get("/applications/{application_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html:
    return await _page(visit, ApplicationId(application_id))


async def _page(
    visit: Visit, application_id: ApplicationId, note: Form | None = None, *, status: int = 200
) -> Html:
    async with visit.unit() as unit:
        found = await application(unit, application_id)
        history = await timeline(unit, application_id, now=visit.clock.now())
        asks = await asks_of_application(unit, application_id)
        sent = await submissions_of(unit, application_id)
    view = ApplicationView(
        application=found,
        timeline=history,
        strip=_strip(visit, found, history),
        asks=asks,
        submissions=sent,
        note=note or Form.of(note=found.note, seen=mark_of(found.note)),
        other_note=found.note if note is not None and note.ok else None,
    )
    return visit.page("application.html", view, status=status)


def _strip(visit: Visit, found: Application, history: Timeline) -> Strip | None:
    applied = [Moment(at=found.applied_at, kind=None)] if found.applied_at else []
    said = [
        Moment(at=entry.sent_at, kind=said.kind, message_id=entry.message_id)
        for entry in history.entries
        if entry.sent_at is not None
        for said in entry.said
    ]
    return strip_of([*applied, *said], visit.clock.now(), ended=found.stage in ENDED)


def mark_of(note: str) -> str:
    """What tells one state of a note from another."""
    return hashlib.sha256(note.encode()).hexdigest()[:16]


@post("/applications/{application_id:int}/status", include_in_schema=False)
async def save_status(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    wanted = _stage(form.value("status"))
    which = ApplicationId(application_id)
    async with visit.unit() as unit:
        before = await application(unit, which)
        await set_status(unit, which, wanted, now=visit.clock.now())
    told = f"Status set: {STAGES[wanted].text.lower()}." if wanted else "The status follows the mail again."
    undo = Undo(action=f"/applications/{which}/status", fields={"status": before.status or ""})
    return visit.leave(f"/applications/{which}", told, undo=undo)


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
        return await _page(visit, which, form, status=400)
    async with visit.unit() as unit:
        before = await _write_note(unit, visit, which, note, form.value("seen"))
    if before is None:
        return await _page(visit, which, Form.of(note=note, seen=await _seen(visit, which)), status=409)
    undo = Undo(action=f"/applications/{which}/note", fields={"note": before, "seen": mark_of(note)})
    return visit.leave(f"/applications/{which}", "Note saved.", undo=undo)


async def _write_note(unit: Unit, visit: Visit, which: ApplicationId, note: str, seen: str) -> str | None:
    """The note before; None, with nothing written, when it is no longer the one that was edited."""
    before = (await application(unit, which)).note
    if seen != mark_of(before) and note != before:
        return None
    await set_note(unit, which, note, now=visit.clock.now())
    return before


async def _seen(visit: Visit, which: ApplicationId) -> str:
    async with visit.unit() as unit:
        return mark_of((await application(unit, which)).note)


@post("/applications/{application_id:int}/dismiss", include_in_schema=False)
async def put_away(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Redirect:
    which = ApplicationId(application_id)
    async with visit.unit() as unit:
        await dismiss(unit, which, now=visit.clock.now())
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


ROUTES = (show, save_status, save_note, put_away, bring_back)
