"""Which numbers to keep: those set by hand or fitted ones, each with thresholds chosen for them.

Judged by leaving one mailbox out at a time: numbers and thresholds come from the others, the figures from the
one left out. Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import asdict

from matcher.evidence.weights import Decision, Strength, Weights
from matcher.fitting.cases import Case
from matcher.fitting.judging import NOTHING, Strengths, Tally, scored, tally
from matcher.fitting.strengths import MUST_DO, fitted
from matcher.fitting.thresholds import WRONG_OF_LINKS, chosen

Way = Literal["by hand", "fitted"]
GAIN = 0.005
"""So much more recall fitted strengths must bring where they were not fitted."""

_Make = Callable[[Sequence[Case]], Strengths]


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """`elsewhere` is over the mailboxes left out, `worst` the one of them with most wrong links."""

    way: Way
    weights: Weights
    here: Tally
    elsewhere: Tally
    worst: Tally


def tried(found: Sequence[Case], start: Weights) -> Mapping[Way, Tried]:
    ways: Mapping[Way, _Make] = {
        "by hand": lambda _: _strengths(start),
        "fitted": lambda cases: fitted(cases, _strengths(start), start.decision.attach),
    }
    return {way: _tried(way, make, found, start) for way, make in ways.items()}


def better(told: Mapping[Way, Tried]) -> Tried:
    hand, fit = told["by hand"], told["fitted"]
    if _is_within(fit.elsewhere) and not _is_within(hand.elsewhere):
        return fit
    gains = fit.elsewhere.recall >= hand.elsewhere.recall + GAIN
    return (
        fit if gains and (_is_within(fit.elsewhere) or fit.elsewhere.wrong <= hand.elsewhere.wrong) else hand
    )


def _tried(way: Way, make: _Make, found: Sequence[Case], start: Weights) -> Tried:
    strengths, limits = _made(make, found, start)
    left_out = [
        _left_out(make, found, start, mailbox) for mailbox in sorted({case.mailbox for case in found})
    ]
    return Tried(
        way=way,
        weights=Weights(version=start.version, decision=limits, strength=Strength(**strengths)),
        here=tally([scored(case, strengths) for case in found], limits),
        elsewhere=sum(left_out, NOTHING),
        worst=max(left_out, key=lambda each: (each.wrong_per_1000, -each.recall), default=NOTHING),
    )


def _left_out(make: _Make, found: Sequence[Case], start: Weights, mailbox: str) -> Tally:
    others = [case for case in found if case.mailbox != mailbox]
    strengths, limits = _made(make, others, start)
    return tally([scored(case, strengths) for case in found if case.mailbox == mailbox], limits)


def _made(make: _Make, found: Sequence[Case], start: Weights) -> tuple[dict[str, float], Decision]:
    strengths = dict(make(found))
    enough = sum(strengths[name] for name in MUST_DO)
    return strengths, chosen([scored(case, strengths) for case in found], start.decision, enough)


def _strengths(weights: Weights) -> dict[str, float]:
    return {name: float(value) for name, value in asdict(weights.strength).items()}


def _is_within(told: Tally) -> bool:
    links = told.right + told.wrong
    return links > 0 and told.wrong / links <= WRONG_OF_LINKS
