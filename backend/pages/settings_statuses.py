"""Statuses: which of them newer mail may set by itself over what the person set. Off until chosen."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES, Word
from matcher.automatic.rules import STAGES as OFFERED
from matcher.automatic.rules import chosen
from matcher.automatic.store import OptedIn, opt_in, opted_in
from schema.vocabulary import Stage

HERE = "/settings/statuses"


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One stage, and since when it follows; None while it only proposes."""

    stage: Stage
    word: Word
    chosen: OptedIn | None


class StatusesView(msgspec.Struct, frozen=True, kw_only=True):
    choices: list[Choice]

    @property
    def on(self) -> int:
        return sum(choice.chosen is not None for choice in self.choices)


@get(HERE, include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    async with visit.unit() as unit:
        now = {found.stage: found for found in await opted_in(unit)}
    choices = [Choice(stage=stage, word=STAGES[stage], chosen=now.get(stage)) for stage in OFFERED]
    return visit.page("settings_statuses.html", StatusesView(choices=choices))


@post(HERE, include_in_schema=False)
async def save(visit: NamedDependency[Visit]) -> Redirect:
    """The ticked boxes are all that follow from now on; what is not a stage is not looked at."""
    form = await read_form(visit.request)
    wanted = chosen(form.every("stage"))
    async with visit.unit() as unit:
        before = [found.stage for found in await opted_in(unit)]
        await opt_in(unit, wanted, now=visit.clock.now())
    names = ", ".join(STAGES[stage].text.lower() for stage in wanted)
    told = f"From now on these follow by themselves: {names}." if wanted else "Newer mail only proposes."
    return visit.leave(HERE, told, undo=Undo(action=f"{HERE}/restore", fields={"stages": " ".join(before)}))


@post(f"{HERE}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit]) -> Redirect:
    form = await read_form(visit.request)
    async with visit.unit() as unit:
        await opt_in(unit, chosen(form.value("stages").split()), now=visit.clock.now())
    return visit.leave(HERE, "As it was before.")


ROUTES = (show, save, restore)
