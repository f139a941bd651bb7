"""One act that decides about many messages: appended and put in force in batches, and taken back as one.

Nothing is weighed anew: each decision rests on the one in force, which the person looked at or chose by its
pattern. What is taken back is left to the machine to weigh again. The caller holds the account's lock.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from matcher.decisions import store as decisions
from matcher.decisions.rules import before, candidates_of, choice_hash, undoable
from matcher.decisions.types import InForce, Logged, NewDecision, Weighed
from matcher.evidence.matching import Move, spread
from matcher.evidence.store import letters
from matcher.evidence.types import Letter
from matcher.evidence.weights import current_weights
from matcher.resolutions.messages.restoring import restoring
from matcher.resolutions.messages.store import decided_by
from matcher.timeline.store import restand
from schema.db import Unit
from schema.ids import ActId, ApplicationId, MessageId
from schema.vocabulary import Choice, MatchOutcome

BATCH = 500
"""Messages per statement: large enough that statements do not count, small enough to be held in memory."""


ItemT = TypeVar("ItemT")
Tell = Callable[[int], Awaitable[None]]
"""Told how many are done."""


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """What the act says of one message."""

    message_id: MessageId
    choice: Choice
    outcome: MatchOutcome
    application_ids: tuple[ApplicationId, ...] = ()


async def decide_each(
    unit: Unit, words: Sequence[Word], act_id: ActId, *, now: datetime, tell: Tell | None = None
) -> int:
    """Append a decision for each, as part of the act, and put it in force; how many."""
    touched: set[ApplicationId] = set()
    count = 0
    for batch in _batches(words):
        ids = [word.message_id for word in batch]
        around = await _around(unit, ids)
        weighed = await decisions.evidence_of(unit, [row.decision_id for row in around.now.values()])
        made = [
            _decision(word, around, candidates_of(weighed[old.decision_id]), act_id)
            for word in batch
            if (old := around.now.get(word.message_id)) is not None
        ]
        touched |= await _put_in_force(unit, made, around, now)
        count += len(made)
        if tell is not None:
            await tell(count)
    await restand(unit, touched)
    return count


async def take_back_each(
    unit: Unit, act_id: ActId, *, now: datetime, tell: Tell | None = None
) -> list[MessageId]:
    """Take back every decision of the act that still stands; about which messages.

    What the person decided anew since stays as it is.
    """
    touched: set[ApplicationId] = set()
    undone: list[MessageId] = []
    for batch in _batches(await decided_by(unit, act_id)):
        around = await _around(unit, batch)
        back = {
            key: (last, before(around.logs[key], last))
            for key in around.now
            if (last := undoable(around.logs[key])) is not None and last.act_id == act_id
        }
        evidence = await decisions.evidence_of(unit, [old.decision_id for _, old in back.values() if old])
        made = [
            restoring(
                last,
                old,
                around.now[key],
                candidates_of(evidence[old.decision_id]) if old else (),
                act_id=last.act_id,
            )
            for key, (last, old) in back.items()
        ]
        touched |= await _put_in_force(unit, made, around, now)
        undone += [decision.message_id for decision in made]
        if tell is not None:
            await tell(len(undone))
    await restand(unit, touched)
    return undone


def _batches(items: Sequence[ItemT]) -> Iterator[Sequence[ItemT]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


class _Around(msgspec.Struct, frozen=True, kw_only=True):
    now: dict[MessageId, InForce]
    letters: dict[MessageId, Letter]
    logs: dict[MessageId, list[Logged]]

    def pattern(self, message_id: MessageId) -> str:
        """That of the decision in force."""
        now = self.now[message_id].decision_id
        return next(entry.pattern for entry in self.logs[message_id] if entry.decision_id == now)


async def _around(unit: Unit, message_ids: Sequence[MessageId]) -> _Around:
    now = await decisions.lock_in_force(unit, message_ids)
    return _Around(
        now=now,
        letters={letter.message_id: letter for letter in await letters(unit, message_ids)},
        logs=await decisions.log_of(unit, message_ids),
    )


async def _put_in_force(
    unit: Unit, made: Sequence[NewDecision], around: _Around, now: datetime
) -> set[ApplicationId]:
    """The applications whose messages changed."""
    await decisions.append(unit, made, now=now)
    moves = [
        Move(
            letter=around.letters[decision.message_id],
            old=around.now[decision.message_id].anchor_application_id,
            new=decision.anchor_application_id,
            was_read_before=True,
        )
        for decision in made
        if around.now[decision.message_id].anchor_application_id != decision.anchor_application_id
    ]
    await spread(unit, moves)
    found = {key for decision in made for key in around.now[decision.message_id].attached_to}
    found |= {
        key for decision in made for key in (decision.application_id, *decision.also_application_ids) if key
    }
    return found


def _decision(word: Word, around: _Around, weighed: tuple[Weighed, ...], act_id: ActId) -> NewDecision:
    old = around.now[word.message_id]
    first = next(iter(word.application_ids), None)
    return NewDecision(
        message_id=word.message_id,
        outcome=word.outcome,
        application_id=first,
        also_application_ids=word.application_ids[1:],
        actor="person",
        act_id=act_id,
        choice=word.choice,
        policy_version=current_weights().version,
        input_hash=choice_hash(old.decision_id, word.choice, *word.application_ids),
        pattern=around.pattern(word.message_id),
        replaces_id=old.decision_id,
        anchor_application_id=first if len(word.application_ids) == 1 else None,
        by_person=True,
        changes_stage=old.changes_stage,
        rank=old.rank,
        reading_id=old.reading_id,
        # Of what was not chosen the decision replaced keeps the evidence.
        candidates=tuple(found for found in weighed if found.application_id in word.application_ids),
    )
