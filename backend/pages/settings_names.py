"""Other names: under which names an employer writes, where each came from, and the way back from each."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from matcher.aliases.store import MAX_NAME_CHARS, add_name, names, remove_name, restore_name
from matcher.aliases.types import ListedName
from schema.errors import Invalid, Missing
from schema.ids import AliasId

PAGE = "/settings/names"
_DIGITS = 18


class NamesView(msgspec.Struct, frozen=True, kw_only=True):
    names: list[ListedName]
    form: Form
    longest: int = MAX_NAME_CHARS


async def shown(visit: Visit, form: Form, *, status: int = 200) -> Html:
    async with visit.unit() as unit:
        view = NamesView(names=await names(unit), form=form)
    return visit.page("settings_names.html", view, status=status)


@get(PAGE, include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return await shown(visit, Form({}))


@post(PAGE, include_in_schema=False)
async def add(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    alias = form.text("alias", "Other name", limit=MAX_NAME_CHARS)
    company = form.text("company", "Employer", limit=MAX_NAME_CHARS)
    if form.ok:
        try:
            async with visit.unit() as unit:
                alias_id = await add_name(unit, alias, company, now=visit.clock.now())
        except Invalid as fault:
            form.refuse(fault.field or "alias", fault.detail)
        else:
            undo = Undo(action=f"{PAGE}/remove", fields={"id": str(alias_id)})
            return visit.leave(PAGE, f"{alias} counts as another name of {company}.", undo=undo)
    return await shown(visit, form, status=400)


@post(f"{PAGE}/remove", include_in_schema=False)
async def remove(visit: NamedDependency[Visit]) -> Redirect:
    alias_id = await _named(visit)
    async with visit.unit() as unit:
        if not await remove_name(unit, alias_id, now=visit.clock.now()):
            raise Missing
    undo = Undo(action=f"{PAGE}/restore", fields={"id": str(alias_id)})
    text = "The two names count as two employers, and are not learned as one again."
    return visit.leave(PAGE, text, undo=undo)


@post(f"{PAGE}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit]) -> Redirect:
    alias_id = await _named(visit)
    async with visit.unit() as unit:
        if not await restore_name(unit, alias_id):
            raise Missing
    return visit.leave(PAGE, "The two names count as one employer again.")


async def _named(visit: Visit) -> AliasId:
    form = await read_form(visit.request)
    text = form.value("id")
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS:
        raise Missing
    return AliasId(int(text))


ROUTES = (show, add, remove, restore)
