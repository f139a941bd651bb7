"""What two records would be as one application: worked out, never written. Pure."""

from collections.abc import Sequence
from datetime import date, datetime

import msgspec

from matcher.applications.rules import carried
from matcher.applications.types import Application, OwnWords
from matcher.timeline.rules import standing
from matcher.timeline.types import Event, PersonStatus, Timeline
from schema.ids import ApplicationId
from schema.vocabulary import Stage


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two, as it stands. `version` is what was looked at."""

    application: Application
    timeline: Timeline
    events: Sequence[Event]
    version: str
    merged_ids: Sequence[ApplicationId] = ()

    @property
    def words(self) -> OwnWords:
        found = self.application
        return OwnWords(
            status=found.status,
            status_at=found.status_at,
            applied_at=found.applied_at,
            applied_on=found.applied_on,
        )


class Together(msgspec.Struct, frozen=True, kw_only=True):
    """What `stays` would be when it stands for `goes`. Both notes are kept, each on its own record."""

    stays: Side
    goes: Side
    stage: Stage
    words: OwnWords
    messages: int
    records: int
    notes: list[str]

    @property
    def company(self) -> str | None:
        return self.stays.application.company

    @property
    def applied_at(self) -> datetime | None:
        return self.words.applied_at

    @property
    def applied_on(self) -> date | None:
        return self.words.applied_on

    @property
    def received_at(self) -> datetime | None:
        """By which of the receipts both have the person had applied, while no day is known."""
        known = [side.application.received_at for side in (self.stays, self.goes)]
        return min((at for at in known if at is not None), default=None)

    @property
    def role(self) -> str | None:
        return self.stays.application.role


def together(stays: Side, goes: Side) -> Together:
    words = carried(stays.words, goes.words)
    person = (
        PersonStatus(stage=words.status, at=words.status_at)
        if words.status is not None and words.status_at is not None
        else None
    )
    events = {event.event_id: event for event in (*stays.events, *goes.events)}
    entries = {entry.message_id for side in (stays, goes) for entry in side.timeline.entries}
    return Together(
        stays=stays,
        goes=goes,
        stage=standing(events.values(), person).stage,
        words=words,
        messages=len(entries),
        records=2 + len(stays.merged_ids) + len(goes.merged_ids),
        notes=[side.application.note for side in (stays, goes) if side.application.note],
    )
