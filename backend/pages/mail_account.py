"""One mailbox at Gmail: how far it is, what became of its messages, and how to leave it again."""

from datetime import datetime

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.rendering import plural
from backend.http.visits import Html, Visit
from backend.mail.gmail import GmailDoor, who_of
from backend.mail.standing import Standing, is_paused, standing
from backend.mail.store import kept_of
from backend.mail.types import Kept
from backend.mail.words import told_trouble
from backend.today.store import mail_daemons
from mailsync.gmail.deletion import ask_for_deletion, deletion_key
from mailsync.gmail.ledger.store import try_again
from mailsync.gmail.types import Who
from schema.ids import MailboxId
from schema.requests import UnderWay, under_way

GOOGLES_PAGE = "https://myaccount.google.com/permissions"


class AccountView(msgspec.Struct, frozen=True, kw_only=True):
    here: Standing
    kept: Kept
    now: datetime
    trouble: str
    """The last trouble in words; empty: none."""
    is_paused: bool
    deletion: UnderWay | None
    """The task that deletes its mail."""
    googles_page: str = GOOGLES_PAGE


class DeletionView(msgspec.Struct, frozen=True, kw_only=True):
    here: Standing
    kept: Kept
    form: Form


@get("/settings/mail/{mailbox_id:int}", include_in_schema=False)
async def show(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Html:
    here, kept = await _stands(visit, gmail, who_of(visit.account.id, mailbox_id))
    now, code = visit.clock.now(), here.status.last_error
    key = deletion_key(MailboxId(mailbox_id))
    async with visit.unit() as unit:
        deletion = (await under_way(unit, [key])).get(key)
    view = AccountView(
        here=here,
        kept=kept,
        now=now,
        trouble=told_trouble(code) if code else "",
        is_paused=is_paused(here.status, now),
        deletion=deletion,
    )
    return visit.page("mail_account.html", view)


async def _stands(visit: Visit, gmail: GmailDoor, who: Who) -> tuple[Standing, Kept]:
    """Raises `Missing`."""
    status = await gmail.one(who)
    async with visit.unit() as unit:
        kept = await kept_of(unit, who.mailbox_id)
        daemons = (await mail_daemons(unit)).present
    return standing(status, visit.clock.now(), daemons=daemons), kept


@post("/settings/mail/{mailbox_id:int}/look", include_in_schema=False)
async def look(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Redirect:
    """Ask Gmail at once instead of in a minute."""
    await (await gmail.connections()).wake(who_of(visit.account.id, mailbox_id))
    return visit.leave(f"/settings/mail/{mailbox_id}", "Gmail is asked for news now.")


@post("/settings/mail/{mailbox_id:int}/again", include_in_schema=False)
async def again(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Redirect:
    """Read once more what was set aside."""
    who = who_of(visit.account.id, mailbox_id)
    await gmail.one(who)
    async with visit.unit() as unit:
        number = await try_again(unit, who.mailbox_id)
    await (await gmail.connections()).wake(who)
    return visit.leave("/mail/aside", f"{plural(number, 'message is', 'messages are')} read once more.")


@post("/settings/mail/{mailbox_id:int}/disconnect", include_in_schema=False)
async def disconnect(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Redirect:
    done = await (await gmail.connections()).disconnect(who_of(visit.account.id, mailbox_id))
    to = f"/settings/mail/{mailbox_id}"
    if done.revoked:
        return visit.leave(to, "Disconnected. The access was given back to Google and deleted here.")
    text = "Disconnected and deleted here. Google did not confirm it: remove Jobtrail on Google's page, too."
    return visit.leave(to, text, tone="refused")


@get("/settings/mail/{mailbox_id:int}/delete", include_in_schema=False)
async def confirm(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Html:
    here, kept = await _stands(visit, gmail, who_of(visit.account.id, mailbox_id))
    return visit.page("mail_delete.html", DeletionView(here=here, kept=kept, form=Form({})))


@post("/settings/mail/{mailbox_id:int}/delete", include_in_schema=False)
async def delete(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Html | Redirect:
    """Disconnects first where that is needed: a connected mailbox would bring its mail back."""
    form = await read_form(visit.request)
    who = who_of(visit.account.id, mailbox_id)
    here, kept = await _stands(visit, gmail, who)
    if form.value("address").strip().casefold() != here.status.address.casefold():
        form.refuse("address", f"Type {here.status.address} to delete its mail. Nothing was deleted.")
        return visit.page("mail_delete.html", DeletionView(here=here, kept=kept, form=form), status=400)
    if here.status.state != "disconnected":
        await (await gmail.connections()).disconnect(who)
    async with visit.unit() as unit:
        await ask_for_deletion(unit, who.mailbox_id)
    return visit.leave(f"/settings/mail/{mailbox_id}", "Disconnected. Its mail is being deleted now.")


ROUTES = (show, look, again, disconnect, confirm, delete)
