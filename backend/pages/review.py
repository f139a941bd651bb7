"""Review: one doubtful message at a time, with what speaks for and against each application.

The server declares which answers are open. Every form carries the version that was shown; when it was
superseded meanwhile, the fresh item is shown again and nothing was changed.
"""

from collections.abc import Sequence
from typing import Annotated, get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.excerpts import Span, Stretch, excerpt, flowing, marked
from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit, local
from matcher.applications.store import applications
from matcher.applications.types import Lens, ListedApplication
from matcher.resolutions.answering import resolve
from matcher.resolutions.former import (
    Item,
    NewFromMessage,
    Option,
    Place,
    Resolved,
    ShownCandidate,
    WaitingItem,
    WaitingPage,
)
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.store import item, waiting, waiting_before
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.text import clean
from schema.vocabulary import Choice, SpanSource

CHOICES: tuple[Choice, ...] = get_args(Choice)
SECONDS_EACH = 20
"""How long an answer takes, for telling how much work is left."""
AHEAD = 5
FOUND_MAX = 10
NAME_MAX = 300
SHORT_CHARS = 1_200
"""A message up to this long is shown whole; of a longer one, what stands around the marks."""


class ReviewView(msgspec.Struct, frozen=True, kw_only=True):
    item: Item
    subject: list[Stretch]
    header: list[Stretch]
    text: list[Stretch]
    whole: list[Stretch]
    """The rest of a long message, behind a button; empty when `text` is all there is."""
    ahead: list[WaitingItem]
    place: int
    """Its number in the queue, counted from 1; 0 when it does not wait."""
    left: int
    minutes: int
    skip: str
    back: str
    find: str
    found: list[ListedApplication]
    form: Form
    notice: str = ""
    stale: bool = False

    @property
    def waits(self) -> bool:
        return self.item.outcome == "asks"

    @property
    def proposed(self) -> ShownCandidate | None:
        """The application a confirmation would mean."""
        candidates = self.item.candidates
        own = (found for found in candidates if found.application_id == self.item.application_id)
        return next(own, candidates[0] if candidates else None)

    def option(self, choice: Choice) -> Option:
        return next(option for option in self.item.options if option.choice == choice)

    @property
    def closed(self) -> list[Option]:
        """What cannot be answered here, with the reason."""
        return [option for option in self.item.options if not option.eligible and option.choice != "undo"]


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """The end of the queue; `skipped` is how much still waits."""

    skipped: int


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """How an item is to be shown, besides what it says itself."""

    find: str = ""
    back: str = ""
    notice: str = ""
    stale: bool = False
    form: Form | None = None
    status: int = 200


