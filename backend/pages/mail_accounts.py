"""Mail accounts: the mailboxes at Gmail, how each stands, and the way to Google that connects one."""

from datetime import datetime

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from backend.accounts.rules import token_hash
from backend.http import cookies
from backend.http.visits import Html, Visit
from backend.mail.gmail import ClientShown, GmailDoor, is_taken_by_google, way_back
from backend.mail.standing import Standing, standing
from backend.today.store import mail_daemons
from schema.ids import MailboxId


class AccountsView(msgspec.Struct, frozen=True, kw_only=True):
    mailboxes: list[Standing]
    client: ClientShown
    is_operator: bool
    address: str
    is_address_good: bool
    """Whether Google would send people back to the address they use now."""


class LeavingView(msgspec.Struct, frozen=True, kw_only=True):
    """The page between Jobtrail and Google. Leaving from it, and not by the form itself, keeps the policy of
    our pages strict: no form of theirs leads anywhere but here."""

    url: str
    expires_at: datetime


@get("/settings/mail", include_in_schema=False)
async def listed(visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor]) -> Html:
    view = AccountsView(
        mailboxes=await standings(visit, gmail),
        client=await gmail.client(),
        is_operator=visit.account.is_operator,
        address=visit.address,
        is_address_good=is_taken_by_google(visit.address),
    )
    return visit.page("mail_accounts.html", view)


async def standings(visit: Visit, gmail: GmailDoor) -> list[Standing]:
    """Every mailbox of the person, in words."""
    found = await gmail.every(visit.account.id)
    async with visit.unit() as unit:
        daemons = (await mail_daemons(unit)).present
    now = visit.clock.now()
    return [standing(status, now, daemons=daemons) for status in found]


@post("/settings/mail/connect", include_in_schema=False, status_code=200)
async def connect(visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor]) -> Html:
    return await _leaving(visit, gmail, None)


@post("/settings/mail/{mailbox_id:int}/connect", include_in_schema=False, status_code=200)
async def reconnect(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Html:
    return await _leaving(visit, gmail, MailboxId(mailbox_id))


async def _leaving(visit: Visit, gmail: GmailDoor, mailbox_id: MailboxId | None) -> Html:
    started = await (await gmail.connections()).start(
        visit.account.id,
        session_hash=session_hash(visit),
        redirect_url=way_back(visit.address),
        mailbox_id=mailbox_id,
    )
    return visit.page("mail_leaving.html", LeavingView(url=started.url, expires_at=started.expires_at))


def session_hash(visit: Visit) -> str:
    """What a visit to Google is bound to: only the browser that left may come back with the answer."""
    return token_hash(cookies.token_of(visit.request, secure=visit.parts.secure) or "")


ROUTES = (listed, connect, reconnect)
