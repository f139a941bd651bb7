"""The form by which somebody gets an account: the owner on the first visit, everybody else by invitation."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.accounts import doors
from backend.accounts.doors import Newcomer
from backend.accounts.rules import (
    EMAIL_MAX,
    NAME_MAX,
    PASSWORD_MAX,
    address,
    is_address,
    is_time_zone,
    password_fault,
)
from backend.accounts.store import AddressTaken
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visitor

TOKEN_MAX = 200
FIRST_RUN = "/first-run"


class NewcomerView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    action: str
    token: str = ""
    note: str = ""


@get("/welcome", include_in_schema=False)
async def welcome(
    visitor: NamedDependency[Visitor],
    token: Annotated[str, QueryParameter(max_length=TOKEN_MAX)] = "",
) -> Html:
    await doors.require_owner_door(
        visitor.parts.database,
        token=token,
        on_this_machine=visitor.is_on_this_machine,
        peer=visitor.peer,
    )
    return visitor.page("welcome.html", NewcomerView(form=Form({}), action="/welcome", token=token))


@post("/welcome", include_in_schema=False)
async def owner(visitor: NamedDependency[Visitor]) -> Html | Redirect:
    form = await read_form(visitor.request)
    token = form.value("token")[:TOKEN_MAX]
    newcomer = newcomer_of(form)
    if form.ok:
        made = await doors.become_owner(
            visitor.parts.database,
            visitor.parts.clock,
            newcomer,
            token=token,
            on_this_machine=visitor.is_on_this_machine,
            peer=visitor.peer,
        )
        return await visitor.enter(made, FIRST_RUN)
    view = NewcomerView(form=form, action="/welcome", token=token)
    return visitor.page("welcome.html", view, status=400)


@get("/invitation/{code:str}", include_in_schema=False)
async def invited(visitor: NamedDependency[Visitor], code: FromPath[str]) -> Html:
    found = await doors.invitation(
        visitor.parts.database, visitor.parts.clock, code[:TOKEN_MAX], peer=visitor.peer
    )
    view = NewcomerView(form=Form({}), action=f"/invitation/{code}", note=found.note)
    return visitor.page("welcome.html", view)


@post("/invitation/{code:str}", include_in_schema=False)
async def accepted(visitor: NamedDependency[Visitor], code: FromPath[str]) -> Html | Redirect:
    form = await read_form(visitor.request)
    newcomer = newcomer_of(form)
    if form.ok:
        try:
            made = await doors.accept(
                visitor.parts.database,
                visitor.parts.clock,
                newcomer,
                code=code[:TOKEN_MAX],
                peer=visitor.peer,
            )
            return await visitor.enter(made, FIRST_RUN)
        except AddressTaken as refusal:
            form.refuse("email", refusal.detail)
    return visitor.page("welcome.html", NewcomerView(form=form, action=f"/invitation/{code}"), status=400)


def newcomer_of(form: Form) -> Newcomer:
    """What the form says, its faults noted in it. A zone we do not know is UTC until the person says more."""
    name = form.text("name", "Name", limit=NAME_MAX)
    email = address(form.text("email", "E-mail address", limit=EMAIL_MAX))
    if email and not is_address(email):
        form.refuse("email", "E-mail address: write it like name@example.org.")
    password = form.text("password", "Password", limit=PASSWORD_MAX, strip=False)
    fault = password_fault(password, email=email, name=name) if password else None
    if fault:
        form.refuse("password", fault)
    zone = form.value("time_zone")
    return Newcomer(
        name=name, email=email, password=password, time_zone=zone if is_time_zone(zone) else "UTC"
    )


ROUTES = (welcome, owner, invited, accepted)
