"""Who a request belongs to, and how its handler answers: the two dependencies every handler asks for.

`person` is the signed-in account of an API call; `visit` is that of a page, with the layout's needs and the
ways a page ends: shown, shown again with faults, or left for another with a word and an undo. `visitor` is
somebody on a page who has not signed in.
"""

from contextlib import AbstractAsyncContextManager
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from backend.accounts import sessions
from backend.accounts.types import Account, Session
from backend.http import cookies, flash
from backend.http.answers import wants_page
from backend.http.flash import Flash, Undo
from backend.http.navigation import nav
from backend.http.origin import is_loopback
from backend.http.parts import Parts, parts_of
from backend.http.refusals import OperatorsOnly, SignInNeeded
from backend.http.rendering import Chrome
from backend.http.requests import Req
from backend.today import store
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Missing
from schema.ids import AccountId

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
Html = Response[str]


class Person:
    """A signed-in account. `async with person.unit() as unit` is one transaction in its scope."""

    def __init__(self, parts: Parts, signed_in: sessions.SignedIn) -> None:
        self.parts = parts
        self.account: Account = signed_in.account
        self.session: Session = signed_in.session

    @property
    def database(self) -> Database:
        return self.parts.database

    @property
    def clock(self) -> Clock:
        return self.parts.clock

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        return self.database.as_account(self.account.id)

    def require_operator(self) -> None:
        if not self.account.is_operator:
            raise OperatorsOnly

    def require_operations(self) -> None:
        """For the operator's own place, which answers everybody else as if it were not there."""
        if not self.account.is_operator:
            raise Missing


class Visit(Person):
    """A signed-in person on a page."""

    def __init__(self, parts: Parts, signed_in: sessions.SignedIn, request: Req, chrome: Chrome) -> None:
        super().__init__(parts, signed_in)
        self.request = request
        self.chrome = chrome

    @property
    def address(self) -> str:
        """The address under which the person reaches this server, for typing into another program."""
        return self.parts.settings.http.public_url.rstrip("/") or f"http://{self.request.headers['host']}"

    @property
    def wants_page(self) -> bool:
        """Whether a person looks at the answer; a program gets a problem where a page would explain."""
        return wants_page(self.request.url.path, self.request.headers.get("accept", ""))

    def page(self, template: str, view: msgspec.Struct, status: int = 200) -> Html:
        """The page itself. A form with faults is shown again with status 400."""
        return _shown(self.parts, self.chrome, template, view, status)

    def leave(
        self, to: str, text: str = "", *, undo: Undo | None = None, tone: Literal["done", "refused"] = "done"
    ) -> Redirect:
        """On to another page by GET, with one sentence about what was done and how to undo it."""
        kept: list[Cookie] = []
        token = cookies.token_of(self.request, secure=self.parts.secure)
        if text and token:
            sealed = flash.seal(Flash(text=text, tone=tone, undo=undo), token)
            kept = [cookies.of_flash(sealed, secure=self.parts.secure)]
        return Redirect(to, status_code=HTTP_303_SEE_OTHER, cookies=kept)


class Visitor:
    """Somebody on a page who is not signed in, at one of the doors."""

    def __init__(self, parts: Parts, request: Req) -> None:
        self.parts = parts
        self.request = request
        self.chrome = Chrome(path=request.url.path, now=parts.clock.now())

    @property
    def peer(self) -> str:
        return self.request.client.host if self.request.client else "unknown"

    @property
    def is_on_this_machine(self) -> bool:
        return is_on_this_machine(self.request, self.parts)

    def page(self, template: str, view: msgspec.Struct, status: int = 200) -> Html:
        return _shown(self.parts, self.chrome, template, view, status)

    async def enter(self, account_id: AccountId, to: str) -> Redirect:
        """Sign in as `account_id` with a new session, whatever the browser brought, and go `to`."""
        await self.end_session()
        agent = self.request.headers.get("user-agent", "")
        token = await sessions.start(self.parts.database, self.parts.clock, account_id, agent)
        kept = [cookies.of_session(token, secure=self.parts.secure)]
        return Redirect(local(to), status_code=HTTP_303_SEE_OTHER, cookies=kept)

    async def end_session(self) -> None:
        """End the session this browser has, if it has one."""
        token = cookies.token_of(self.request, secure=self.parts.secure)
        if token:
            await sessions.end(self.parts.database, token)


def is_on_this_machine(request: Req, parts: Parts) -> bool:
    """Whether the browser runs where the server runs. Behind a proxy everybody looks like that."""
    forwarded = any(name in request.headers for name in FORWARDED) or bool(parts.settings.http.public_url)
    host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    peer = request.client.host if request.client else ""
    return is_loopback(peer) and is_loopback(host) and not forwarded


def local(address: str) -> str:
    """`address` when it stays on this server, else the first page: a link must not send people elsewhere."""
    ours = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if ours and address.isprintable() else "/"


def _shown(parts: Parts, chrome: Chrome, template: str, view: msgspec.Struct, status: int) -> Html:
    html = parts.renderer.render(template, view, chrome)
    gone = [cookies.dropped(flash.COOKIE, secure=parts.secure)] if chrome.flash else []
    return Response(html, status_code=status, media_type="text/html", cookies=gone)


async def provide_visitor(request: Req, parts: NamedDependency[Parts]) -> Visitor:
    return Visitor(parts, request)


async def provide_parts(request: Req) -> Parts:
    return parts_of(request)


async def provide_person(request: Req, parts: NamedDependency[Parts]) -> Person:
    session = await _session(request, parts)
    async with parts.database.as_account(session.account_id) as unit:
        return Person(parts, await _signed_in(unit, session, parts))


async def provide_visit(request: Req, parts: NamedDependency[Parts]) -> Visit:
    session = await _session(request, parts)
    async with parts.database.as_account(session.account_id) as unit:
        signed_in = await _signed_in(unit, session, parts)
        needs = await store.needs(unit)
    chrome = Chrome(
        path=request.url.path,
        now=parts.clock.now(),
        account=signed_in.account,
        nav=nav(needs, is_operator=signed_in.account.is_operator),
        flash=_flash(request, parts),
    )
    return Visit(parts, signed_in, request, chrome)


async def _session(request: Req, parts: Parts) -> Session:
    token = cookies.token_of(request, secure=parts.secure)
    found = await sessions.presented(parts.database, parts.clock, token) if token else None
    if found is None:
        raise SignInNeeded
    return found


async def _signed_in(unit: Unit, session: Session, parts: Parts) -> sessions.SignedIn:
    found = await sessions.seen(unit, session, parts.clock.now())
    if found is None:
        raise SignInNeeded
    return found


def _flash(request: Req, parts: Parts) -> Flash | None:
    if "x-live" in request.headers:
        return None  # a page refreshing itself must not take the word meant for the next one
    sealed = request.cookies.get(cookies.name(flash.COOKIE, secure=parts.secure))
    token = cookies.token_of(request, secure=parts.secure)
    return flash.unseal(sealed, token) if sealed and token else None
