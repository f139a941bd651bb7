"""`mail.interpret.v1`: put what the stages before left open to a language model, and apply what it can show.

Up to `JOBTRAIL_MODEL_WINDOW` questions are under way at a time. Answers are applied in the order the
questions were sent, each in one transaction. Before each question the switches and the message are looked at
anew: nothing is sent for a message that is decided, that a person has corrected, or whose question was paid
for. Once something stops the asking, what is under way is still collected and applied.

One window remains. The provider has accepted a question, and this process dies, or the answer is lost on the
way, before the transaction that applies it: the retry pays once more. The log names each request before it is
sent, by the id the provider keeps with it; such an id without a row in `usage` is an orphan.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import structlog

from mailsync.classify.language_model import store
from mailsync.classify.language_model.applying import Asked, apply, letter_to_ask
from mailsync.classify.language_model.prompt import PURPOSE, VERSION, answer_form, question
from mailsync.classify.language_model.shown import shown_of
from mailsync.classify.language_model.stopping import SWITCH_PAUSE, ending, said_of
from mailsync.classify.language_model.types import Answered, Ask, Trouble
from mailsync.classify.language_model.window import in_order
from pipeline.usage.batches import custom_id
from pipeline.usage.prices import load_prices
from pipeline.usage.store import may_submit
from pipeline.usage.types import Price
from pipeline.worker.types import Deferred, Done, Permanent, TaskRun
from schema.ids import MessageId
from schema.queue import enqueue
from schema.settings import ModelSettings
from schema.tasks import InterpretMail, MatchAccount

log = structlog.get_logger()

InterpretHandler = Callable[[TaskRun, InterpretMail], Awaitable[Done]]


def interpret_handler(settings: ModelSettings) -> InterpretHandler:
    """The handler of `mail.interpret.v1`. Raises `BadSetting` for a price table that cannot be read."""
    prices = load_prices(settings.prices_file)

    async def interpret(run: TaskRun, payload: InterpretMail) -> Done:
        if not settings.is_present():
            return Done("no_model")
        # The library takes a second to load, and most installations never ask a model.
        from mailsync.classify.language_model.client import open_asker  # noqa: PLC0415

        async with open_asker(settings, run.clock, answer_form()) as ask:
            return await Interpreter(run, settings, prices, ask).interpret(payload.message_ids)

    return interpret


@dataclass
class Interpreter:
    """One run over the messages of one task."""

    run: TaskRun
    settings: ModelSettings
    prices: Sequence[Price]
    ask: Ask
    applied: int = 0
    refused: int = 0
    stopped_by: Trouble | None = None
    is_held_back: bool = False

    async def interpret(self, message_ids: Sequence[int]) -> Done:
        answers = in_order(self._letters(message_ids), self._asked, self.settings.window)
        async with aclosing(answers):
            async for asked, answer in answers:
                await self._collect(asked, answer)
                await self.run.progress(self.applied, len(message_ids), "Asking a language model")
        return await self._ended()

    async def _letters(self, message_ids: Sequence[int]) -> AsyncGenerator[Asked, None]:
        """What is to be sent, each looked at just before; ends early when nothing more may be sent."""
        for message_id in message_ids:
            if self.stopped_by is not None or self.is_held_back:
                return
            async with self.run.db.as_account(self.run.owner) as unit:
                self.is_held_back = not (self.settings.enabled and await may_submit(unit))
                wanted = not self.is_held_back and await store.may_read(unit)
                letter = (
                    await letter_to_ask(unit, MessageId(message_id), self.settings.name) if wanted else None
                )
            if letter is not None and self.stopped_by is None:
                yield Asked(letter=letter, shown=shown_of(letter))

    async def _asked(self, asked: Asked) -> Answered | Trouble:
        key = custom_id(PURPOSE, self.run.owner, asked.letter.id, VERSION, self.settings.name)
        answer = await self.ask(question(asked.shown, key))
        if isinstance(answer, Trouble) and answer.kind != "request_refused":
            # Told here, not when its turn comes: nothing more is to be sent from this moment.
            self.stopped_by = self.stopped_by or answer
        return answer

    async def _collect(self, asked: Asked, answer: Answered | Trouble) -> None:
        if isinstance(answer, Trouble):
            log.warning("a language model did not answer", message=asked.letter.id, trouble=answer.kind)
            self.refused += answer.kind == "request_refused"
            return
        now = self.run.clock.now()
        async with self.run.db.as_account(self.run.owner) as unit:
            await apply(unit, asked, answer, self.settings, self.prices, now=now)
        self.applied += 1

    async def _ended(self) -> Done:
        if self.applied:
            async with self.run.db.as_account(self.run.owner) as unit:
                # Without a key: a match that is running may have passed these messages.
                await enqueue(unit, MatchAccount())
        if self.stopped_by is not None:
            await self._stop(self.stopped_by)
        if self.is_held_back:
            raise Deferred(self.run.clock.now() + SWITCH_PAUSE)
        if self.refused:
            raise Permanent("model_request_refused")
        return Done("interpreted" if self.applied else "nothing_open")

    async def _stop(self, trouble: Trouble) -> None:
        """Raises how the task ends for now."""
        if said := said_of(trouble):
            await self.run.progress(self.applied, None, said)
        raise ending(trouble, self.run.clock.now())
