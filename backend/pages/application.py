"""Application: what happened, on what evidence; where it stands; documents, contacts, asks, the own note.

What the person sets is theirs: the mail's stage is only proposed beside it. Answers about a message, a
status, an ask or a pair are given at the review's addresses and lead back here.
"""

import hashlib
from typing import Annotated, get_args

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from backend.application.whole import Record, Whole, records_of, whole
from backend.http.forms import Form
from backend.http.visits import Html, Visit
from backend.http.words import STAGES
from backend.pages.application_statuses import Was, spelled
from backend.pages.strip import Moment, Strip, strip_of
from matcher.applications.store import application
from matcher.applications.types import Application
from matcher.resolutions.types import AskItem
from matcher.timeline.rules import ENDED
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.vocabulary import Stage

STAGE_NAMES: tuple[Stage, ...] = get_args(Stage)


class ApplicationView(msgspec.Struct, frozen=True, kw_only=True):
    """`told` says why nothing was done, where a form was refused."""

    whole: Whole
    strip: Strip | None
    note: Form
    contact: Form
    other_note: str | None
    """The note as it was saved elsewhere meanwhile, shown beside the one in the form."""
    told: str

    @property
    def application(self) -> Application:
        return self.whole.application

    @property
    def ended(self) -> bool:
        return self.application.stage in ENDED

    @property
    def open_asks(self) -> list[AskItem]:
        return [ask for ask in self.whole.asks if ask.settled_at is None]

    @property
    def settled_asks(self) -> list[AskItem]:
        return [ask for ask in self.whole.asks if ask.settled_at is not None]

    @property
    def moved_by(self) -> MessageId | None:
        """The message that led to where it stands by its mail; None when none did."""
        changes = self.whole.timeline.standing.changes
        return changes[-1].event.message_id if changes else None

    @property
    def seen_status(self) -> str:
        """What the person has set; a form shown over another one is refused."""
        found = self.application
        return spelled(Was(application_id=found.application_id, status=found.status, at=found.status_at))

    @property
    def statuses(self) -> list[tuple[str, str]]:
        """The first gives the stage back to the mail."""
        follow = f"Follow the mail ({STAGES[self.application.mail_stage].text.lower()})"
        return [("", follow), *((stage, STAGES[stage].text) for stage in STAGE_NAMES)]


class MergedView(msgspec.Struct, frozen=True, kw_only=True):
    """A record that another one stands for. `unsaved` is a note that was typed before anybody saw that."""

    into: Application
    record: Record
    unsaved: str = ""


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """How the page is shown once more after a form was refused."""

    note: Form | None = None
    contact: Form | None = None
    told: str = ""
    status: int = 200


@get("/applications/{application_id:int}", include_in_schema=False)
async def show(
    visit: NamedDependency[Visit],
    application_id: FromPath[int],
    every: Annotated[str, QueryParameter(name="all", max_length=10)] = "",
) -> Html:
    return await page_of(visit, ApplicationId(application_id), Again(), every=bool(every))


async def page_of(visit: Visit, application_id: ApplicationId, again: Again, *, every: bool = False) -> Html:
    async with visit.unit() as unit:
        found = await application(unit, application_id)
        if found.merged_into_id is not None:
            return await _merged(visit, unit, found, found.merged_into_id, again)
        read = await whole(unit, application_id, now=visit.clock.now(), every=every)
    view = ApplicationView(
        whole=read,
        strip=_strip(visit, read),
        note=again.note or Form.of(note=found.note, seen=mark_of(found.note)),
        contact=again.contact or Form({}),
        other_note=found.note if again.note is not None and again.note.ok else None,
        told=again.told,
    )
    return visit.page("application.html", view, status=again.status)


async def _merged(visit: Visit, unit: Unit, found: Application, into: ApplicationId, again: Again) -> Html:
    records = await records_of(unit, into)
    own = next(each for each in records if each.application.application_id == found.application_id)
    unsaved = again.note.value("note") if again.note else ""
    view = MergedView(into=await application(unit, into), record=own, unsaved=unsaved)
    return visit.page("application_merged.html", view, status=again.status)


def _strip(visit: Visit, read: Whole) -> Strip | None:
    found = read.application
    applied = [Moment(at=found.applied_at, kind=None)] if found.applied_at else []
    said = [
        Moment(at=entry.sent_at, kind=said.kind, message_id=entry.message_id)
        for entry in read.timeline.entries
        if entry.sent_at is not None
        for said in entry.said
    ]
    return strip_of([*applied, *said], visit.clock.now(), ended=found.stage in ENDED)


def mark_of(note: str) -> str:
    """What tells one state of a note from another."""
    return hashlib.sha256(note.encode()).hexdigest()[:16]


ROUTES = (show,)
