"""Signing in and out. Every wrong answer reads the same and takes the same work."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from backend.accounts import doors, store
from backend.accounts.rules import EMAIL_MAX, PASSWORD_MAX, address
from backend.http import cookies
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit, Visitor, local
from schema.throttle import TooManyAttempts

NEXT_MAX = 2000
UNSAVED = "unsaved"
"""In the address when a form was sent by somebody who was not signed in any more."""


class SignInView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    next: str = "/"
    ended: bool = False
    unsaved: bool = False


@get("/sign-in", include_in_schema=False)
async def sign_in(
    visitor: NamedDependency[Visitor],
    next: Annotated[str, QueryParameter(max_length=NEXT_MAX)] = "/",  # noqa: A002 - its name in the address
    ended: Annotated[str, QueryParameter(max_length=10)] = "",
) -> Html | Redirect:
    if not await doors.has_owner(visitor.parts.database):
        return Redirect("/welcome", status_code=HTTP_303_SEE_OTHER)
    view = SignInView(
        form=Form({}), next=local(next), ended=ended not in {"", UNSAVED}, unsaved=ended == UNSAVED
    )
    return visitor.page("sign_in.html", view)


@post("/sign-in", include_in_schema=False)
async def signed_in(visitor: NamedDependency[Visitor]) -> Html | Redirect:
    form = await read_form(visitor.request)
    email = address(form.text("email", "E-mail address", limit=EMAIL_MAX))
    password = form.text("password", "Password", limit=PASSWORD_MAX, strip=False)
    after = local(form.value("next") or "/")
    if form.ok:
        try:
            account_id = await doors.sign_in(
                visitor.parts.database, email=email, password=password, peer=visitor.peer
            )
            return await visitor.enter(account_id, after)
        except doors.WrongCredentials as refusal:
            form.refuse("email", refusal.detail)
        except TooManyAttempts as refusal:
            form.refuse("", f"{refusal.detail} Next try in {refusal.retry_after_seconds} seconds.")
            return visitor.page("sign_in.html", SignInView(form=form, next=after), status=429)
    return visitor.page("sign_in.html", SignInView(form=form, next=after), status=400)


@post("/sign-out", include_in_schema=False)
async def sign_out(visitor: NamedDependency[Visitor]) -> Redirect:
    await visitor.end_session()
    gone = [cookies.dropped(cookies.SESSION, secure=visitor.parts.secure)]
    return Redirect("/sign-in", status_code=HTTP_303_SEE_OTHER, cookies=gone)


@post("/sign-out/everywhere", include_in_schema=False)
async def sign_out_everywhere(visit: NamedDependency[Visit]) -> Redirect:
    """End every session of the account, this one last."""
    async with visit.unit() as unit:
        await store.end_other_sessions(unit, but=visit.session.id)
        await store.end_session(unit, visit.session.id)
    gone = [cookies.dropped(cookies.SESSION, secure=visit.parts.secure)]
    return Redirect("/sign-in", status_code=HTTP_303_SEE_OTHER, cookies=gone)


ROUTES = (sign_in, signed_in, sign_out, sign_out_everywhere)