@get("/review", include_in_schema=False)
async def queue(
    visit: NamedDependency[Visit],
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html | Redirect:
    """The next question. It has an address of its own, so that it is not replaced while it is read."""
    place = key_of(after, Place)
    async with visit.unit() as unit:
        page = await waiting(unit, after=place, limit=1)
    if page.items:
        return visit.leave(f"/review/{page.items[0].message_id}")
    return visit.page("review_done.html", QueueView(skipped=page.total))


@get("/review/{message_id:int}", include_in_schema=False)
async def question(
    visit: NamedDependency[Visit],
    message_id: FromPath[int],
    find: Annotated[str, QueryParameter(max_length=200)] = "",
    back: Annotated[str, QueryParameter(max_length=500)] = "",
) -> Html:
    shown = Shown(find=clean(find).strip(), back=local(back) if back else "")
    return await _page(visit, MessageId(message_id), shown)


@post("/review/{message_id:int}", include_in_schema=False)
async def answer(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    given = _read(form)
    back = local(form.value("back")) if form.value("back") else ""
    message = MessageId(message_id)
    try:
        async with visit.unit() as unit:
            before = await item(unit, message)
            done = await resolve(
                unit,
                message,
                version=given.version,
                choice=given.choice,
                target=given.target,
                new=given.new,
                now=visit.clock.now(),
            )
            told = await _told(unit, given.choice, done)
    except StaleState as stale:
        shown = Shown(back=back, notice=stale.title(), stale=True, status=409)
        return await _page(visit, message, shown)
    except (ChoiceNotEligible, TargetRequired) as refusal:
        return await _page(visit, message, Shown(back=back, notice=refusal.detail, status=409))
    except Invalid as refusal:
        form.refuse("company", refusal.detail)
        return await _page(visit, message, Shown(back=back, form=form, status=400))
    return visit.leave(
        _onward(before, given.choice, back), told, undo=_undo(done, given.choice, message, back)
    )


class Given(msgspec.Struct, frozen=True, kw_only=True):
    choice: Choice
    version: DecisionId
    target: ApplicationId | None
    new: NewFromMessage


def _read(form: Form) -> Given:
    """The answer in a form of buttons and hidden fields; only the names were typed."""
    version = DecisionId(form.whole("version", "Version", low=0))
    target = ApplicationId(form.whole("target", "Application")) if form.value("target") else None
    form.require_ok()
    company = form.text("company", "Company", limit=NAME_MAX, required=False)
    role = form.text("role", "Role", limit=NAME_MAX, required=False)
    form.require_ok()
    return Given(
        choice=_choice(form.value("choice")),
        version=version,
        target=target,
        new=NewFromMessage(company=company or None, role=role or None),
    )


def _choice(text: str) -> Choice:
    if text not in CHOICES:
        raise Invalid("Choose one of the answers.", field="choice")
    return text


def _onward(before: Item, choice: Choice, back: str) -> str:
    """Where the person goes next: back, to what was just reopened, or on in the queue."""
    if back:
        return back
    if choice == "undo" or before.outcome != "asks":
        return f"/review/{before.message_id}"
    return f"/review?after={cursor(place_of(before))}"


def place_of(shown: Item) -> Place:
    return Place(changes_stage=shown.changes_stage, message_id=shown.message_id)


def _undo(done: Resolved, choice: Choice, message_id: MessageId, back: str) -> Undo | None:
    if choice == "undo":
        return None
    fields = {"choice": "undo", "version": str(done.version)}
    return Undo(action=f"/review/{message_id}", fields=fields | ({"back": back} if back else {}))


async def _told(unit: Unit, choice: Choice, done: Resolved) -> str:
    """One sentence about what an answer did."""
    if choice == "undo":
        return "Taken back."
    if choice == "reject":
        return "Not that one." if done.outcome == "asks" else "Not that one; no other application fits."
    if done.application_id is None:
        return (
            "Marked as not job mail." if choice == "not_job_mail" else "Not about any of your applications."
        )
    found = await item(unit, done.message_ids[0])
    named = next((c for c in found.candidates if c.application_id == done.application_id), None)
    about = ", ".join(word for word in (named.role, named.company) if word) if named else ""
    return f"Added as a new application: {about}." if done.created else f"Attached to {about or 'it'}."


async def _page(visit: Visit, message_id: MessageId, shown: Shown) -> Html:
    async with visit.unit() as unit:
        found = await item(unit, message_id)
        place = place_of(found)
        waits = found.outcome == "asks"
        page = await waiting(unit, after=place if waits else None, limit=AHEAD)
        number = await waiting_before(unit, place) + 1 if waits else 0
        matching = await _find(unit, shown.find)
    view = _view(found, page, matching, shown, number)
    return visit.page("review.html", view, status=shown.status)


async def _find(unit: Unit, words: str) -> list[ListedApplication]:
    return (await applications(unit, Lens(search=words), limit=FOUND_MAX)).rows if words else []


def _view(
    found: Item, page: WaitingPage, matching: list[ListedApplication], shown: Shown, number: int
) -> ReviewView:
    shot = found.excerpt
    text, spans = flowing(shot.text or ""), _spans(found, "text")
    is_short = len(text) <= SHORT_CHARS
    return ReviewView(
        item=found,
        subject=marked(shot.subject, _spans(found, "subject")),
        header=marked(shot.header, _spans(found, "header")),
        text=marked(text, spans) if is_short else excerpt(text, spans),
        whole=[] if is_short else marked(text, spans),
        ahead=page.items,
        place=number,
        left=page.total,
        minutes=max(1, round(page.total * SECONDS_EACH / 60)),
        skip=f"/review?after={cursor(place_of(found))}",
        back=shown.back,
        find=shown.find,
        found=[row for row in matching if row.application_id not in _known(found.candidates)],
        form=shown.form or Form.of(company=found.company or "", role=found.role or ""),
        notice=shown.notice,
        stale=shown.stale,
    )


def _spans(found: Item, source: SpanSource) -> list[Span]:
    return [Span(start=mark.start, end=mark.end) for mark in found.excerpt.marks if mark.source == source]


def _known(candidates: Sequence[ShownCandidate]) -> set[ApplicationId]:
    return {candidate.application_id for candidate in candidates}


ROUTES = (queue, question, answer)
