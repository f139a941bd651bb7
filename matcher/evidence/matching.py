"""One batch of messages, matched and written in the caller's transaction.

Under the account's lock. A person's decision is never touched; a machine decision that rests on the same
evidence as the one in force is not appended again. What a newly settled message lends to others makes those
stale, so that any order of arrival ends in the same links.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec

from matcher.aliases.store import other_names_of
from matcher.decisions import store as decisions
from matcher.decisions.rules import input_hash, rank_of
from matcher.decisions.store import Unchanged
from matcher.decisions.types import InForce, NewDecision, Verdict
from matcher.evidence import store
from matcher.evidence.keys import keys_of_application
from matcher.evidence.lent.store import lent_to, vouched_for
from matcher.evidence.lookup import answered_by, hashes, lookup
from matcher.evidence.rules import is_about_nothing, read, verdict
from matcher.evidence.types import Candidate, Lent, Letter
from matcher.evidence.weighing import Reading, knowing
from matcher.evidence.weights import current_weights
from matcher.timeline.rules import ENDING_KINDS, STAGE_OF, follows
from matcher.timeline.store import restand
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.live import announce
from schema.plans import plan_afresh, plan_as_usual
from schema.vocabulary import Stage


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """A message with what was decided before and what its evidence says now."""

    letter: Letter
    reading: Reading
    keys: frozenset[int]
    before: InForce | None
    verdict: Verdict
    changes_stage: bool

    @property
    def rank(self) -> int:
        """Without a candidate, and without a name to record one by, there is nothing to say but no."""
        names = {fact.name for fact in self.letter.named}
        is_answerable = bool(self.verdict.candidates) or not names.isdisjoint({"employer", "role"})
        return rank_of(changes_stage=self.changes_stage, is_answerable=is_answerable)

    @property
    def hash(self) -> str:
        return input_hash(self.verdict, current_weights().version)

    @property
    def lasting_keys(self) -> frozenset[int]:
        """A message the person settled lends to its conversation even if no machine would ask about it."""
        return hashes(self.reading) if self.is_settled_by_person else self.keys

    @property
    def is_settled_by_person(self) -> bool:
        return self.before is not None and self.before.by_person

    @property
    def is_unchanged(self) -> bool:
        return self.before is not None and (self.is_settled_by_person or self.before.input_hash == self.hash)

    @property
    def is_newly_read(self) -> bool:
        return self.before is None or self.before.reading_id != self.letter.reading_id

    @property
    def needs_keys(self) -> bool:
        """Its own keys change with what it says, and with what the person holds its names for."""
        return self.is_newly_read or bool(self.reading.writer.other_names)


async def match_messages(unit: Unit, message_ids: Sequence[MessageId], *, now: datetime) -> int:
    """Match these messages; the number of decisions that changed. The caller holds the account's lock, and
    has the transaction planned afresh."""
    looked = await look_at(unit, message_ids)
    await plan_as_usual(unit)
    await decisions.append(unit, [_decision(found) for found in looked if not found.is_unchanged], now=now)
    await decisions.still_current(unit, [_unchanged(found) for found in looked if found.is_unchanged])
    await decisions.write_keys(
        unit, {found.letter.message_id: found.lasting_keys for found in looked if found.needs_keys}
    )
    await plan_afresh(unit)
    await spread(unit, [move for found in looked if (move := _move(found)) is not None])
    await restand(unit, _touched(looked))
    changed = [found for found in looked if not found.is_unchanged]
    if changed:
        announce(unit, "review")
        announce(unit, "applications")
    return len(changed)


async def look_at(unit: Unit, message_ids: Sequence[MessageId]) -> list[Looked]:
    """What the evidence says about these messages now; writes nothing, but locks what is in force."""
    known = await _known_about(unit, [read(letter) for letter in await store.letters(unit, message_ids)])
    readings = known.readings
    verdicts = [known.judge(reading) for reading in readings]
    best = [found.candidates[0].application_id for found in verdicts if found.candidates]
    stages = await store.stages(unit, best) if best else {}
    return [
        Looked(
            letter=reading.letter,
            reading=reading,
            keys=known.keys.get(reading.letter.message_id, frozenset()),
            before=known.before.get(reading.letter.message_id),
            verdict=found,
            changes_stage=_changes_stage(reading.letter, found, stages),
        )
        for reading, found in zip(readings, verdicts, strict=True)
    ]


class _Known(msgspec.Struct, frozen=True, kw_only=True):
    """All that is read around a batch of messages, so that each is judged without another question."""

    readings: Sequence[Reading]
    keys: Mapping[MessageId, frozenset[int]]
    before: Mapping[MessageId, InForce]
    refused: Mapping[MessageId, Collection[ApplicationId]]
    lent: Mapping[MessageId, Sequence[Lent]]
    records: Mapping[ApplicationId, Sequence[Candidate]]
    by_key: Mapping[int, Collection[ApplicationId]]

    def judge(self, reading: Reading) -> Verdict:
        message_id = reading.letter.message_id
        lent = self.lent.get(message_id, ())
        found = {item.application_id for item in lent}
        found = found.union(*(self.by_key.get(key, ()) for key in self.keys.get(message_id, ())))
        candidates = [record for application_id in found for record in self.records.get(application_id, ())]
        refused = self.refused.get(message_id, ())
        return verdict(reading, candidates, lent, refused, current_weights())


async def _known_about(unit: Unit, read_before: Sequence[Reading]) -> _Known:
    readings = await _with_names(unit, read_before)
    ids = [reading.letter.message_id for reading in readings]
    open_ones = [reading for reading in readings if not is_about_nothing(reading.letter)]
    asked = {reading.letter.message_id: lookup(reading) for reading in open_ones}
    lent = await lent_to(unit, asked)
    lent_ids = {item.application_id for items in lent.values() for item in items}
    candidates = await store.candidates(unit, asked.values(), lent_ids) if asked else []
    records: dict[ApplicationId, list[Candidate]] = defaultdict(list)
    by_key: dict[int, set[ApplicationId]] = defaultdict(set)
    for candidate in candidates:
        records[candidate.application_id].append(candidate)
        for key in keys_of_application(candidate):
            by_key[key].add(candidate.application_id)
    return _Known(
        readings=readings,
        keys={reading.letter.message_id: hashes(reading) for reading in open_ones},
        before=await decisions.lock_in_force(unit, ids),
        refused=await decisions.refused_by_message(unit, ids),
        lent=lent,
        records=records,
        by_key=by_key,
    )


async def _with_names(unit: Unit, readings: Sequence[Reading]) -> list[Reading]:
    """The readings with what the person and settled messages know about the names in them."""
    open_ones = [reading for reading in readings if not is_about_nothing(reading.letter)]
    used = {key for reading in open_ones for key in reading.writer.used_keys}
    held = await other_names_of(unit, used)
    vouched = await vouched_for(unit, {reading.letter.message_id: lookup(reading) for reading in open_ones})
    none = frozenset[str]()
    return [knowing(reading, held, vouched.get(reading.letter.message_id, none)) for reading in readings]


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A message that vouches for another application than before, or says something else about it."""

    letter: Letter
    old: ApplicationId | None
    new: ApplicationId | None
    was_read_before: bool

    @property
    def may_move_an_end(self) -> bool:
        """It ends an application, or said something else before."""
        return self.was_read_before or bool(ENDING_KINDS.intersection(self.letter.kinds))


