"""Everything the page of one application shows, read in one unit of work."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from backend.application.facts import Fact, Known, Source, applied_sources, facts
from backend.application.history import Around, Moment, moments
from backend.application.store import mentions, merges, posting
from extension_api.fills.store import Submission, submissions_of
from matcher.applications.store import application, merged_records
from matcher.applications.types import Application
from matcher.asks.store import asks_of_application
from matcher.automatic.store import Followed as FollowedAct
from matcher.automatic.store import followed
from matcher.contacts.rules import Correspondent
from matcher.contacts.store import Contact, contacts_of, correspondents_of
from matcher.decisions.store import evidence_of, in_force
from matcher.edits.store import corrected_fields
from matcher.pairs.store import OpenPair, open_pairs_of
from matcher.resolutions.applications.store import application_items
from matcher.resolutions.asks.store import ask_items
from matcher.resolutions.history.store import entry
from matcher.resolutions.messages.store import message_items
from matcher.resolutions.names import act_entry
from matcher.resolutions.statuses.rules import Before
from matcher.resolutions.statuses.store import status_items
from matcher.resolutions.types import ApplicationItem, AskItem, HistoryEntry, StatusItem
from matcher.silence.rules import Silence, silence
from matcher.silence.store import pace
from matcher.timeline.store import timeline
from matcher.timeline.types import Entry, Timeline
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.vocabulary import Stage

MOMENTS_MAX = 25
"""So many messages are shown at first, the latest ones."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record merged into the application. `entry` takes that back; None where it came with another one."""

    application: Application
    entry: HistoryEntry | None


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """The status followed the mail by itself. `before` is what the person had set, None when nothing."""

    message_id: MessageId | None
    at: datetime
    before: Stage | None


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """An application with its history. `records` are those merged into it; `older` messages are not shown."""

    application: Application
    item: ApplicationItem
    status: StatusItem
    followed: Followed | None
    timeline: Timeline
    moments: list[Moment]
    older: int
    asks: list[AskItem]
    silence: Silence | None
    pairs: list[OpenPair]
    records: list[Record]
    submissions: list[Submission]
    facts: list[Fact]
    applied_from: list[Source]
    correspondents: list[Correspondent]
    contacts: list[Contact]


async def whole(unit: Unit, application_id: ApplicationId, *, now: datetime, every: bool = False) -> Whole:
    """Raises `Missing`. `every` shows all messages, however many there are."""
    found = await application(unit, application_id)
    history = await timeline(unit, application_id, now=now)
    records = await records_of(unit, application_id)
    shown = history.entries if every else history.entries[-MOMENTS_MAX:]
    known = await _known(unit, found)
    asks = await ask_items(unit, [ask.ask_id for ask in await asks_of_application(unit, application_id)])
    return Whole(
        application=found,
        item=(await application_items(unit, [application_id]))[application_id],
        status=(await status_items(unit, [application_id]))[application_id],
        followed=_followed(await followed(unit, application_id)),
        timeline=history,
        moments=await _moments(unit, found, records, shown),
        older=len(history.entries) - len(shown),
        asks=list(asks.values()),
        silence=silence(history.silent_since, found.stage, await pace(unit), now),
        pairs=await open_pairs_of(unit, application_id),
        records=records,
        submissions=list(known.submissions),
        facts=facts(known),
        applied_from=applied_sources(known),
        correspondents=await correspondents_of(unit, application_id),
        contacts=await contacts_of(unit, application_id),
    )


async def records_of(unit: Unit, application_id: ApplicationId) -> list[Record]:
    """The records merged into it, each with the way back."""
    acts = await merges(unit, application_id)
    return [
        Record(
            application=await application(unit, each),
            entry=await entry(unit, act_entry(acts[each].act_id)) if each in acts else None,
        )
        for each in await merged_records(unit, application_id)
    ]


async def _known(unit: Unit, found: Application) -> Known:
    return Known(
        application=found,
        corrected=await corrected_fields(unit, found.application_id),
        posting=await posting(unit, found.posting_id),
        submissions=await submissions_of(unit, found.application_id),
        mentions=await mentions(unit, found.application_id),
    )


async def _moments(
    unit: Unit, found: Application, records: Sequence[Record], entries: Sequence[Entry]
) -> list[Moment]:
    ids = [entry.message_id for entry in entries]
    around = Around(
        application_id=found.application_id,
        records=frozenset({found.application_id, *(record.application.application_id for record in records)}),
        items=await message_items(unit, ids),
        in_force=await in_force(unit, ids),
        evidence=await evidence_of(unit, [entry.decision_id for entry in entries]),
    )
    return moments(entries, around)


def _followed(found: FollowedAct | None) -> Followed | None:
    if found is None:
        return None
    before = msgspec.json.decode(found.replaced, type=Before) if found.replaced else None
    return Followed(message_id=found.message_id, at=found.at, before=before.status if before else None)
