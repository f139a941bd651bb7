"""What keeps an account safe: its password, its sessions, its paired browsers."""

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.accounts import doors, store
from backend.accounts.rules import PASSWORD_MAX, password_fault
from backend.accounts.types import SessionId
from backend.http.forms import read_form
from backend.http.visits import Html, Visit
from backend.pages.settings import shown
from extension_api.pairing.exchange import revoke, start_pairing
from schema.errors import Missing
from schema.ids import DeviceId
from schema.throttle import TooManyAttempts


@post("/settings/password", include_in_schema=False)
async def change_password(visit: NamedDependency[Visit]) -> Html | Redirect:
    """The new password; every other browser is signed out by it."""
    form = await read_form(visit.request)
    old = form.text("old", "Present password", limit=PASSWORD_MAX, strip=False)
    new = form.text("new", "New password", limit=PASSWORD_MAX, strip=False)
    fault = password_fault(new, email=visit.account.email, name=visit.account.display_name) if new else None
    if fault:
        form.refuse("new", fault)
    if form.ok:
        try:
            await doors.change_password(visit.database, visit.account, visit.session, old=old, new=new)
            return visit.leave("/settings", "Password changed. Every other browser was signed out.")
        except (doors.WrongCredentials, TooManyAttempts) as refusal:
            form.refuse("old", refusal.detail)
    return await shown(visit, password=form, status=400)


@post("/settings/sessions/{session_id:int}/end", include_in_schema=False)
async def end_session(visit: NamedDependency[Visit], session_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        if not await store.end_session(unit, SessionId(session_id)):
            raise Missing
    return visit.leave("/settings", "That browser was signed out.")


@post("/settings/devices/code", include_in_schema=False, status_code=200)
async def pairing_code(visit: NamedDependency[Visit]) -> Html:
    """A fresh pairing code, shown on this answer and nowhere else."""
    async with visit.unit() as unit:
        code = await start_pairing(unit, visit.clock.now())
    return await shown(visit, code=code)


@post("/settings/devices/{device_id:int}/revoke", include_in_schema=False)
async def revoke_device(visit: NamedDependency[Visit], device_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await revoke(unit, DeviceId(device_id), visit.clock.now())
    return visit.leave("/settings", "That browser may no longer act for you. Pair it again to undo this.")


ROUTES = (change_password, end_session, pairing_code, revoke_device)
