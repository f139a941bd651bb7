"""What an employer waits for, marked as done by the person, and taken back."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.visits import Visit, local
from matcher.asks.store import reopen_ask, settle_ask
from schema.ids import AskId


@post("/asks/{ask_id:int}/done", include_in_schema=False)
async def done(visit: NamedDependency[Visit], ask_id: FromPath[int]) -> Redirect:
    """Back to where the button was, which the form says in `back`."""
    back = local((await read_form(visit.request)).value("back") or "/")
    async with visit.unit() as unit:
        await settle_ask(unit, AskId(ask_id), now=visit.clock.now())
    return visit.leave(
        back, "Marked as done.", undo=Undo(action=f"/asks/{ask_id}/reopen", fields={"back": back})
    )


@post("/asks/{ask_id:int}/reopen", include_in_schema=False)
async def reopen(visit: NamedDependency[Visit], ask_id: FromPath[int]) -> Redirect:
    back = local((await read_form(visit.request)).value("back") or "/")
    async with visit.unit() as unit:
        await reopen_ask(unit, AskId(ask_id))
    return visit.leave(back, "Open again.")


ROUTES = (done, reopen)
