"""What an answer of a model is worth: a reading of the one message it is about, or nothing. Pure.

An answer is believed only in the stated form, and an event or a fact only when its quotation stands in the
message, whitespace aside. A refusal that is claimed but cannot be shown keeps every other event back: what
looks like bad news is never turned into good news by leaving it out.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from mailsync.classify.language_model.prompt import VERSION
from mailsync.classify.language_model.shown import Shown
from mailsync.classify.language_model.types import Answered
from mailsync.classify.senders import is_relay_brand
from mailsync.classify.types import Event, Fact, NoiseReason, Reading, Span
from mailsync.classify.weights import ADVANCES, NEGATIVE, unsilenced
from schema.identity.names import comparable_company, title_parts
from schema.text import clean
from schema.vocabulary import EventKind

RULE = "language_model"
MOST_EVENTS = 8
MOST_FACTS = 8
LONGEST_QUOTE = 600
LEAST_QUOTE = 8
LONGEST_NAME = 120
LEAST_NAME = 2

Outcome = Literal[
    "decided", "open", "unproven", "contradiction", "invalid", "cut_off", "declined", "filtered"
]
"""What an answer was good for. Only `decided` tells anything; all others leave the message open."""


class _SaidEvent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: EventKind
    quote: str
    reason: NoiseReason | None = None


class _SaidFact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Literal["employer", "role"]
    quote: str


class _Said(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    events: tuple[_SaidEvent, ...]
    facts: tuple[_SaidFact, ...] = ()


class Interpretation(msgspec.Struct, frozen=True, kw_only=True):
    reading: Reading
    outcome: Outcome


def interpretation(answer: Answered, shown: Shown) -> Interpretation:
    if answer.ended != "complete":
        return _left_open(answer.ended)
    try:
        said = msgspec.json.decode(clean(answer.text).encode(), type=_Said)
    except msgspec.DecodeError:
        return _left_open("invalid")
    if len(said.events) > MOST_EVENTS or len(said.facts) > MOST_FACTS:
        return _left_open("invalid")
    return _judged(said, shown)


def _judged(said: _Said, shown: Shown) -> Interpretation:
    events, unproven = _proven(said, shown)
    facts = tuple(_facts(said, shown))
    if NEGATIVE & unproven and not events.keys() <= NEGATIVE:
        return _left_open("unproven", facts)
    if NEGATIVE & events.keys() and ADVANCES & events.keys():
        return _left_open("contradiction", facts)
    if not events:
        return _left_open("unproven" if unproven else "open", facts)
    kinds = unsilenced(events)
    about_work = kinds[0] != "not_job_related"
    reading = Reading(
        stage="language_model",
        version=VERSION,
        state="decided",
        events=tuple(events[kind] for kind in kinds),
        facts=facts if about_work else (),
    )
    return Interpretation(reading=reading, outcome="decided")


def _left_open(outcome: Outcome, facts: tuple[Fact, ...] = ()) -> Interpretation:
    reading = Reading(stage="language_model", version=VERSION, state="open", facts=facts, note=outcome)
    return Interpretation(reading=reading, outcome=outcome)


def _proven(said: _Said, shown: Shown) -> tuple[dict[EventKind, Event], frozenset[EventKind]]:
    """The first event of each kind that its quotation proves, and the kinds that were only claimed."""
    proven: dict[EventKind, Event] = {}
    claimed: set[EventKind] = set()
    for each in said.events:
        claimed.add(each.kind)
        span = _span(each.quote, shown, LEAST_QUOTE, LONGEST_QUOTE)
        if span is not None and each.kind not in proven:
            reason = each.reason if each.kind == "not_job_related" and each.reason != "own_mail" else None
            proven[each.kind] = Event(kind=each.kind, rule=RULE, span=span, reason=reason)
    return proven, frozenset(claimed - proven.keys())


def _facts(said: _Said, shown: Shown) -> Iterator[Fact]:
    """The first employer and the first role that stand in the message; a platform is no employer."""
    told: set[str] = set()
    for each in said.facts:
        span = _span(each.quote, shown, LEAST_NAME, LONGEST_NAME)
        if span is None or each.name in told:
            continue
        value = " ".join(span.text.split())
        comparable = _comparable(each.name, value)
        if comparable and not (each.name == "employer" and is_relay_brand(value)):
            told.add(each.name)
            yield Fact(name=each.name, value=value, comparable=comparable, span=span)


def _comparable(name: Literal["employer", "role"], value: str) -> str:
    return comparable_company(value) if name == "employer" else title_parts(value).key


def _span(quote: str, shown: Shown, least: int, most: int) -> Span | None:
    return shown.find(quote) if least <= len(quote.strip()) and len(quote) <= most else None
