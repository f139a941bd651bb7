"""One message: its text as text, what was read in it on which words, what it is about, and correcting that.

Nothing remote is ever loaded: only text was kept, and only text is shown.
"""

from typing import get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.excerpts import Span, Stretch, flowing, marked
from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.visits import Html, Visit
from backend.http.words import KINDS
from backend.mail.store import message, named, said
from backend.mail.types import Message, Named, Said
from mailsync.classify.store import correct, in_force, undo
from mailsync.corrections.store import correction_of, offered
from mailsync.corrections.types import Correction
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import MessageId
from schema.vocabulary import EventKind, SpanSource

KIND_NAMES: tuple[EventKind, ...] = get_args(EventKind)


class MessageView(msgspec.Struct, frozen=True, kw_only=True):
    message: Message
    said: list[Said]
    named: list[Named]
    subject: list[Stretch]
    header: list[Stretch]
    body: list[Stretch]
    together: Correction | None
    offer: Correction | None
    stale: bool = False

    @property
    def kinds(self) -> list[tuple[str, str, bool]]:
        """Every kind with its phrase, and whether the message says it now."""
        now = {event.kind for event in self.said}
        return [(name, KINDS[name].text, name in now) for name in KIND_NAMES]

    @property
    def rules(self) -> list[str]:
        """By which rules it was read, each once; a person needs none."""
        return [] if self.by_person else list(dict.fromkeys(event.rule for event in self.said if event.rule))

    @property
    def by_person(self) -> bool:
        return self.message.reader == "person"


@get("/mail/{message_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Html:
    return await _page(visit, MessageId(message_id))


async def _page(visit: Visit, message_id: MessageId, *, stale: bool = False) -> Html:
    async with visit.unit() as unit:
        found = await message(unit, message_id)
        events = await said(unit, message_id, found.reading_id) if found.reading_id else []
        facts = await named(unit, message_id)
        together = await correction_of(unit, message_id)
        offer = await offered(unit, message_id)
    view = MessageView(
        message=found,
        said=events,
        named=facts,
        subject=marked(found.subject, _spans(events, facts, "subject")),
        header=marked(found.header, _spans(events, facts, "header")),
        body=marked(flowing(found.body or ""), _spans(events, facts, "text")),
        together=together,
        offer=offer,
        stale=stale,
    )
    return visit.page("message.html", view, status=409 if stale else 200)


def _spans(events: list[Said], facts: list[Named], source: SpanSource) -> list[Span]:
    told = [
        Span(start=event.span_start, end=event.span_end)
        for event in events
        if event.span_source == source and event.span_start is not None and event.span_end is not None
    ]
    return told + [
        Span(start=fact.span_start, end=fact.span_end) for fact in facts if fact.span_source == source
    ]


@post("/mail/{message_id:int}/kinds", include_in_schema=False)
async def save_kinds(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Html | Redirect:
    """The person says what the message says; the reading they looked at comes along as `seen`."""
    form = await read_form(visit.request)
    kinds: list[EventKind] = [_kind(text) for text in form.every("kind")]
    seen, which = form.value("seen"), MessageId(message_id)
    async with visit.unit() as unit:
        is_fresh = await _is_fresh(unit, which, seen)
        if is_fresh:
            await correct(unit, which, kinds, now=visit.clock.now())
    if not is_fresh:
        return await _page(visit, which, stale=True)
    told = ", ".join(KINDS[kind].text for kind in dict.fromkeys(kinds)) or "nothing of interest"
    return visit.leave(
        f"/mail/{which}", f"You said what it says: {told}.", undo=Undo(action=f"/mail/{which}/undo")
    )


@post("/mail/{message_id:int}/undo", include_in_schema=False)
async def take_back(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Redirect:
    which = MessageId(message_id)
    async with visit.unit() as unit:
        await undo(unit, which, now=visit.clock.now())
    return visit.leave(f"/mail/{which}", "Your last correction is taken back.")


async def _is_fresh(unit: Unit, message_id: MessageId, seen: str) -> bool:
    """Whether the reading in force is the one that was looked at. Raises `Missing`."""
    await message(unit, message_id)
    current = await in_force(unit, message_id)
    return seen == (str(current.id) if current else "")


def _kind(text: str) -> EventKind:
    if text not in KIND_NAMES:
        raise Invalid("There is no such kind; choose of the list.", field="kind")
    return text


ROUTES = (show, save_kinds, take_back)
