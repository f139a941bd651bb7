"""A person's word about many messages that are alike, as JSON: look, say, take back.

What is said holds for exactly the messages that were looked at: `seen` names them, and when others are alike
by then, 409 `others_like_it` answers and nothing was changed.
"""

from datetime import datetime
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from backend.http.visits import Person
from mailsync.corrections.store import (
    NothingLikeIt,
    OthersLikeIt,
    correct_like,
    correction,
    like_it,
    undo_correction,
)
from mailsync.corrections.types import Candidate, Correction, Pattern
from schema.errors import Missing
from schema.ids import CorrectionId, MessageId
from schema.text import shorten
from schema.vocabulary import EventKind

TAGS = ["corrections"]
SHOWN = 20
_SENTENCE_CHARACTERS = 500
_MARK_MAX = 100


class AlikeMessage(msgspec.Struct, frozen=True, kw_only=True):
    """`kinds` is what it says now, `sentence` what it is told by."""

    message_id: MessageId
    sent_at: datetime | None
    subject: str
    sentence: str
    kinds: list[EventKind]


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """`number` are alike, `messages` the first of them; `said_already` more have the person's word."""

    pattern: Pattern
    number: int
    seen: str
    said_already: int
    messages: list[AlikeMessage]


class Word(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No kinds at all says: nothing of interest. `seen` is that of the messages looked at."""

    kinds: Annotated[list[EventKind], Meta(max_length=20)]
    seen: Annotated[str, Meta(max_length=_MARK_MAX)]


class TakenBack(msgspec.Struct, frozen=True, kw_only=True):
    """Of how many messages; 0 when it had been taken back before."""

    messages: int


@get(
    "/api/messages/{message_id:int}/like",
    operation_id="messages_like",
    tags=TAGS,
    opt={"refusals": [Missing, NothingLikeIt]},
)
async def alike(person: NamedDependency[Person], message_id: FromPath[int]) -> Alike:
    """The messages like this one, itself first, then the latest stored."""
    async with person.unit() as unit:
        found = await like_it(unit, MessageId(message_id))
    return Alike(
        pattern=found.pattern,
        number=len(found.messages),
        seen=found.mark,
        said_already=found.said_already,
        messages=[_shown(each) for each in found.messages[:SHOWN]],
    )


@post(
    "/api/messages/{message_id:int}/like",
    operation_id="correct_messages_like",
    tags=TAGS,
    status_code=200,
    opt={"refusals": [Missing, NothingLikeIt, OthersLikeIt]},
)
async def say(person: NamedDependency[Person], message_id: FromPath[int], data: JSONBody[Word]) -> Correction:
    """Say the same of all of them, in one transaction."""
    async with person.unit() as unit:
        return await correct_like(
            unit, MessageId(message_id), data.kinds, seen=data.seen, now=person.clock.now()
        )


@get(
    "/api/corrections/{correction_id:int}",
    operation_id="correction",
    tags=TAGS,
    opt={"refusals": [Missing]},
)
async def one(person: NamedDependency[Person], correction_id: FromPath[int]) -> Correction:
    """What was said of a pattern, and for how many messages it counts now."""
    async with person.unit() as unit:
        return await correction(unit, CorrectionId(correction_id))


@post(
    "/api/corrections/{correction_id:int}/undo",
    operation_id="undo_correction",
    tags=TAGS,
    status_code=200,
    opt={"refusals": [Missing]},
)
async def take_back(person: NamedDependency[Person], correction_id: FromPath[int]) -> TakenBack:
    """Take it back for all its messages; what was said of one of them since stands."""
    async with person.unit() as unit:
        number = await undo_correction(unit, CorrectionId(correction_id), now=person.clock.now())
    return TakenBack(messages=number)


def _shown(each: Candidate) -> AlikeMessage:
    return AlikeMessage(
        message_id=each.message_id,
        sent_at=each.sent_at,
        subject=each.subject,
        sentence=shorten(each.shown, _SENTENCE_CHARACTERS),
        kinds=each.kinds,
    )


ROUTES = (alike, say, one, take_back)
