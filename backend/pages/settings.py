"""Settings: the account, who is signed in where, the paired browsers, invitations, and how the server is."""

from datetime import datetime

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.accounts import store
from backend.accounts.rules import LANGUAGES, NAME_MAX, is_time_zone, time_zones
from backend.accounts.types import Account, Invitation, Session
from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from extension_api.pairing.exchange import PairingCode
from extension_api.pairing.store import DeviceRow, devices, latest_code_used

ZONES = tuple((name, name) for name in time_zones())


class SettingsView(msgspec.Struct, frozen=True, kw_only=True):
    """One page of sections. The forms carry what was typed when one is shown again."""

    account: Account
    this_session: int
    sessions: list[Session]
    devices: list[DeviceRow]
    invitations: list[Invitation]
    person: Form
    password: Form
    invitation: Form
    address: str
    now: datetime
    is_used: bool
    """The pairing code that was shown last has paired a browser: it is worth nothing any more."""
    code: PairingCode | None = None
    invitation_link: str | None = None
    zones: tuple[tuple[str, str], ...] = ZONES
    languages: tuple[tuple[str, str], ...] = tuple(LANGUAGES.items())


async def shown(
    visit: Visit,
    *,
    person: Form | None = None,
    password: Form | None = None,
    invitation: Form | None = None,
    code: PairingCode | None = None,
    invitation_link: str | None = None,
    status: int = 200,
) -> Html:
    """The settings page, with one of its forms shown again or something that is told only once."""
    async with visit.unit() as unit:
        sessions = await store.open_sessions(unit, visit.clock.now())
        paired = await devices(unit)
        is_used = await latest_code_used(unit)
        invitations = await store.invitations(unit) if visit.account.is_operator else []
    now = visit.account
    known = Form.of(name=now.display_name, time_zone=now.time_zone, language=now.language)
    view = SettingsView(
        account=now,
        this_session=visit.session.id,
        sessions=sessions,
        devices=paired,
        invitations=invitations,
        person=person or known,
        password=password or Form({}),
        invitation=invitation or Form({}),
        address=visit.address,
        now=visit.clock.now(),
        is_used=is_used,
        code=code,
        invitation_link=invitation_link,
    )
    return visit.page("settings.html", view, status=status)


@get("/settings", include_in_schema=False)
async def settings(visit: NamedDependency[Visit]) -> Html:
    return await shown(visit)


@post("/settings/account", include_in_schema=False)
async def save_account(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    name = form.text("name", "Name", limit=NAME_MAX)
    language = form.choice("language", "Language", LANGUAGES)
    zone = form.value("time_zone")
    if not is_time_zone(zone):
        form.refuse("time_zone", "Time zone: choose one of the list.")
    if not form.ok:
        return await shown(visit, person=form, status=400)
    async with visit.unit() as unit:
        await store.set_person(unit, name=name, time_zone=zone, language=language)
    before = visit.account
    undo = Undo(
        action="/settings/account",
        fields={"name": before.display_name, "time_zone": before.time_zone, "language": before.language},
    )
    return visit.leave("/settings", "Account saved.", undo=undo)


ROUTES = (settings, save_account)
