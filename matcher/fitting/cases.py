"""Labelled pairs: each message with its candidates, and of each candidate which numbers speak for or against.

The pipeline decides, then every message is looked at once more under numbers that are all different, so that
each piece tells by its strength which number of the table it is. Reads; writes nothing.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec
from msgspec.structs import asdict, replace

from matcher.decisions.types import Piece, Weighed
from matcher.evaluation.mailbox import ReadMessage, Settled
from matcher.evidence.matching import Looked, look_at
from matcher.evidence.weights import Decision, Strength, Weights, on_trial
from schema.db import Database
from schema.ids import ApplicationId, MessageId
from schema.plans import plan_afresh

_AT_ONCE = 100
_NEVER, _ALWAYS = 1e9, -1e9
_APART = 1e-7
"""Far below what is written in the table, so that comparisons between numbers stay what they are."""


class NotANumberOfTheTable(Exception):
    """A piece whose strength stands in no table cannot be fitted."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate. `names` are the numbers of its pieces, `sure` those that no model read."""

    is_truth: bool
    vetoed: bool
    is_derived: bool = False
    names: tuple[str, ...]
    sure: tuple[str, ...]


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """`may_attach`: nothing but its numbers would keep the machine from attaching it."""

    mailbox: str
    id: str
    family: str
    truth: int
    decidable: bool
    may_attach: bool
    options: tuple[Option, ...]

    @property
    def is_derived_alone(self) -> bool:
        """About none recorded, though one was derived: attached to that it is neither right nor wrong."""
        return self.truth == 0 and any(option.is_derived for option in self.options)

    @property
    def wanted(self) -> Option | None:
        """What should be attached; None when nothing should."""
        one = self.decidable and self.truth == 1
        return next((option for option in self.options if option.is_truth), None) if one else None


async def cases(
    database: Database, settled: Settled, messages: Sequence[ReadMessage], weights: Weights
) -> list[Case]:
    """Of one account whose mail was matched."""
    by_id = {settled.messages[found.true.id]: found for found in messages}
    ids = sorted(by_id)
    found: list[Case] = []
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        told = await _looked(database, settled, batch, probing(weights))
        free = await _looked(database, settled, batch, unbound(weights))
        may = {each.letter.message_id for each in free if each.verdict.outcome == "attached"}
        batched = [
            _case(
                by_id[each.letter.message_id],
                each,
                settled,
                names_of(weights),
                may=each.letter.message_id in may,
            )
            for each in told
        ]
        found += [each for each in batched if not each.is_derived_alone]
    return found


async def _looked(
    database: Database, settled: Settled, ids: Sequence[MessageId], weights: Weights
) -> list[Looked]:
    with on_trial(weights):
        async with database.as_account(settled.account_id) as unit:
            await plan_afresh(unit)
            return await look_at(unit, ids)


def probing(weights: Weights) -> Weights:
    """The same, with every strength a number of its own, and thresholds that show all candidates."""
    strengths = {name: _marked(value, place) for place, (name, value) in enumerate(_strengths(weights))}
    shy = Decision(attach=_NEVER, margin=_NEVER, contradiction=_ALWAYS, plausible=_ALWAYS)
    return replace(weights, strength=Strength(**strengths), decision=shy)


def unbound(weights: Weights) -> Weights:
    """The same, with thresholds that never keep from attaching."""
    free = Decision(attach=_ALWAYS, margin=_ALWAYS, contradiction=_ALWAYS, plausible=_ALWAYS)
    return replace(weights, decision=free)


def names_of(weights: Weights) -> dict[float, str]:
    """Which number a piece under `probing` weights is."""
    return {_marked(value, place): name for place, (name, value) in enumerate(_strengths(weights))}


def _strengths(weights: Weights) -> Iterator[tuple[str, float]]:
    yield from asdict(weights.strength).items()


def _marked(value: float, place: int) -> float:
    return value + (place + 1) * _APART


def _case(
    found: ReadMessage, looked: Looked, settled: Settled, names: dict[float, str], *, may: bool
) -> Case:
    truth = {settled.applications[each] for each in found.true.truth}
    recorded = frozenset(settled.applications.values())
    return Case(
        mailbox=found.true.person,
        id=found.true.id,
        family=found.true.family,
        truth=len(truth),
        decidable=found.true.decidable,
        may_attach=may,
        options=tuple(_option(each, truth, recorded, names) for each in looked.verdict.candidates),
    )


def _option(
    found: Weighed, truth: set[ApplicationId], recorded: Collection[ApplicationId], names: dict[float, str]
) -> Option:
    told = [(_name_of(piece, names), piece.sure) for piece in found.pieces if piece.direction != "veto"]
    return Option(
        is_truth=found.application_id in truth,
        vetoed=found.vetoed,
        is_derived=found.application_id not in recorded,
        names=tuple(name for name, _ in told),
        sure=tuple(name for name, sure in told if sure),
    )


def _name_of(piece: Piece, names: dict[float, str]) -> str:
    if piece.strength not in names:
        raise NotANumberOfTheTable(
            f"A piece of {piece.name} counts {piece.strength}; only the table may say so."
        )
    return names[piece.strength]
