"""What an answer of a model is worth, and what may take the place of what. Pure.

A person's text is never replaced unless they asked for it, and never when they touched it since.
"""

from collections.abc import Sequence

import msgspec

from extension_api.drafts.grounding import not_in_sources
from extension_api.drafts.types import Failure, Held, Judged, Outcome, Standing, Task, Version
from extension_api.protocol import MAX_DRAFT_CHARS, DraftState
from mailsync.classify.language_model.types import Answered
from schema.errors import Refusal
from schema.text import clean

MOST_DRAFTS = 500
MOST_VERSIONS = 200
MOST_TRIES = 2
"""Answers to one asking: the second only when the first was too long or rested on nothing."""
AGAIN: frozenset[Outcome] = frozenset(("too_long", "not_in_sources"))
_FAILURES: dict[Outcome, Failure] = {
    "nothing_to_rest_on": "nothing_to_rest_on",
    "invalid": "invalid",
    "cut_off": "cut_off",
    "declined": "declined",
    "filtered": "filtered",
}


class DraftChanged(Refusal):
    """This draft was changed meanwhile. Your text is kept among its versions; look at both."""

    code = "draft_changed"
    kind = "conflict"


class CannotWrite(Refusal):
    """No language model may write for you: none is set up, or you have not allowed it."""

    code = "draft_cannot_be_written"
    kind = "conflict"


class TooManyDrafts(Refusal):
    """There are five hundred drafts already; delete some first."""

    code = "too_many_drafts"
    kind = "conflict"


class TooManyVersions(Refusal):
    """This draft has two hundred versions already; delete it and begin anew."""

    code = "too_many_versions"
    kind = "conflict"


class _Said(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    used: tuple[str, ...]


def tidied(text: str) -> str:
    """As it is stored and counted: lines end with one character, none stands around it."""
    return clean(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def form_length(text: str) -> int:
    """Characters as a form counts them: one outside the basic plane is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_too_long(text: str, max_chars: int | None) -> bool:
    return max_chars is not None and form_length(text) > max_chars


def judged(answer: Answered, task: Task) -> Judged:
    """Never cuts: a text that does not fit is kept whole and said to be too long."""
    if answer.ended != "complete":
        return Judged(outcome=answer.ended)
    try:
        said = msgspec.json.decode(clean(answer.text).encode(), type=_Said)
    except msgspec.DecodeError:
        return Judged(outcome="invalid")
    text = tidied(said.text)
    if not text:
        return Judged(outcome="nothing_to_rest_on")
    if len(text) > MAX_DRAFT_CHARS:
        return Judged(outcome="invalid")
    unknown = not_in_sources(text, task)
    too_long = is_too_long(text, task.max_chars)
    return Judged(
        outcome="not_in_sources" if unknown else "too_long" if too_long else "written",
        text=text,
        rests_on=[fact.label for fact in task.facts if fact.id in said.used],
        not_in_sources=unknown,
    )


def best_of(versions: Sequence[Version], max_chars: int | None) -> Version | None:
    """Of the answers to one asking: what rests on the sources, then what fits, then the newest."""
    return min(
        versions,
        key=lambda each: (bool(each.not_in_sources), is_too_long(each.text, max_chars), -each.generation),
        default=None,
    )


def takes_force(held: Held) -> bool:
    """Whether a machine's text may now become the one in force."""
    if held.generation == 0:
        return True
    if held.generation != held.ask_generation:
        return False
    return held.ask_replaces or not held.is_the_persons


def after_writing(held: Held, best: Version | None, failure: Failure | None) -> Standing:
    """How a draft stands when an asking is over, with its best answer or with the reason for none."""
    if best is not None and takes_force(held):
        why: Failure | None = "not_in_sources" if best.not_in_sources else None
        return Standing(generation=best.generation, state="failed" if why else "ready", failure=why)
    state = rests(held)
    if state != "ready" and best is None:
        return Standing(generation=held.generation, state="failed", failure=failure or "invalid")
    if held.is_doubted and not held.is_the_persons:
        return Standing(generation=held.generation, state="failed", failure=failure or "not_in_sources")
    return Standing(
        generation=held.generation,
        state=state,
        failure=failure if best is None else None,
        accepted_at=held.accepted_at,
    )


def rests(held: Held) -> DraftState:
    """How a draft stands that nobody writes at."""
    return "ready" if held.generation and held.text.strip() else "empty"


def failure_of(outcome: Outcome) -> Failure | None:
    return _FAILURES.get(outcome)
