"""Language model: whether one may read open mail or write drafts, and what would be sent. Off by default."""

from urllib.parse import urlsplit

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.forms import read_form
from backend.http.origin import is_loopback
from backend.http.visits import Html, Visit
from backend.mail.store import counts
from extension_api.drafts.store import let_model_write, may_write
from mailsync.classify.language_model.asking import let_model_read
from mailsync.classify.language_model.store import may_read
from pipeline.usage.store import Switch, current_switch

ANSWERS = {"yes", "no"}


class ModelView(msgspec.Struct, frozen=True, kw_only=True):
    """`switch` None: the operator never touched it. `is_enabled` and the model are those of this machine."""

    allowed: bool
    may_write: bool
    """Whether it may write drafts; a permission of its own."""
    is_present: bool
    is_enabled: bool
    name: str
    host: str
    is_here: bool
    """Whether that is this very machine."""
    is_sealed: bool
    """Whether nobody on the way can read what is sent."""
    open: int
    switch: Switch | None
    is_operator: bool

    @property
    def is_stopped(self) -> bool:
        """Whether the operator holds every request back at the moment."""
        return not self.is_enabled or (self.switch is not None and not self.switch.allowed)


@get("/settings/model", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    model = visit.parts.settings.model
    address = urlsplit(model.url)
    async with visit.unit() as unit:
        view = ModelView(
            allowed=await may_read(unit),
            may_write=await may_write(unit),
            is_present=model.is_present(),
            is_enabled=model.enabled,
            name=model.name,
            host=address.hostname or model.url,
            is_here=is_loopback(address.hostname or ""),
            is_sealed=address.scheme == "https",
            open=(await counts(unit)).open,
            switch=await current_switch(unit),
            is_operator=visit.account.is_operator,
        )
    return visit.page("settings_model.html", view)


@post("/settings/model", include_in_schema=False)
async def answer(visit: NamedDependency[Visit]) -> Redirect:
    form = await read_form(visit.request)
    allowed = form.choice("allowed", "Answer", ANSWERS) == "yes"
    form.require_ok()
    if allowed and not visit.parts.settings.model.is_present():
        text = "There is no language model here yet, so there is nothing to allow. Nothing is sent."
        return visit.leave("/settings/model", text, tone="refused")
    async with visit.unit() as unit:
        await let_model_read(unit, allowed=allowed, now=visit.clock.now())
    told = "A language model may read your open mail." if allowed else "No language model reads your mail."
    return visit.leave("/settings/model", told)


@post("/settings/model/drafts", include_in_schema=False)
async def answer_drafts(visit: NamedDependency[Visit]) -> Redirect:
    form = await read_form(visit.request)
    allowed = form.choice("allowed", "Answer", ANSWERS) == "yes"
    form.require_ok()
    if allowed and not visit.parts.settings.model.is_present():
        text = "There is no language model here yet, so there is nothing to allow. Nothing is sent."
        return visit.leave("/settings/model", text, tone="refused")
    async with visit.unit() as unit:
        await let_model_write(unit, allowed=allowed, now=visit.clock.now())
    told = (
        "A language model may write drafts for you."
        if allowed
        else "No language model writes drafts for you."
    )
    return visit.leave("/settings/model", told)


ROUTES = (show, answer, answer_drafts)
