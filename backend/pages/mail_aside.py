"""Set aside: everything that could not be read, of archives and of Gmail, and why."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from backend.mail.store import aside
from backend.mail.types import Aside, AsideKey
from schema.ids import MailboxId

ROWS = 50


class AsideView(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[Aside]
    next: str | None
    mailboxes: list[tuple[MailboxId, str]]
    """Mailboxes at Gmail among the rows: their messages can be fetched once more."""


@get("/mail/aside", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    place = key_of(after, AsideKey)
    async with visit.unit() as unit:
        page = await aside(unit, after=place, rows=ROWS)
    mailboxes = {row.mailbox_id: row.source for row in page.rows if row.mailbox_id is not None}
    view = AsideView(
        rows=page.rows,
        next=cursor(page.next) if page.next else None,
        mailboxes=list(mailboxes.items()),
    )
    return visit.page("mail_aside.html", view)


ROUTES = (listed,)
