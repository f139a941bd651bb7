"""Application, taken apart: messages that belong to another application are ticked and moved, as one act."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import ID_MAX, Form, read_form
from backend.http.paging import Page
from backend.http.visits import Html, Visit
from backend.review.store import Found, find
from matcher.applications.rules import MAX_NAME_CHARS
from matcher.applications.store import application
from matcher.applications.types import Application
from matcher.resolutions.answering import resolve
from matcher.resolutions.applications.store import application_items
from matcher.resolutions.names import application_item
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Answer, ApplicationItem, NewFromMessage, Option
from matcher.timeline.store import timeline
from matcher.timeline.types import Entry
from schema.db import Unit
from schema.errors import Invalid, Missing
from schema.ids import ApplicationId, MessageId
from schema.text import clean

VERSION_MAX = 100
FIND_MAX = 200
TICKS_MAX = 1000
NEW = "new"


class SplitView(msgspec.Struct, frozen=True, kw_only=True):
    """`ticked` are the messages that move; `targets` where they could move to besides a new application."""

    application: Application
    item: ApplicationItem
    option: Option
    entries: list[Entry]
    ticked: frozenset[MessageId]
    find: str
    targets: Page[Found]
    form: Form
    told: str = ""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    messages: tuple[MessageId, ...]
    version: str
    target: ApplicationId | None
    new: NewFromMessage


@get("/applications/{application_id:int}/split", include_in_schema=False)
async def look(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html:
    """What was ticked and typed comes along when another application is looked for."""
    sent = visit.request.query_params.dict()
    form = Form({name: [clean(str(value)) for value in values] for name, values in sent.items()})
    form.text("find", "Search", limit=FIND_MAX, required=False)
    return await _page(visit, ApplicationId(application_id), form, status=200 if form.ok else 400)


async def _page(visit: Visit, which: ApplicationId, form: Form, *, told: str = "", status: int = 200) -> Html:
    async with visit.unit() as unit:
        view = await _view(unit, visit, which, form, told)
    return visit.page("application_split.html", view, status=status)


async def _view(unit: Unit, visit: Visit, which: ApplicationId, form: Form, told: str) -> SplitView:
    here = await application(unit, which)
    item = (await application_items(unit, [which]))[which]
    option = item.option("split")
    if option is None:
        raise Missing
    words = form.value("find")
    history = await timeline(unit, which, now=visit.clock.now())
    return SplitView(
        application=here,
        item=item,
        option=option,
        entries=history.entries,
        ticked=frozenset(_ticked(form)),
        find=words,
        targets=await find(unit, words, companies=[here.company or ""], besides=[which]),
        form=form,
        told=told,
    )


@post("/applications/{application_id:int}/split", include_in_schema=False)
async def move(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    which = ApplicationId(application_id)
    form = await read_form(visit.request)
    given = _read(form)
    if not form.ok:
        return await _page(visit, which, form, status=400)
    answer = Answer(
        choice="split",
        version=given.version,
        target=given.target,
        messages=given.messages,
        new=given.new,
    )
    try:
        async with visit.unit() as unit:
            done = await resolve(unit, application_item(which), answer, now=visit.clock.now())
    except (StaleState, ChoiceNotEligible) as refusal:
        return await _page(visit, which, form, told=refusal.detail or refusal.title(), status=409)
    except Invalid as refusal:
        form.refuse(refusal.field or "messages", refusal.detail)
        return await _page(visit, which, form, status=400)
    many = len(given.messages)
    moved = "1 message" if many == 1 else f"{many} messages"
    fields = {"entry": done.entry or "", "version": done.entry_version or ""}
    undo = Undo(action="/review/history/undo", fields=fields | {"back": f"/applications/{which}"})
    return visit.leave(f"/applications/{done.application_id}", f"Moved {moved} here.", undo=undo)


def _read(form: Form) -> Given:
    messages = _ticked(form)
    if not messages:
        form.refuse("messages", "Tick the messages that belong to another application.")
    version = form.text("version", "Version", limit=VERSION_MAX)
    to_new = form.value("target") in {"", NEW}
    target = None if to_new else ApplicationId(form.whole("target", "Application"))
    company = form.text("company", "Company", limit=MAX_NAME_CHARS, required=False)
    role = form.text("role", "Role", limit=MAX_NAME_CHARS, required=False)
    return Given(
        messages=messages,
        version=version,
        target=target,
        new=NewFromMessage(company=company or None, role=role or None),
    )


def _ticked(form: Form) -> tuple[MessageId, ...]:
    """The ticked messages; what is no id is not one of them."""
    found = [text for text in form.every("message")[:TICKS_MAX] if text.isascii() and text.isdigit()]
    return tuple(MessageId(int(text)) for text in found if len(text) < 20 and 0 < int(text) <= ID_MAX)  # noqa: PLR2004


ROUTES = (look, move)
