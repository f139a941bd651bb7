"""Stages 1 to 3 in order: structure and rules, and the local model where they left a message open. Pure.

The one door for everybody who wants to know what a message says. The model is only asked about mail that the
screen keeps for speaking of hiring, so that it can make no job mail out of anything else; a contradiction
between phrases is left to people.
"""

import msgspec

from mailsync.classify.model.decide import VERSION as MODEL_VERSION
from mailsync.classify.model.decide import decide
from mailsync.classify.rules import VERSION as RULES_VERSION
from mailsync.classify.rules import classify
from mailsync.classify.screen import is_from_a_platform, names_a_job, screen
from mailsync.classify.types import Event, Reading
from mailsync.parse.types import ParsedMessage

_MOST_MODELS = 1000
STAGES_VERSION = RULES_VERSION * _MOST_MODELS + MODEL_VERSION
"""Grows when the rules or the model change; neither version is ever lowered."""


def read(message: ParsedMessage, owner_addresses: frozenset[str] = frozenset()) -> Reading:
    reading = classify(message, owner_addresses)
    return _by_model(message, reading) if _is_worth_it(message, reading) else reading


def _is_worth_it(message: ParsedMessage, reading: Reading) -> bool:
    if reading.state != "open" or reading.note == "contradiction":
        return False
    return screen(message, reading).kept == "whole"


def _by_model(message: ParsedMessage, reading: Reading) -> Reading:
    event = decide(message)
    if event is None or _calls_a_job_unrelated(event, message, reading):
        return reading
    return msgspec.structs.replace(
        reading,
        stage="local_model",
        version=MODEL_VERSION,
        state="decided",
        events=(event,),
        facts=() if event.kind == "not_job_related" else reading.facts,
        note="",
    )


def _calls_a_job_unrelated(event: Event, message: ParsedMessage, reading: Reading) -> bool:
    """New words are no reason to drop what names a job, or comes from who writes of nothing else."""
    return event.rule == "model.unrelated" and (names_a_job(reading) or is_from_a_platform(message))
