"""Application, put together: another record of the same one is found, laid beside it, then joined.

Nothing is rewritten by it: each record keeps its names and its note, and taking them apart loses nothing.
"""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.application.preview import Side, Together, together
from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.paging import Page, key_of
from backend.http.visits import Html, Visit
from backend.review.store import Found, Place, find
from matcher.applications.store import application, merged_records
from matcher.applications.types import Application
from matcher.decisions.store import hold_account
from matcher.merging import CannotMerge
from matcher.resolutions.answering import resolve
from matcher.resolutions.applications.store import application_items
from matcher.resolutions.names import application_item
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Answer, Option, Resolved
from matcher.timeline.store import events_of, timeline
from schema.db import Unit
from schema.errors import Missing
from schema.ids import ApplicationId
from schema.text import clean

VERSION_MAX = 100


class MergeView(msgspec.Struct, frozen=True, kw_only=True):
    """`choices` are both ways to put the two together: which one stands. Empty while none was chosen."""

    application: Application
    option: Option
    find: str
    found: Page[Found]
    choices: list[Together]
    told: str = ""


@get("/applications/{application_id:int}/merge", include_in_schema=False)
async def look(
    visit: NamedDependency[Visit],
    application_id: FromPath[int],
    find: Annotated[str, QueryParameter(max_length=200)] = "",
    other: Annotated[int | None, QueryParameter(name="with", ge=1, le=2**63 - 1)] = None,
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    which = ApplicationId(application_id)
    place = key_of(after, Place)
    async with visit.unit() as unit:
        chosen = ApplicationId(other) if other else None
        view = await _view(unit, visit, which, chosen, clean(find).strip(), place)
    return visit.page("application_merge.html", view)


async def _view(
    unit: Unit,
    visit: Visit,
    which: ApplicationId,
    other: ApplicationId | None,
    words: str = "",
    after: Place | None = None,
    told: str = "",
) -> MergeView:
    here = await application(unit, which)
    item = (await application_items(unit, [which]))[which]
    option = item.option("merge")
    if option is None:
        raise Missing
    return MergeView(
        application=here,
        option=option,
        find=words,
        found=Page(items=[], next=None)
        if other
        else await find(unit, words, companies=[here.company or ""], besides=[which], after=after),
        choices=await _choices(unit, visit, which, other) if other and other != which else [],
        told=told,
    )


async def _choices(unit: Unit, visit: Visit, which: ApplicationId, other: ApplicationId) -> list[Together]:
    one, two = await _side(unit, visit, which), await _side(unit, visit, other)
    return [together(one, two), together(two, one)]


async def _side(unit: Unit, visit: Visit, which: ApplicationId) -> Side:
    return Side(
        application=await application(unit, which),
        timeline=await timeline(unit, which, now=visit.clock.now()),
        events=(await events_of(unit, [which])).get(which, []),
        version=(await application_items(unit, [which]))[which].version,
        merged_ids=await merged_records(unit, which),
    )


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """Which of both stands, and how each of them looked. One of the two is the page's own."""

    stays: ApplicationId
    goes: ApplicationId
    stays_version: str
    goes_version: str


@post("/applications/{application_id:int}/merge", include_in_schema=False)
async def join(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    which = ApplicationId(application_id)
    given = _read(await read_form(visit.request), which)
    other = given.goes if given.stays == which else given.stays
    try:
        async with visit.unit() as unit:
            done = await _join(unit, given, visit)
    except (StaleState, ChoiceNotEligible, CannotMerge) as refusal:
        async with visit.unit() as unit:
            view = await _view(unit, visit, which, other, told=refusal.detail or refusal.title())
        return visit.page("application_merge.html", view, status=409)
    fields = {"entry": done.entry or "", "version": done.entry_version or ""}
    undo = Undo(
        action="/review/history/undo", fields=fields | {"back": f"/applications/{which}"}, label="Take apart"
    )
    return visit.leave(f"/applications/{given.stays}", "Both are one application now.", undo=undo)


async def _join(unit: Unit, given: Given, visit: Visit) -> Resolved:
    # What is compared has to stay so until all is done.
    await hold_account(unit)
    goes = (await application_items(unit, [given.goes])).get(given.goes)
    if goes is None:
        raise Missing
    if goes.version != given.goes_version:
        raise StaleState(goes)
    answer = Answer(choice="merge", version=given.stays_version, target=given.goes)
    return await resolve(unit, application_item(given.stays), answer, now=visit.clock.now())


def _read(form: Form, which: ApplicationId) -> Given:
    given = Given(
        stays=ApplicationId(form.whole("stays", "Application")),
        goes=ApplicationId(form.whole("goes", "Application")),
        stays_version=form.text("stays_version", "Version", limit=VERSION_MAX),
        goes_version=form.text("goes_version", "Version", limit=VERSION_MAX),
    )
    if which not in (given.stays, given.goes):
        form.refuse("stays", "One of both has to be this application.")
    form.require_ok()
    return given


ROUTES = (look, join)
