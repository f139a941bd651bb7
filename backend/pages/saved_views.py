"""Views of the applications that a person keeps: save, rename, replace, delete, each with its way back."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.listing.filters import SORTS, Filters, chips_of, filters_in
from matcher.views.store import (
    NameTaken,
    SavedView,
    TooManyViews,
    delete_view,
    rename_view,
    replace_view,
    save_view,
    saved_view,
    saved_views,
    view_named,
)
from schema.ids import SavedViewId

NAME_MAX = 80
VIEWS = "/applications/views"


class ViewLine(msgspec.Struct, frozen=True, kw_only=True):
    """A view with what it shows, in words."""

    view: SavedView
    says: list[str]


class ViewsView(msgspec.Struct, frozen=True, kw_only=True):
    """`form` is what somebody just tried to save or, with `renaming`, to rename; None when nobody did.

    `clash` is the view that has the name already and can be replaced.
    """

    lines: list[ViewLine]
    form: Form | None = None
    renaming: SavedViewId | None = None
    clash: SavedView | None = None

    def form_of(self, view: SavedView) -> Form:
        tried = self.form is not None and self.renaming == view.view_id
        return self.form if tried and self.form else Form.of(name=view.name)


@get("/applications/views", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return await _page(visit)


@post("/applications/views", include_in_schema=False)
async def save(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    name = _name(form)
    query = filters_in(form.value("query")).query
    if not form.ok:
        return await _page(visit, form, status=400)
    async with visit.unit() as unit:
        clash = await view_named(unit, name)
    if clash is not None and not form.ticked("replace"):
        form.refuse("name", f"There is a view called “{clash.name}”. Replace it, or choose another name.")
        return await _page(visit, form, clash=clash, status=409)
    if clash is not None:
        return await _replaced(visit, clash.view_id, query)
    return await _saved(visit, form, name, query)


async def _saved(visit: Visit, form: Form, name: str, query: str) -> Html | Redirect:
    try:
        async with visit.unit() as unit:
            made = await save_view(unit, name, query, now=visit.clock.now())
    except (NameTaken, TooManyViews) as refusal:
        form.refuse("name", refusal.detail)
        return await _page(visit, form, status=409)
    return visit.leave(_list(query), f"Kept as “{name}”.", undo=Undo(action=f"{VIEWS}/{made}/delete"))


@post("/applications/views/{view_id:int}/filters", include_in_schema=False)
async def replace(visit: NamedDependency[Visit], view_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    return await _replaced(visit, SavedViewId(view_id), filters_in(form.value("query")).query)


async def _replaced(visit: Visit, view_id: SavedViewId, query: str) -> Redirect:
    async with visit.unit() as unit:
        before = await replace_view(unit, view_id, query)
    undo = Undo(action=f"{VIEWS}/{view_id}/filters", fields={"query": before.query})
    return visit.leave(_list(query), f"“{before.name}” shows this now.", undo=undo)


@post("/applications/views/{view_id:int}/name", include_in_schema=False)
async def rename(visit: NamedDependency[Visit], view_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    which = SavedViewId(view_id)
    async with visit.unit() as unit:
        await saved_view(unit, which)
    name = _name(form)
    if not form.ok:
        return await _page(visit, form, renaming=which, status=400)
    try:
        async with visit.unit() as unit:
            before = await rename_view(unit, which, name)
    except NameTaken as refusal:
        form.refuse("name", refusal.detail)
        return await _page(visit, form, renaming=which, status=409)
    undo = Undo(action=f"{VIEWS}/{view_id}/name", fields={"name": before.name})
    return visit.leave(VIEWS, f"“{before.name}” is called “{name}” now.", undo=undo)


@post("/applications/views/{view_id:int}/delete", include_in_schema=False)
async def delete(visit: NamedDependency[Visit], view_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        gone = await delete_view(unit, SavedViewId(view_id))
    undo = Undo(action=VIEWS, fields={"name": gone.name, "query": gone.query})
    return visit.leave(VIEWS, f"“{gone.name}” is deleted.", undo=undo)


async def _page(
    visit: Visit,
    form: Form | None = None,
    *,
    renaming: SavedViewId | None = None,
    clash: SavedView | None = None,
    status: int = 200,
) -> Html:
    async with visit.unit() as unit:
        kept = await saved_views(unit)
    lines = [ViewLine(view=view, says=said_of(filters_in(view.query))) for view in kept]
    view = ViewsView(lines=lines, form=form, renaming=renaming, clash=clash)
    return visit.page("saved_views.html", view, status=status)


def said_of(filters: Filters) -> list[str]:
    """What a view shows, in words: its filters, its order, its layout."""
    stage = [STAGES[filters.stages[0]].text] if len(filters.stages) == 1 else []
    return [
        *stage,
        *(chip.text for chip in chips_of(filters)),
        *(["Dismissed"] if filters.dismissed else []),
        *([SORTS[filters.sort]] if filters.sort != "news" else []),
        *(["As a board"] if filters.layout == "board" else []),
    ] or ["Every application"]


def _name(form: Form) -> str:
    return " ".join(form.text("name", "Name", limit=NAME_MAX).split())


def _list(query: str) -> str:
    return f"/applications?{query}" if query else "/applications"


ROUTES = (show, save, replace, rename, delete)
