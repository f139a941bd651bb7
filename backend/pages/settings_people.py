"""Invitations: how the operator lets further people make an account of their own."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.accounts import doors, store
from backend.accounts.types import InvitationId
from backend.http.forms import read_form
from backend.http.visits import Html, Visit
from backend.pages.settings import shown
from schema.errors import Missing

NOTE_MAX = 200


@post("/settings/invitations", include_in_schema=False, status_code=200)
async def invite(visit: NamedDependency[Visit]) -> Html:
    """A link for one more person, shown on this answer and nowhere else."""
    visit.require_operator()
    form = await read_form(visit.request)
    note = form.text("note", "Note", limit=NOTE_MAX, required=False)
    if not form.ok:
        return await shown(visit, invitation=form, status=400)
    async with visit.unit() as unit:
        code = await doors.invite(unit, visit.clock, note)
    return await shown(visit, invitation_link=f"{visit.address}/invitation/{code}")


@post("/settings/invitations/{invitation_id:int}/revoke", include_in_schema=False)
async def revoke(visit: NamedDependency[Visit], invitation_id: FromPath[int]) -> Redirect:
    visit.require_operator()
    async with visit.unit() as unit:
        if not await store.revoke_invitation(unit, InvitationId(invitation_id), visit.clock.now()):
            raise Missing
    return visit.leave("/settings", "The invitation was withdrawn.")


ROUTES = (invite, revoke)
