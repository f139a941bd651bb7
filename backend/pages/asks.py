"""What an employer waits for, marked as done by the person, and taken back."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.visits import Visit, local
from matcher.resolutions.answering import resolve
from matcher.resolutions.items import item
from matcher.resolutions.names import ask_item
from matcher.resolutions.refusals import ChoiceNotEligible
from matcher.resolutions.types import Answer, Verb
from schema.ids import AskId


@post("/asks/{ask_id:int}/done", include_in_schema=False)
async def done(visit: NamedDependency[Visit], ask_id: FromPath[int]) -> Redirect:
    """Back to where the button was, which the form says in `back`."""
    back = local((await read_form(visit.request)).value("back") or "/")
    refused = await _answer(visit, AskId(ask_id), "mark_done")
    if refused is not None:
        return visit.leave(back, refused.detail, tone="refused")
    return visit.leave(
        back, "Marked as done.", undo=Undo(action=f"/asks/{ask_id}/reopen", fields={"back": back})
    )


@post("/asks/{ask_id:int}/reopen", include_in_schema=False)
async def reopen(visit: NamedDependency[Visit], ask_id: FromPath[int]) -> Redirect:
    back = local((await read_form(visit.request)).value("back") or "/")
    refused = await _answer(visit, AskId(ask_id), "undo")
    return visit.leave(back, refused.detail, tone="refused") if refused else visit.leave(back, "Open again.")


async def _answer(visit: Visit, ask_id: AskId, choice: Verb) -> ChoiceNotEligible | None:
    """The button says no more than the ask's name: whatever stands now is answered."""
    try:
        async with visit.unit() as unit:
            shown = await item(unit, ask_item(ask_id))
            await resolve(
                unit, shown.id, Answer(choice=choice, version=shown.version), now=visit.clock.now()
            )
    except ChoiceNotEligible as refused:
        return refused
    return None


ROUTES = (done, reopen)
