"""`draft.write.v1`: have a language model write one version of a draft, from what is known, and keep it.

Before each question the switches and the draft are looked at anew: nothing is sent for a draft that is
deleted, that another asking has taken over, or that got its answer. Each answer is one transaction: its row
in the ledger, its version, how the draft stands. A first answer that is too long or rests on nothing is kept,
not put in force, and asked for once more; a run that begins anew counts it.

One window remains. The provider has accepted a question, and this process dies, or the answer is lost on the
way, before the transaction that applies it: the retry pays once more. The log names each request before it is
sent, by the id the provider keeps with it; such an id without a row in `usage` is an orphan.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec
import structlog

from extension_api.context.store import posting_at
from extension_api.documents.store import Text, resume_text
from extension_api.documents.tasks import text_of
from extension_api.drafts import store
from extension_api.drafts.prompt import FORM, PURPOSE, VERSION, question
from extension_api.drafts.rules import AGAIN, MOST_TRIES, after_writing, best_of, failure_of, judged
from extension_api.drafts.sources import facts_of
from extension_api.drafts.types import Failure, Held, Judged, NewVersion, Outcome, Task, Version
from extension_api.profiles.store import current_profile
from mailsync.classify.language_model.stopping import SWITCH_PAUSE, ending
from mailsync.classify.language_model.types import Answered, Ask, Trouble, TroubleKind
from pipeline.catalog.store import posting_by_id
from pipeline.usage.batches import custom_id
from pipeline.usage.prices import load_prices
from pipeline.usage.store import may_submit, record
from pipeline.usage.types import Paid, Price
from pipeline.worker.types import Deferred, Done, Permanent, TaskRun, Transient
from schema.db import Unit
from schema.identity.urls import posting_url
from schema.ids import DraftId
from schema.settings import ModelSettings
from schema.tasks import WriteDraft

log = structlog.get_logger()

_DEAD_KEY: dict[TroubleKind, Failure] = {"key_refused": "key_refused", "out_of_credit": "out_of_credit"}

WriteHandler = Callable[[TaskRun, WriteDraft], Awaitable[Done]]


def write_handler(settings: ModelSettings) -> WriteHandler:
    """The handler of `draft.write.v1`. Raises `BadSetting` for a price table that cannot be read."""
    prices = load_prices(settings.prices_file)
    seconds = settings.draft_seconds
    own = msgspec.structs.replace(
        settings, answer_tokens=settings.draft_tokens, total_seconds=seconds, read_seconds=seconds
    )

    async def write(run: TaskRun, payload: WriteDraft) -> Done:
        writer = Writer(run, own, prices, DraftId(payload.draft_id), payload.ask)
        if not settings.is_present():
            return await writer.give_up("no_model")
        # The library takes a second to load, and most installations never ask a model.
        from mailsync.classify.language_model.client import open_asker  # noqa: PLC0415

        async with open_asker(own, run.clock, FORM) as ask:
            return await writer.write(ask)

    return write


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question that is still to be put, with the answers to it that were not good enough."""

    task: Task
    tries: Sequence[Version]
    resume: Text | None


