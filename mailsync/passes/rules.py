"""Which of what a message said before a new reading replaces, and what a pass came to. Pure.

A person's word stands, whatever a machine reads. What a language model decided stands too: it only ever saw
what these stages had left open. Where it could not tell either the message is open, and who can is heard.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from mailsync.classify.model.decide import VERSION as MODEL_VERSION
from mailsync.classify.rules import classify
from mailsync.classify.screen import WHOLE, Screened, screen
from mailsync.classify.stages import STAGES_VERSION, read
from mailsync.classify.types import Reading, ReadingState
from mailsync.messages.rules import reading_to_keep
from mailsync.parse.types import ParsedMessage
from schema.ids import MessageId, ReadingId
from schema.text import grouped
from schema.vocabulary import EventKind, FactName, ReadingStage, SpanSource

Reader = Callable[[ParsedMessage, frozenset[str]], Reading]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a pass is to do. `most` None: everything that waits."""

    with_model: bool = True
    until_done: bool = False
    is_dry: bool = False
    recheck: bool = False
    most: int | None = None

    @property
    def version(self) -> int:
        """What a row says that this pass has read. Below the whole version without the model, so that a pass
        with it reads the row again."""
        return STAGES_VERSION if self.with_model else STAGES_VERSION - MODEL_VERSION

    @property
    def reader(self) -> Reader:
        return read if self.with_model else classify


class SaidEvent(msgspec.Struct, frozen=True, kw_only=True):
    kind: EventKind
    reason: str | None
    rule: str
    source: SpanSource | None
    start: int | None
    end: int | None


class SaidFact(msgspec.Struct, frozen=True, kw_only=True):
    name: FactName
    value: str
    comparable: str
    source: SpanSource
    start: int
    end: int


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What the deterministic stages said of a message, without who and when."""

    stage: ReadingStage
    state: ReadingState
    events: tuple[SaidEvent, ...] = ()
    facts: tuple[SaidFact, ...] = ()


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What stood about a message when it was read again. `reading_id` None: nobody had read it."""

    reading_id: ReadingId | None
    stage: ReadingStage | None
    state: ReadingState | None
    said: Said | None

    @property
    def is_settled(self) -> bool:
        """Whether a machine may only write below what counts, or nothing at all."""
        return self.stage == "person" or self.is_told_by_model

    @property
    def is_told_by_model(self) -> bool:
        return self.stage == "language_model" and self.state == "decided"


Change = Literal["decided", "changed", "same"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What reading one message again comes to. `reading` None: nothing new is written down."""

    message_id: MessageId
    seen_id: ReadingId | None
    change: Change
    reading: Reading | None
    is_own: bool
    screened: Screened

    @property
    def dropped_reason(self) -> str | None:
        """Why the text is kept no longer. What the screen would not keep by name either stays whole."""
        is_dropped = self.change != "same" and self.screened.kept == "headers"
        return self.screened.reason if is_dropped else None

    @property
    def kept_reading(self) -> Reading | None:
        """Of a text that is kept no longer no words remain."""
        if self.reading is None or self.dropped_reason is None:
            return self.reading
        return reading_to_keep(self.reading, self.screened)

    def kept_whole(self) -> "Verdict":
        return msgspec.structs.replace(self, screened=WHOLE)


def verdict(message_id: MessageId, message: ParsedMessage, before: Before, reading: Reading) -> Verdict:
    """`decided` when what was open is told now, `changed` when anything else that counts is new."""
    is_new = not before.is_told_by_model and not _is_past(before, reading) and before.said != said_by(reading)
    return Verdict(
        message_id=message_id,
        seen_id=before.reading_id,
        change=_change(before, reading) if is_new and not before.is_settled else "same",
        reading=reading if is_new else None,
        is_own=reading.note == "own_mail",
        screened=screen(message, reading),
    )


def _is_past(before: Before, reading: Reading) -> bool:
    """Whether the local model told what this reading leaves open, which was made without the model or by one
    that is no longer sure: only rules that say something else replace what it told."""
    told = before.said is not None and before.said.stage == "local_model" and before.said.state == "decided"
    return told and reading.state == "open"


def _change(before: Before, reading: Reading) -> Change:
    return "decided" if before.state != "decided" and reading.state == "decided" else "changed"


def said_by(reading: Reading) -> Said:
    return Said(
        stage=reading.stage,
        state=reading.state,
        events=tuple(
            SaidEvent(
                kind=event.kind,
                reason=event.reason,
                rule=event.rule,
                source=event.span.source if event.span else None,
                start=event.span.start if event.span else None,
                end=event.span.end if event.span else None,
            )
            for event in reading.events
        ),
        facts=tuple(
            SaidFact(
                name=fact.name,
                value=fact.value,
                comparable=fact.comparable,
                source=fact.span.source,
                start=fact.span.start,
                end=fact.span.end,
            )
            for fact in reading.facts
        ),
    )


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a pass came to. `left` would be read by a pass that goes on; `still_open` nobody can tell."""

    examined: int = 0
    decided: int = 0
    changed: int = 0
    dropped: int = 0
    left: int = 0
    still_open: int = 0

    def with_batch(self, verdicts: Sequence[Verdict]) -> "Summary":
        return msgspec.structs.replace(
            self,
            examined=self.examined + len(verdicts),
            decided=self.decided + sum(each.change == "decided" for each in verdicts),
            changed=self.changed + sum(each.change == "changed" for each in verdicts),
            dropped=self.dropped + sum(each.dropped_reason is not None for each in verdicts),
        )

    def told(self, *, is_dry: bool = False) -> str:
        """`40 read again: 3 told now, 1 changed, 36 as before; 37 still open, 0 left to read`."""
        same = self.examined - self.decided - self.changed
        numbers = (
            f"{grouped(self.decided)} told now, {grouped(self.changed)} changed, {grouped(same)} as before"
        )
        dropped = f", {grouped(self.dropped)} no longer kept whole" if self.dropped else ""
        lead = "nothing was changed; it would be " if is_dry else ""
        return (
            f"{lead}{grouped(self.examined)} read again: {numbers}{dropped}; "
            f"{grouped(self.still_open)} still open, {grouped(self.left)} left to read"
        )