async def spread(unit: Unit, moves: Sequence[Move]) -> None:
    """Have everything looked at again that these messages lend to, or whose employer's history changed."""
    pairs = [(key, move.letter.message_id) for move in moves for key in answered_by(move.letter)]
    ending = [move for move in moves if move.may_move_an_end]
    involved = {found for move in ending for found in (move.old, move.new) if found is not None}
    shared = await store.companies_with_several(unit, involved) if involved else frozenset[int]()
    await decisions.mark_many_stale(unit, [*pairs, *((key, None) for key in shared)])


def _changes_stage(letter: Letter, found: Verdict, stages: Mapping[ApplicationId, Stage]) -> bool:
    """Whether the answer would move an application: the best candidate, or one yet to be recorded."""
    if not found.candidates:
        return any(kind in STAGE_OF for kind in letter.kinds)
    stage = stages.get(found.candidates[0].application_id, "applied")
    return any(follows(stage, kind) is not None for kind in letter.kinds)


def _decision(found: Looked) -> NewDecision:
    return NewDecision(
        message_id=found.letter.message_id,
        outcome=found.verdict.outcome,
        application_id=found.verdict.application_id,
        actor="machine",
        policy_version=current_weights().version,
        input_hash=found.hash,
        score=found.verdict.score,
        margin=found.verdict.margin,
        pattern=found.verdict.pattern,
        replaces_id=found.before.decision_id if found.before else None,
        anchor_application_id=found.verdict.anchor,
        changes_stage=found.changes_stage,
        rank=found.rank,
        reading_id=found.letter.reading_id,
        candidates=found.verdict.candidates,
    )


def _unchanged(found: Looked) -> Unchanged:
    return Unchanged(
        message_id=found.letter.message_id,
        reading_id=found.letter.reading_id,
        changes_stage=found.changes_stage,
        rank=found.rank,
    )


def _move(found: Looked) -> Move | None:
    old = found.before.anchor_application_id if found.before else None
    new = old if found.is_settled_by_person else found.verdict.anchor
    is_newly_read = found.is_newly_read and new is not None
    if old == new and not is_newly_read and not _moves_an_invitation(found):
        return None
    return Move(letter=found.letter, old=old, new=new, was_read_before=found.before is not None)


def _moves_an_invitation(found: Looked) -> bool:
    """An invitation in answer to a settled message passes on what that one vouches for."""
    old = found.before.application_id if found.before else None
    return found.verdict.application_id != old and bool(found.letter.all_named("meeting"))


def _touched(looked: Sequence[Looked]) -> set[ApplicationId]:
    """Applications whose messages, or what these say, changed."""
    touched: set[ApplicationId] = set()
    for found in looked:
        old = found.before.attached_to if found.before else frozenset[ApplicationId]()
        new = found.verdict.application_id
        if not found.is_unchanged:
            touched |= old if new is None else old | {new}
        elif found.is_newly_read:
            touched |= old
    return touched
