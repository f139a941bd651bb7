"""What of a mailbox is read: a search, labels, spam and trash. Nothing that was read is lost by a change."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.mail.gmail import GmailDoor, who_of
from mailsync.gmail.status import GmailStatus
from mailsync.gmail.types import Label

QUERY_MAX = 500
LABELS_MAX = 50
_LABEL_MAX = 200


class ScopeView(msgspec.Struct, frozen=True, kw_only=True):
    """`labels` None: Google does not tell them now, and the chosen ones stay as they are."""

    status: GmailStatus
    form: Form
    labels: list[Label] | None
    chosen: list[str]


@get("/settings/mail/{mailbox_id:int}/scope", include_in_schema=False)
async def show(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Html:
    status = await gmail.one(who_of(visit.account.id, mailbox_id))
    form = Form.of(query=status.narrow_query, spam="1" if status.include_spam else "")
    return await _page(visit, gmail, status, form, status.narrow_labels)


async def _page(
    visit: Visit, gmail: GmailDoor, status: GmailStatus, form: Form, chosen: list[str], *, code: int = 200
) -> Html:
    labels = None
    # A page that refreshes itself shows them already; each hint would be one more question to Google.
    if status.state == "connected" and "x-live" not in visit.request.headers:
        labels = await gmail.labels(who_of(visit.account.id, status.mailbox_id))
    view = ScopeView(status=status, form=form, labels=labels, chosen=chosen)
    return visit.page("mail_scope.html", view, status=code)


@post("/settings/mail/{mailbox_id:int}/scope", include_in_schema=False)
async def save(
    visit: NamedDependency[Visit], gmail: NamedDependency[GmailDoor], mailbox_id: FromPath[int]
) -> Html | Redirect:
    who = who_of(visit.account.id, mailbox_id)
    form = await read_form(visit.request)
    status = await gmail.one(who)
    query = " ".join(form.text("query", "Search", limit=QUERY_MAX, required=False).split())
    labels = list(dict.fromkeys(form.every("label")))
    if len(labels) > LABELS_MAX or any(len(label) > _LABEL_MAX for label in labels):
        form.refuse("label", f"Choose at most {LABELS_MAX} labels of the list.")
    if not form.ok:
        return await _page(visit, gmail, status, form, labels, code=400)
    door = await gmail.connections()
    await door.narrow(who, query=query, labels=labels, include_spam=form.ticked("spam"))
    return visit.leave(
        f"/settings/mail/{mailbox_id}",
        "Saved. The mailbox is gone through anew; what was read already is kept and not fetched again.",
    )


ROUTES = (show, save)
