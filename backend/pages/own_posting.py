"""A posting only this person knows: what is known of it and from whom, and what they do with it."""

from datetime import date

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http import times
from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit, local
from backend.listing.board_words import LOOKS, PASSES, TRIED, Said, problem_said
from backend.pages.posting_save import WriteView, is_free, words_in
from matcher.applications.store import record_application
from matcher.applications.types import NewApplication
from pipeline.catalog.store import MOST_NOTE_CHARS, posting_named
from pipeline.kept.keeping import read_again, reading_key, remove_own
from pipeline.kept.reading import passing
from pipeline.kept.rules import may_not_be_read
from pipeline.kept.store import applied_to, bring_back, correct, own_posting, write_own_note
from pipeline.kept.types import FactsFrom, OwnPosting
from schema.db import Unit
from schema.identity.urls import posting_url
from schema.ids import OwnPostingId, PostingId
from schema.requests import UnderWay, under_way

_SAID_BY: dict[FactsFrom, str] = {
    "person": "you",
    "browser": "your browser, from the page",
    "page": "its page, read by Jobtrail",
}


class OwnPostingView(msgspec.Struct, frozen=True, kw_only=True):
    """`in_catalog` is the catalog's posting of the same address, when a board shows it by now.

    `reading` is the work on its page that has not ended.
    """

    own: OwnPosting
    form: Form
    in_catalog: PostingId | None
    reading: UnderWay | None

    @property
    def look(self) -> Said:
        if self.tried:
            return TRIED
        return LOOKS[self.own.look]

    @property
    def tried(self) -> bool:
        """Whether a try at its page met a trouble that passes."""
        work = self.reading
        return work is not None and work.attempts > (1 if work.status == "running" else 0)

    @property
    def look_why(self) -> str:
        return problem_said(self.own.look_why)

    @property
    def advice(self) -> str:
        """What to do about a page that could not be read."""
        return PASSES if self.own.look == "failed" and passing(self.own.look_why) else ""

    @property
    def said_by(self) -> str | None:
        """Who says what stands there; None when nothing but its address is known."""
        if self.own.facts_from == "page" and self.own.look != "read":
            return None
        return _SAID_BY[self.own.facts_from]

    @property
    def forbidden(self) -> str | None:
        """Why its page is never asked."""
        named = posting_url(self.own.url or "")
        return None if named is None else may_not_be_read(named)


@get("/postings/own/{own_id:int}", include_in_schema=False)
async def show(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Html:
    return await _page(visit, OwnPostingId(own_id))


async def _page(visit: Visit, own_id: OwnPostingId, form: Form | None = None, *, status: int = 200) -> Html:
    async with visit.unit() as unit:
        own = await own_posting(unit, own_id)
        in_catalog = await _in_catalog(unit, own)
        key = reading_key(own_id)
        reading = (await under_way(unit, [key])).get(key)
    given = form.values if form else {}
    shown = Form.of(**{"applied_on": _today(visit).isoformat(), "note": own.note, **given})
    shown.faults = form.faults if form else []
    view = OwnPostingView(own=own, form=shown, in_catalog=in_catalog, reading=reading)
    return visit.page("own_posting.html", view, status=status)


async def _in_catalog(unit: Unit, own: OwnPosting) -> PostingId | None:
    named = posting_url(own.url or "")
    return None if named is None else await posting_named(unit, named)


def _today(visit: Visit) -> date:
    """The day it is where the person lives."""
    return visit.clock.now().astimezone(times.zone(visit.account.time_zone)).date()


@get("/postings/own/{own_id:int}/edit", include_in_schema=False)
async def edit(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Html:
    async with visit.unit() as unit:
        own = await own_posting(unit, OwnPostingId(own_id))
    form = Form.of(
        url=own.url or "",
        title=own.title,
        company=own.company or "",
        place=own.place or "",
        pay_words=own.pay_words or "",
        text=own.text,
    )
    return visit.page("posting_write.html", WriteView(form=form, own_id=own.id))


@post("/postings/own/{own_id:int}/edit", include_in_schema=False)
async def change(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Html | Redirect:
    own = OwnPostingId(own_id)
    form = await read_form(visit.request)
    facts, address = words_in(form)
    async with visit.unit() as unit:
        await own_posting(unit, own)
        if form.ok and await is_free(unit, form, address, besides=own):
            await correct(unit, own, facts, address=address, now=visit.clock.now())
            return visit.leave(f"/postings/own/{own_id}", "Changed.")
    return visit.page("posting_write.html", WriteView(form=form, own_id=own), status=400)


@post("/postings/own/{own_id:int}/read", include_in_schema=False)
async def read(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await read_again(unit, OwnPostingId(own_id))
    return visit.leave(f"/postings/own/{own_id}", "Its page is read next.")


@post("/postings/own/{own_id:int}/remove", include_in_schema=False)
async def remove(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    async with visit.unit() as unit:
        await remove_own(unit, OwnPostingId(own_id), now=visit.clock.now())
    back = local(form.value("back")) if form.value("back") else "/postings?show=saved"
    return visit.leave(back, "Removed.", undo=Undo(action=f"/postings/own/{own_id}/restore", fields={}))


@post("/postings/own/{own_id:int}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await bring_back(unit, OwnPostingId(own_id))
    return visit.leave(f"/postings/own/{own_id}", "It is kept again.")


@post("/postings/own/{own_id:int}/note", include_in_schema=False)
async def note(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    text = form.text("note", "Note", limit=MOST_NOTE_CHARS, required=False)
    if not form.ok:
        return await _page(visit, OwnPostingId(own_id), form, status=400)
    async with visit.unit() as unit:
        before = (await own_posting(unit, OwnPostingId(own_id))).note
        await write_own_note(unit, OwnPostingId(own_id), text, now=visit.clock.now())
    undo = Undo(action=f"/postings/own/{own_id}/note", fields={"note": before})
    return visit.leave(f"/postings/own/{own_id}", "Note saved.", undo=undo)


@post("/postings/own/{own_id:int}/applied", include_in_schema=False)
async def applied(visit: NamedDependency[Visit], own_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    on = form.past_day("applied_on", "Applied on", latest=_today(visit))
    if not form.ok:
        return await _page(visit, OwnPostingId(own_id), form, status=400)
    now = visit.clock.now()
    async with visit.unit() as unit:
        own = await own_posting(unit, OwnPostingId(own_id))
        new = NewApplication(origin="manual", company=own.company, role=own.title, url=own.url, applied_on=on)
        made = await record_application(unit, new, now=now)
        await applied_to(unit, own.id, made, now=now)
    undo = Undo(action=f"/applications/{made}/dismiss")
    return visit.leave(f"/applications/{made}", "The application is in your list.", undo=undo)


ROUTES = (show, edit, change, read, remove, restore, note, applied)
