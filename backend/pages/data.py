"""Your data: take everything along as one file, or delete the account."""

import asyncio

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Stream

from backend.accounts.rules import EMAIL_MAX, address
from backend.http import cookies
from backend.http.forms import Form, read_form
from backend.http.streaming import begun, streamed
from backend.http.visits import Html, Visit
from backend.leaving.archive import Send
from backend.leaving.deletion import Lost, OwnerStays, leave, require_may_leave, what_is_lost
from backend.leaving.export import export_account
from backend.mail.gmail import GmailDoor
from backend.pages.mail_account import GOOGLES_PAGE
from mailsync.gmail.mailbox.store import boxes
from schema.db import Unit
from schema.errors import Refusal

HERE = "/settings/data"
_AT_ONCE = 2
"""Exports one process makes at the same time: each holds a connection to the database as long as it takes."""
_exports = asyncio.Semaphore(_AT_ONCE)


class ExportsBusy(Refusal):
    """Too many downloads of this kind are being made right now; try again in a minute."""

    code = "exports_busy"
    kind = "too_many"


class DataView(msgspec.Struct, frozen=True, kw_only=True):
    """`stays`: why the account cannot be deleted at present; empty when it can."""

    lost: list[Lost]
    stays: str


class DeletionView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    lost: list[Lost]
    email: str
    stays: str
    has_gmail: bool
    """Whether access to a mailbox at Google is there to be given back."""
    is_last: bool
    """Whether it is the owner's: then the installation begins anew."""


class LeftView(msgspec.Struct, frozen=True, kw_only=True):
    unconfirmed: list[str]
    googles_page: str = GOOGLES_PAGE


@get(HERE, include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    async with visit.unit() as unit:
        view = DataView(lost=await what_is_lost(unit), stays=await _stays(unit))
    return visit.page("data.html", view)


async def _stays(unit: Unit) -> str:
    try:
        await require_may_leave(unit)
    except OwnerStays as refusal:
        return refusal.detail
    return ""


@get(HERE + "/everything.zip", include_in_schema=False)
async def everything(visit: NamedDependency[Visit]) -> Stream:
    """The zip, sent while it is made. Cut short it has no end, and every program says so."""
    if _exports.locked():
        raise ExportsBusy(retry_after_seconds=60)
    now = visit.clock.now()

    async def make(send: Send) -> None:
        async with _exports:
            await export_account(visit.database, visit.account.id, send, now=now)

    parts = await begun(streamed(make))
    name = f"jobtrail-{now:%Y-%m-%d}.zip"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Stream(parts, media_type="application/zip", headers=headers)


@get(HERE + "/delete", include_in_schema=False)
async def confirm(visit: NamedDependency[Visit]) -> Html:
    return await _confirm(visit, Form({}))


async def _confirm(visit: Visit, form: Form, status: int = 200) -> Html:
    async with visit.unit() as unit:
        view = DeletionView(
            form=form,
            lost=await what_is_lost(unit),
            email=visit.account.email,
            stays=await _stays(unit),
            has_gmail=any(box.state in ("connected", "grant_lost") for box in await boxes(unit)),
            is_last=visit.account.is_operator,
        )
    return visit.page("data_delete.html", view, status=status)


@post(HERE + "/delete", include_in_schema=False, status_code=200)
async def delete(visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor]) -> Html:
    """The one thing that cannot be undone, so that a name is typed for it."""
    form = await read_form(visit.request)
    typed = form.text("email", "E-mail address", limit=EMAIL_MAX)
    if form.ok and address(typed) != visit.account.email:
        form.refuse("email", f"Type {visit.account.email} to delete the account. Nothing was deleted.")
    if not form.ok:
        return await _confirm(visit, form, status=400)
    left = await leave(visit.database, visit.clock, gmail, visit.account.id)
    answer = visit.page("data_left.html", LeftView(unconfirmed=left.unconfirmed))
    answer.cookies.append(cookies.dropped(cookies.SESSION, secure=visit.parts.secure))
    return answer


ROUTES = (show, everything, confirm, delete)
