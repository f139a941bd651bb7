"""One answer into the database: its reading, its row in the ledger, the work for the matcher, or none of it.

The message is locked and looked at once more: what was decided meanwhile, by a person above all, stays as it
is. The request is recorded all the same, since it was paid for.
"""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

import msgspec

from mailsync.classify.language_model import store
from mailsync.classify.language_model.prompt import PURPOSE, VERSION
from mailsync.classify.language_model.rules import interpretation
from mailsync.classify.language_model.shown import Shown
from mailsync.classify.language_model.types import Answered, Letter
from mailsync.classify.store import append, in_force
from pipeline.usage.store import is_bought, record
from pipeline.usage.types import Paid, Price
from schema.db import Unit
from schema.ids import MessageId
from schema.live import announce
from schema.queue import enqueue
from schema.settings import ModelSettings
from schema.tasks import MatchAccount

TOO_LATE = "too_late"
"""The outcome of an answer to a question that somebody else had settled by then."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was sent, with exactly what was shown of it."""

    letter: Letter
    shown: Shown


async def letter_to_ask(unit: Unit, message_id: MessageId, model: str) -> Letter | None:
    """The message, when it is open and this question about it was not paid for yet."""
    return await store.letter(unit, message_id) if await _is_open(unit, message_id, model) else None


async def apply(
    unit: Unit,
    asked: Asked,
    answer: Answered,
    settings: ModelSettings,
    prices: Sequence[Price],
    *,
    now: datetime,
) -> None:
    """In one transaction, the caller's. A second time it changes nothing."""
    message_id = asked.letter.id
    counts = await store.hold(unit, message_id) and await _is_open(unit, message_id, settings.name)
    said = interpretation(answer, asked.shown)
    paid = _paid(message_id, answer, settings, said.outcome if counts else TOO_LATE)
    if await record(unit, paid, prices, now=now) and counts:
        await append(unit, {message_id: said.reading}, now=now)
        await enqueue(unit, MatchAccount(), dedupe_key=MatchAccount.KIND)
        announce(unit, "mail", message_id)


async def _is_open(unit: Unit, message_id: MessageId, model: str) -> bool:
    current = await in_force(unit, message_id)
    if current is None or current.stage == "person" or current.state != "open":
        return False
    return not await is_bought(unit, purpose=PURPOSE, subject_id=message_id, version=VERSION, model=model)


def _paid(message_id: MessageId, answer: Answered, settings: ModelSettings, outcome: str) -> Paid:
    return Paid(
        purpose=PURPOSE,
        subject_id=message_id,
        version=VERSION,
        provider=urlsplit(settings.url).hostname or settings.url,
        model=settings.name,
        mode="live",
        custom_id=answer.custom_id,
        request_id=answer.request_id,
        outcome=outcome,
        tokens=answer.tokens,
        asked_at=answer.asked_at,
    )
