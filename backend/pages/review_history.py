"""Review, history: who decided what, what it replaced, and the way back where nothing newer stands on it."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect

from backend.http.forms import read_form
from backend.http.paging import Page, cursor, key_of
from backend.http.visits import Html, Visit, local
from backend.pages.review import VERSION_MAX
from backend.review.addresses import ITEMS, kind_of, path_of
from backend.review.past import about, before, other, said
from matcher.resolutions.history.store import history
from matcher.resolutions.history.undoing import undo_entry
from matcher.resolutions.items import items
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import EntryId, HistoryEntry, HistoryPlace
from schema.db import Unit

ROWS = 50
LOOKED_AT = 1_000
"""So many lines are looked through for one screenful of a filter; the next one goes on behind them."""
HERE = "/review/history"


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    fits: Callable[[HistoryEntry], bool]
    automatic: bool = False
    """Whether what attached by its evidence alone is looked through too."""


FILTERS: dict[str, Filter] = {
    "": Filter(label="Everything of yours", fits=lambda entry: True),  # noqa: ARG005
    "message": Filter(label="Messages", fits=lambda entry: _is_about(entry, "message")),
    "pattern": Filter(label="Many at once", fits=lambda entry: entry.item is None),
    "status": Filter(label="Statuses", fits=lambda entry: _is_about(entry, "status")),
    "ask": Filter(label="Asks", fits=lambda entry: _is_about(entry, "ask")),
    "records": Filter(label="Records", fits=lambda entry: _is_about(entry, "pair", "application")),
    "undone": Filter(label="Taken back", fits=lambda entry: entry.undone_at is not None),
    "automatic": Filter(label="Automatic", fits=lambda entry: not entry.by_person, automatic=True),
}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    entry: HistoryEntry
    said: str
    about: str
    path: str
    other: str
    before: str


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    query: str
    here: bool


class HistoryView(msgspec.Struct, frozen=True, kw_only=True):
    rows: Page[Row]
    tabs: list[Tab]
    query: str
    here: str
    notice: str


@get(HERE, include_in_schema=False)
async def decided(
    visit: NamedDependency[Visit],
    show: Annotated[str, QueryParameter(max_length=20)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    return await _page(visit, show, after=key_of(after, HistoryPlace))


@post("/review/history/undo", include_in_schema=False)
async def undo(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    entry = form.text("entry", "Entry", limit=VERSION_MAX)
    version = form.text("version", "Version", limit=VERSION_MAX)
    form.require_ok()
    back = local(form.value("back")) if form.value("back") else HERE
    try:
        async with visit.unit() as unit:
            done = await undo_entry(unit, EntryId(entry), version=version, now=visit.clock.now())
            # A question that nobody would ask any more has no page to go back to.
            if done.id and back == path_of(done.id) and not await items(unit, [done.id]):
                back = ITEMS
    except StaleState as stale:
        return await _page(visit, "", notice=stale.title(), status=409)
    except ChoiceNotEligible as refusal:
        return await _page(visit, "", notice=refusal.detail or refusal.title(), status=409)
    return visit.leave(back, "Taken back.")


async def _page(
    visit: Visit, show: str, *, after: HistoryPlace | None = None, notice: str = "", status: int = 200
) -> Html:
    wanted = show if show in FILTERS else ""
    async with visit.unit() as unit:
        found = await _filtered(unit, FILTERS[wanted], after)
    view = HistoryView(
        rows=Page(items=[_row(entry) for entry in found.items], next=found.next),
        tabs=[
            Tab(label=each.label, query=f"show={name}" if name else "", here=name == wanted)
            for name, each in FILTERS.items()
        ],
        query=f"show={wanted}&" if wanted else "",
        here=f"{HERE}?show={wanted}" if wanted else HERE,
        notice=notice,
    )
    return visit.page("review_history.html", view, status=status)


async def _filtered(unit: Unit, wanted: Filter, after: HistoryPlace | None) -> Page[HistoryEntry]:
    """A screenful of what fits. It ends where it stopped looking, so that no line is shown twice or never."""
    found: list[HistoryEntry] = []
    place = after
    for _ in range(LOOKED_AT // ROWS):
        page = await history(unit, after=place, limit=ROWS, automatic=wanted.automatic)
        for entry in page.entries:
            if wanted.fits(entry):
                found.append(entry)
            if len(found) > ROWS:
                return Page(items=found[:ROWS], next=cursor(_place(found[ROWS - 1])))
        place = page.next
        if place is None:
            return Page(items=found)
    return Page(items=found, next=cursor(place) if place else None)


def _place(entry: HistoryEntry) -> HistoryPlace:
    kind, _, number = entry.id.partition(":")
    return HistoryPlace(at=entry.decided_at, is_act=kind == "act", id=int(number))


def _is_about(entry: HistoryEntry, *kinds: str) -> bool:
    return entry.item is not None and kind_of(entry.item) in kinds


def _row(entry: HistoryEntry) -> Row:
    return Row(
        entry=entry,
        said=said(entry),
        about=about(entry),
        path=path_of(entry.item) if entry.item else "",
        other=other(entry),
        before=before(entry),
    )


ROUTES = (decided, undo)
