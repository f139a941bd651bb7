"""The way back from Google: its answer is taken once, and each way it can end has a page saying what to do.

The address Google calls carries the code; it is left at once, so that no reload or bookmark asks again.
"""

from typing import Annotated, Literal, get_args

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.visits import Html, Visit
from backend.mail.gmail import GmailDoor, who_of
from backend.pages.mail_accounts import session_hash
from mailsync.gmail.consent.rules import CALLBACK_PATH
from mailsync.gmail.consent.types import Consented
from schema.errors import Missing, Refusal
from schema.ids import MailboxId
from schema.text import clean

Answer = Literal[
    "denied", "scope_declined", "refresh_missing", "unknown", "refused", "unreachable", "another_account"
]
ANSWERS: tuple[Answer, ...] = get_args(Answer)
_REFUSALS: dict[str, Answer] = {
    "consent_unknown": "unknown",
    "consent_refused": "refused",
    "google_unreachable": "unreachable",
    "wrong_google_account": "another_account",
}
_LONGEST = 4000


class AnswerView(msgspec.Struct, frozen=True, kw_only=True):
    """`mailbox_id`: what is connected again by the button; None: a new connection."""

    answer: Answer
    mailbox_id: MailboxId | None
    address: str
    still_works: bool
    """Whether the connection from before goes on."""
    is_operator: bool


@get(CALLBACK_PATH, include_in_schema=False)
async def came_back(
    visit: NamedDependency[Visit],
    gmail: NamedDependency[GmailDoor],
    given: Annotated[str, QueryParameter(name="state", max_length=_LONGEST)] = "",
    code: Annotated[str, QueryParameter(max_length=_LONGEST)] = "",
    error: Annotated[str, QueryParameter(max_length=_LONGEST)] = "",
) -> Redirect:
    door = await gmail.connections()
    try:
        done = await door.finish(
            visit.account.id,
            session_hash=session_hash(visit),
            state=clean(given),
            code=clean(code),
            error=clean(error),
        )
    except Refusal as refusal:
        answer = _REFUSALS.get(refusal.code)
        if answer is None or not visit.wants_page:
            raise
        told = refusal.detail if answer == "another_account" else ""
        return visit.leave(f"/settings/mail/answer/{answer}", told, tone="refused")
    return _left(visit, done)


def _left(visit: Visit, done: Consented) -> Redirect:
    if done.end == "connected":
        text = f"{done.address} is connected. Reading begins by itself."
        return visit.leave(f"/settings/mail/{done.mailbox_id}", text)
    about = "" if done.mailbox_id is None else f"?mailbox={done.mailbox_id}"
    return visit.leave(f"/settings/mail/answer/{done.end}{about}")


@get("/settings/mail/answer/{answer:str}", include_in_schema=False)
async def answered(
    visit: NamedDependency[Visit],
    gmail: NamedDependency[GmailDoor],
    answer: FromPath[str],
    mailbox: Annotated[int | None, QueryParameter(ge=1, le=2**63 - 1)] = None,
) -> Html:
    known: Answer | None = next((each for each in ANSWERS if each == answer), None)
    if known is None:
        raise Missing
    about = None if mailbox is None else await gmail.one(who_of(visit.account.id, mailbox))
    view = AnswerView(
        answer=known,
        mailbox_id=None if about is None else about.mailbox_id,
        address="" if about is None else about.address,
        still_works=about is not None and about.state == "connected",
        is_operator=visit.account.is_operator,
    )
    return visit.page("mail_answer.html", view)


ROUTES = (came_back, answered)
