"""Review: one doubtful thing at a time, and the one way to answer it from a page.

The server declares which answers are open. Every form carries the version that was shown; when it was
superseded meanwhile, the fresh item is shown with what changed, and nothing was changed.
"""

from typing import Annotated, get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit, local
from backend.pages.review_views import Shown, item_page, left_words
from backend.review.addresses import item_id, path_of
from backend.review.changes import Seen
from backend.review.effects import told
from backend.review.names import names_of
from backend.review.pace import pace
from matcher.resolutions.answering import resolve
from matcher.resolutions.items import item
from matcher.resolutions.queue.store import waiting
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.types import Answer, ItemId, NewFromMessage, Place, Resolved, Verb
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ApplicationId

_CHOICES: frozenset[str] = frozenset(
    choice for part in get_args(Verb) for choice in (get_args(part) or (part,))
)
NAME_MAX = 300
VERSION_MAX = 100


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """The end of the queue; `skipped` is how much still waits."""

    skipped: int
    left_words: str


@get("/review", include_in_schema=False)
async def queue(
    visit: NamedDependency[Visit],
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html | Redirect:
    """The next question. It has an address of its own, so that it is not replaced while it is read."""
    place = key_of(after, Place)
    async with visit.unit() as unit:
        page = await waiting(unit, after=place, limit=1)
        if page.lines:
            return visit.leave(path_of(page.lines[0].id))
        words = left_words(0, page.total, await pace(unit))
    return visit.page("review_done.html", QueueView(skipped=page.total, left_words=words))


Back = Annotated[str, QueryParameter(max_length=500)]


@get("/review/{message_id:int}", include_in_schema=False)
async def message(visit: NamedDependency[Visit], message_id: FromPath[int], back: Back = "") -> Html:
    return await _question(visit, item_id("message", message_id), back)


@get("/review/status/{application_id:int}", include_in_schema=False)
async def status(visit: NamedDependency[Visit], application_id: FromPath[int], back: Back = "") -> Html:
    return await _question(visit, item_id("status", application_id), back)


@get("/review/ask/{ask_id:int}", include_in_schema=False)
async def ask(visit: NamedDependency[Visit], ask_id: FromPath[int], back: Back = "") -> Html:
    return await _question(visit, item_id("ask", ask_id), back)


@get("/review/pair/{pair:str}", include_in_schema=False)
async def pair(visit: NamedDependency[Visit], pair: FromPath[str], back: Back = "") -> Html:
    return await _question(visit, ItemId(f"pair:{pair}"), back)


@post("/review/{message_id:int}", include_in_schema=False)
async def answer_message(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Html | Redirect:
    return await _answered(visit, item_id("message", message_id))


@post("/review/status/{application_id:int}", include_in_schema=False)
async def answer_status(visit: NamedDependency[Visit], application_id: FromPath[int]) -> Html | Redirect:
    return await _answered(visit, item_id("status", application_id))


@post("/review/ask/{ask_id:int}", include_in_schema=False)
async def answer_ask(visit: NamedDependency[Visit], ask_id: FromPath[int]) -> Html | Redirect:
    return await _answered(visit, item_id("ask", ask_id))


@post("/review/pair/{pair:str}", include_in_schema=False)
async def answer_pair(visit: NamedDependency[Visit], pair: FromPath[str]) -> Html | Redirect:
    return await _answered(visit, ItemId(f"pair:{pair}"))


async def _question(visit: Visit, asked: ItemId, back: str) -> Html:
    async with visit.unit() as unit:
        return await item_page(visit, unit, await item(unit, asked), Shown(back=local(back) if back else ""))


async def _answered(visit: Visit, asked: ItemId) -> Html | Redirect:
    form = await read_form(visit.request)
    given = _read(form)
    back = local(form.value("back")) if form.value("back") else ""
    onward = _onward(form, asked, given.choice, back)
    try:
        async with visit.unit() as unit:
            done = await resolve(unit, asked, given, now=visit.clock.now())
            words = told(done, await _name(unit, done))
    except StaleState as stale:
        before = _seen(form)
        return await _again(visit, asked, Shown(back=back, notice=stale.title(), before=before, status=409))
    except (ChoiceNotEligible, TargetRequired) as refusal:
        notice = refusal.detail or refusal.title()
        return await _again(visit, asked, Shown(back=back, notice=notice, status=409))
    except Invalid as refusal:
        form.refuse(refusal.field or "company", refusal.detail)
        return await _again(visit, asked, Shown(back=back, form=form, status=400))
    return visit.leave(onward, words, undo=_undo(done, back or path_of(asked)))


async def _again(visit: Visit, asked: ItemId, shown: Shown) -> Html:
    async with visit.unit() as unit:
        return await item_page(visit, unit, await item(unit, asked), shown)


def _read(form: Form) -> Answer:
    """The answer in a form of buttons and hidden fields; only the names were typed.

    A button says `choice:target` in one field, as a form without scripts can send no two.
    """
    choice, _, target = form.value("answer").partition(":")
    if target:
        form.values["target"] = target
    at = ApplicationId(form.whole("target", "Application")) if form.value("target") else None
    version = form.text("version", "Version", limit=VERSION_MAX)
    form.require_ok()
    company = form.text("company", "Company", limit=NAME_MAX, required=False)
    role = form.text("role", "Role", limit=NAME_MAX, required=False)
    form.require_ok()
    return Answer(
        choice=choice_of(choice or form.value("choice")),
        version=version,
        target=at,
        new=NewFromMessage(company=company or None, role=role or None),
    )


def _seen(form: Form) -> Seen:
    """What was looked at, for saying what changed; what cannot be read says nothing."""
    try:
        return key_of(form.value("seen"), Seen) or Seen()
    except Invalid:
        return Seen()


def choice_of(text: str) -> Verb:
    if text not in _CHOICES:
        raise Invalid("Choose one of the answers.", field="answer")
    return text  # pyright: ignore[reportReturnType]


def _onward(form: Form, asked: ItemId, choice: Verb, back: str) -> str:
    """Where the person goes next: back, to what was just reopened, or on in the queue."""
    place = None if choice == "undo" or back else key_of(form.value("place"), Place)
    return back or (f"/review?after={cursor(place)}" if place else path_of(asked))


def _undo(done: Resolved, back: str) -> Undo | None:
    if done.entry is None or done.entry_version is None:
        return None
    fields = {"entry": done.entry, "version": done.entry_version, "back": back}
    return Undo(action="/review/history/undo", fields=fields)


async def _name(unit: Unit, done: Resolved) -> str:
    if done.application_id is None:
        return ""
    return (await names_of(unit, [done.application_id])).get(done.application_id, "")


ROUTES = (
    queue,
    message,
    status,
    ask,
    pair,
    answer_message,
    answer_status,
    answer_ask,
    answer_pair,
)