@dataclass
class Writer:
    """One run of one asking."""

    run: TaskRun
    settings: ModelSettings
    prices: Sequence[Price]
    draft_id: DraftId
    ask_number: int

    async def write(self, ask: Ask) -> Done:
        asked = await self._look()
        if asked is not None and asked.resume is not None and asked.resume.text_state == "unread":
            await text_of(self.run, asked.resume.id)
            asked = await self._look()
        for _ in range(MOST_TRIES):
            if asked is None:
                return Done("nothing_to_write")
            if len(asked.tries) >= MOST_TRIES:
                return await self.give_up("gave_up")
            if not any(fact.is_persons for fact in asked.task.facts):
                return await self.give_up("nothing_to_rest_on")
            answer = await ask(question(asked.task, self._key(), last=_last(asked)))
            if isinstance(answer, Trouble):
                return await self._troubled(answer)
            await self._apply(asked.task, answer)
            if (asked := await self._look()) is None:
                break
        return Done("written")

    async def _look(self) -> _Asked | None:
        """What is to be sent; None when this asking is over. Raises `Deferred` while nothing may be sent."""
        async with self.run.db.as_account(self.run.owner) as unit:
            held = await self._mine(unit)
            if held is None:
                return None
            if not await store.may_write(unit):
                await self._end(unit, held, "not_allowed")
                return None
            if not (self.settings.enabled and await may_submit(unit)):
                raise Deferred(self.run.clock.now() + SWITCH_PAUSE)
            resume = await resume_text(unit)
            task = await task_of(unit, held, resume)
            return _Asked(task=task, tries=await self._tries(unit), resume=resume)

    async def _mine(self, unit: Unit) -> Held | None:
        held = await store.hold_if_there(unit, self.draft_id)
        waits = held is not None and held.state == "writing" and held.asks == self.ask_number
        return held if waits else None

    async def _tries(self, unit: Unit) -> list[Version]:
        return [each for each in await store.versions(unit, self.draft_id) if each.ask == self.ask_number]

    async def _apply(self, task: Task, answer: Answered) -> None:
        """In one transaction. A second time it changes nothing."""
        found = judged(answer, task)
        now = self.run.clock.now()
        async with self.run.db.as_account(self.run.owner) as unit:
            held = await self._mine(unit)
            paid = self._paid(answer, found.outcome if held else "too_late")
            if not await record(unit, paid, self.prices, now=now) or held is None:
                return
            if found.text is not None:
                await store.append(unit, self.draft_id, self._version(found, found.text), now=now)
            if found.outcome not in AGAIN or len(await self._tries(unit)) >= MOST_TRIES:
                await self._end(unit, held, failure_of(found.outcome))

    async def _end(self, unit: Unit, held: Held, failure: Failure | None) -> None:
        best = best_of(await self._tries(unit), held.max_chars)
        standing = after_writing(held, best, failure)
        await store.stand(unit, self.draft_id, standing, now=self.run.clock.now())

    async def give_up(self, failure: Failure) -> Done:
        """End the asking with the best there is, or with the reason why there is nothing."""
        async with self.run.db.as_account(self.run.owner) as unit:
            held = await self._mine(unit)
            if held is not None:
                await self._end(unit, held, failure)
        return Done(failure)

    async def _troubled(self, trouble: Trouble) -> Done:
        """Raises how the task ends for now. The draft is told only when nothing more will be tried.

        A key that somebody has to mend ends the asking: a person waits for it, and asks again then.
        """
        log.warning("a language model did not answer", draft=self.draft_id, trouble=trouble.kind)
        if dead := _DEAD_KEY.get(trouble.kind):
            return await self.give_up(dead)
        how = ending(trouble, self.run.clock.now())
        if isinstance(how, Permanent):
            await self.give_up("model_request_refused")
        elif isinstance(how, Transient) and self.run.attempt >= WriteDraft.MAX_ATTEMPTS:
            await self.give_up("no_answer")
        raise how

    def _key(self) -> str:
        return custom_id(PURPOSE, self.run.owner, self.draft_id, VERSION, self.settings.name)

    def _version(self, found: Judged, text: str) -> NewVersion:
        return NewVersion(
            author="machine",
            text=text,
            rests_on=found.rests_on,
            not_in_sources=found.not_in_sources,
            ask=self.ask_number,
            model=self.settings.name,
            prompt_version=VERSION,
        )

    def _paid(self, answer: Answered, outcome: Outcome) -> Paid:
        return Paid(
            purpose=PURPOSE,
            subject_id=self.draft_id,
            version=VERSION,
            provider=urlsplit(self.settings.url).hostname or self.settings.url,
            model=self.settings.name,
            mode="live",
            custom_id=answer.custom_id,
            request_id=answer.request_id,
            outcome=outcome,
            tokens=answer.tokens,
            asked_at=answer.asked_at,
        )


async def task_of(unit: Unit, held: Held, resume: Text | None) -> Task:
    """What is known, as it may be sent: profile, résumé, and the posting where the catalog has it."""
    current = await current_profile(unit)
    address = posting_url(held.canonical_url)
    known = await posting_at(unit, address) if address else None
    posting = await posting_by_id(unit, known.id) if known else None
    facts = facts_of(
        current.profile,
        resume=(resume.file_name, resume.text) if resume and resume.text else None,
        posting=(posting.title, posting.text) if posting and posting.text else None,
    )
    return Task(
        question=held.question,
        company=held.company,
        role=held.role,
        max_chars=held.max_chars,
        facts=facts,
    )


def _last(asked: _Asked) -> Judged | None:
    """The answer that was not good enough, as the next question tells it."""
    if not asked.tries:
        return None
    last = asked.tries[0]
    outcome: Outcome = "not_in_sources" if last.not_in_sources else "too_long"
    return Judged(outcome=outcome, text=last.text, not_in_sources=last.not_in_sources)
