"""Posting: its text, its facts with where they come from, its way into the catalog, and what I do with it."""

from datetime import date

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from backend.http import times
from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.listing.board_standing import Standing, standing
from backend.listing.posting_filters import COUNTRY_NAMES, EMPLOYMENTS, SENIORITIES
from backend.pages.postings import Paid, pay_of
from matcher.applications.store import record_application
from matcher.applications.types import NewApplication
from pipeline.catalog.boards.store import board
from pipeline.catalog.boards.types import BoardLine
from pipeline.catalog.rules import reason_said, trail
from pipeline.catalog.store import (
    MOST_NOTE_CHARS,
    events_of,
    posting_by_id,
    sightings_of,
    twins_of,
    write_note,
)
from pipeline.catalog.types import Event, Posting, Sighting, Step, Twin
from pipeline.closing.store import incidents
from schema.ids import PostingId

_EVIDENCE = {
    "same_requisition": "the same requisition",
    "same_text": "the same text",
    "near_text": "nearly the same text",
    "same_apply_url": "the same form to apply",
}


class PostingView(msgspec.Struct, frozen=True, kw_only=True):
    posting: Posting
    sightings: list[Sighting]
    trail: list[Step]
    events: list[Event]
    twins: list[Twin]
    boards: list[tuple[BoardLine, Standing]]
    form: Form

    @property
    def seniority(self) -> str | None:
        return next((text for word, text in SENIORITIES.items() if word == self.posting.seniority), None)

    @property
    def employment(self) -> str | None:
        kind = self.posting.employment_type
        return next((text for word, text in EMPLOYMENTS.items() if word == kind), kind)

    @property
    def countries(self) -> list[str]:
        """Those that its places do not name already."""
        named = " ".join(self.posting.locations).casefold()
        names = [COUNTRY_NAMES.get(code, code) for code in self.posting.countries]
        return [name for name in names if name.casefold() not in named]

    def because(self, event: Event) -> str:
        return reason_said(event.reason)

    def speaks_for(self, twin: Twin) -> str:
        return ", ".join(_EVIDENCE.get(word, word.replace("_", " ")) for word in twin.evidence)

    @property
    def description(self) -> Markup:
        """Stored sanitised, by an allow-list of elements without styles, scripts and remote loads."""
        return Markup(self.posting.html or "")  # noqa: S704

    @property
    def apply_link(self) -> str:
        return self.posting.apply_url or self.posting.canonical_url

    def pay(self, row: Paid) -> str | None:
        return pay_of(row)


@get("/postings/{posting_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Html:
    return await _page(visit, PostingId(posting_id))


async def _page(visit: Visit, posting_id: PostingId, form: Form | None = None, *, status: int = 200) -> Html:
    async with visit.unit() as unit:
        found = await posting_by_id(unit, posting_id)
        sightings = await sightings_of(unit, posting_id)
        events = await events_of(unit, posting_id)
        twins = await twins_of(unit, posting_id)
        lines = [await board(unit, sighting.source_id) for sighting in sightings]
        troubles = {each.platform: each for each in await incidents(unit)}
    given = form.values if form else {}
    shown = Form.of(**{"applied_on": _today(visit).isoformat(), "note": found.note, **given})
    shown.faults = form.faults if form else []
    view = PostingView(
        posting=found,
        sightings=sightings,
        trail=trail(found, sightings),
        events=events,
        twins=twins,
        boards=[(line, standing(line, troubles, visit.clock.now())) for line in lines],
        form=shown,
    )
    return visit.page("posting.html", view, status=status)


@post("/postings/{posting_id:int}/applied", include_in_schema=False)
async def applied(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    on = form.past_day("applied_on", "Applied on", latest=_today(visit))
    if not form.ok:
        return await _page(visit, PostingId(posting_id), form, status=400)
    new = NewApplication(origin="tracker", posting_id=PostingId(posting_id), applied_on=on)
    async with visit.unit() as unit:
        made = await record_application(unit, new, now=visit.clock.now())
    undo = Undo(action=f"/applications/{made}/dismiss")
    return visit.leave(f"/applications/{made}", "The application is in your list.", undo=undo)


def _today(visit: Visit) -> date:
    """The day it is where the person lives."""
    return visit.clock.now().astimezone(times.zone(visit.account.time_zone)).date()


@post("/postings/{posting_id:int}/note", include_in_schema=False)
async def note(visit: NamedDependency[Visit], posting_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    text = form.text("note", "Note", limit=MOST_NOTE_CHARS, required=False)
    if not form.ok:
        return await _page(visit, PostingId(posting_id), form, status=400)
    async with visit.unit() as unit:
        before = (await posting_by_id(unit, PostingId(posting_id))).note
        await write_note(unit, PostingId(posting_id), text, now=visit.clock.now())
    undo = Undo(action=f"/postings/{posting_id}/note", fields={"note": before})
    return visit.leave(f"/postings/{posting_id}", "Note saved.", undo=undo)


ROUTES = (show, applied, note)
