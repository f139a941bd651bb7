"""The installation's own OAuth client at Google: how an operator makes one, and where it is entered.

The secret goes in and never comes out: no page shows it, also not the form that was refused.
"""

import msgspec
from litestar import get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.requests import Req
from backend.http.visits import Html, Visit
from backend.mail.client_file import FILE_MAX_BYTES, PART_MAX, Given, Wrong, check, knows, read_file
from backend.mail.gmail import ClientShown, GmailDoor, is_taken_by_google, way_back

_FORM_MAX_BYTES = 2 * FILE_MAX_BYTES


class ClientView(msgspec.Struct, frozen=True, kw_only=True):
    client: ClientShown
    form: Form
    way_back: str
    is_address_good: bool


@get("/settings/mail/client", include_in_schema=False)
async def show(visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor]) -> Html:
    visit.require_operator()
    return await _page(visit, gmail, Form({}))


async def _page(visit: Visit, gmail: GmailDoor, form: Form, *, status: int = 200) -> Html:
    view = ClientView(
        client=await gmail.client(),
        form=form,
        way_back=way_back(visit.address),
        is_address_good=is_taken_by_google(visit.address),
    )
    return visit.page("mail_client.html", view, status=status)


@post("/settings/mail/client", include_in_schema=False, request_max_body_size=_FORM_MAX_BYTES)
async def enter(visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor]) -> Html | Redirect:
    visit.require_operator()
    form = await read_form(visit.request)
    given = _given(form, await _file(visit.request))
    if given is not None and not knows(given, way_back(visit.address)):
        form.refuse("file", _not_the_way(visit, given))
    if given is None or not form.ok:
        return await _page(visit, gmail, form, status=400)
    await gmail.enter_client(visit.account.id, given.client_id, given.client_secret)
    return visit.leave("/settings/mail", "The OAuth client is stored, sealed. Now connect a mailbox.")


@post("/settings/mail/client/forget", include_in_schema=False)
async def forget(visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor]) -> Redirect:
    visit.require_operator()
    await gmail.forget_client(visit.account.id)
    return visit.leave(
        "/settings/mail/client", "The OAuth client is forgotten here. At Google it still exists."
    )


async def _file(request: Req) -> bytes:
    """What was uploaded; it stays in memory."""
    sent = (await request.form()).get("file")
    return await sent.read() if isinstance(sent, UploadFile) else b""


def _given(form: Form, file: bytes) -> Given | None:
    """The client of the file, else the one typed; None when something is wrong, which the form then says."""
    try:
        if file:
            return read_file(file)
        client_id = form.text("client_id", "Client ID", limit=PART_MAX)
        client_secret = form.text("client_secret", "Client secret", limit=PART_MAX)
        return check(client_id, client_secret) if form.ok else None
    except Wrong as wrong:
        form.refuse(wrong.part, wrong.detail)
        return None


def _not_the_way(visit: Visit, given: Given) -> str:
    known = "no address to send people back to" if not given.returns else "other addresses than this one"
    return (
        f"The client in this file knows {known}. At Google, add {way_back(visit.address)} to its authorised "
        "redirect URIs, download the file once more, and choose it here."
    )


ROUTES = (show, enter, forget)
