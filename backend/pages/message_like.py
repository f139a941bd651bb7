"""The messages like one: looked at before a correction is applied to all of them, and the way back.

Only what was looked at is changed. A message that comes later is offered the same word on its own page.
"""

from typing import Annotated, get_args

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import read_form
from backend.http.rendering import plural
from backend.http.visits import Html, Visit
from backend.http.words import KINDS
from mailsync.corrections.store import (
    OthersLikeIt,
    accept,
    correct_like,
    correction,
    like_it,
    undo_correction,
)
from mailsync.corrections.types import Candidate, Correction, Like
from schema.errors import Invalid
from schema.ids import CorrectionId, MessageId
from schema.text import shorten
from schema.vocabulary import EventKind

KIND_NAMES: tuple[EventKind, ...] = get_args(EventKind)
SHOWN = 10
_SENTENCE_CHARACTERS = 200
_MOST_KINDS = len(KIND_NAMES)


class LikeView(msgspec.Struct, frozen=True, kw_only=True):
    """What is about to be said, of which messages; `stale` when those are others than were looked at."""

    message_id: MessageId
    like: Like
    kinds: list[EventKind]
    stale: bool = False

    @property
    def number(self) -> int:
        return len(self.like.messages)

    @property
    def sample(self) -> list[Candidate]:
        return self.like.messages[:SHOWN]

    @property
    def more(self) -> int:
        return self.number - len(self.sample)

    def sentence(self, message: Candidate) -> str:
        return shorten(" ".join(message.shown.split()), _SENTENCE_CHARACTERS)


@get("/mail/{message_id:int}/like", include_in_schema=False)
async def show(
    visit: NamedDependency[Visit],
    message_id: FromPath[int],
    kind: Annotated[list[str] | None, QueryParameter(max_items=_MOST_KINDS)] = None,
) -> Html:
    return await _page(visit, MessageId(message_id), kinds_of(kind or []))


async def _page(visit: Visit, message_id: MessageId, kinds: list[EventKind], *, stale: bool = False) -> Html:
    async with visit.unit() as unit:
        found = await like_it(unit, message_id)
    view = LikeView(message_id=message_id, like=found, kinds=kinds, stale=stale)
    return visit.page("message_like.html", view, status=409 if stale else 200)


@post("/mail/{message_id:int}/like", include_in_schema=False)
async def apply(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    kinds, which = kinds_of(form.every("kind")), MessageId(message_id)
    try:
        async with visit.unit() as unit:
            done = await correct_like(unit, which, kinds, seen=form.value("seen"), now=visit.clock.now())
    except OthersLikeIt:
        return await _page(visit, which, kinds, stale=True)
    return _left(visit, which, done, f"You said what {_messages(done.messages)} say: {told(kinds)}.")


@post("/mail/{message_id:int}/accept", include_in_schema=False)
async def say_the_same(visit: NamedDependency[Visit], message_id: FromPath[int]) -> Redirect:
    """What was said of messages like this one counts for this one too."""
    form = await read_form(visit.request)
    which = MessageId(message_id)
    wanted = CorrectionId(form.whole("correction", "The correction"))
    form.require_ok()
    async with visit.unit() as unit:
        known = await correction(unit, wanted)
        is_said = await accept(unit, which, wanted, now=visit.clock.now())
    if not is_said:
        text = "That is no longer offered for this message; nothing was changed."
        return visit.leave(f"/mail/{which}", text, tone="refused")
    return visit.leave(
        f"/mail/{which}",
        f"You said what it says: {told(known.kinds)}.",
        undo=Undo(action=f"/mail/{which}/undo"),
    )


@post("/mail/corrections/{correction_id:int}/undo", include_in_schema=False)
async def take_back(visit: NamedDependency[Visit], correction_id: FromPath[int]) -> Redirect:
    which = CorrectionId(correction_id)
    async with visit.unit() as unit:
        known = await correction(unit, which)
        number = await undo_correction(unit, which, now=visit.clock.now())
    return visit.leave(f"/mail/{known.message_id}", f"Taken back for {_messages(number)}.")


def kinds_of(texts: list[str]) -> list[EventKind]:
    """Raises `Invalid` for a word that is no kind."""
    known: list[EventKind] = [name for name in KIND_NAMES if name in texts]
    if set(texts) - set(known):
        raise Invalid("There is no such kind; choose of the list.", field="kind")
    return known


def told(kinds: list[EventKind]) -> str:
    return ", ".join(KINDS[kind].text for kind in kinds) or "nothing of interest"


def _left(visit: Visit, message_id: MessageId, done: Correction, text: str) -> Redirect:
    return visit.leave(f"/mail/{message_id}", text, undo=Undo(action=f"/mail/corrections/{done.id}/undo"))


def _messages(number: int) -> str:
    return plural(number, "message", "messages")


ROUTES = (show, apply, say_the_same, take_back)
