"""Mail: what was read and what was made of it; what is hidden stays counted."""

from typing import Annotated, get_args
from urllib.parse import urlencode

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from backend.http.words import KINDS
from backend.mail.briefs import Brief, briefs
from backend.mail.store import counts, imports, lines
from backend.mail.types import Counts, ImportLine, Line, Place, Shelf, Wanted
from mailsync.imports import import_key
from schema.errors import Invalid
from schema.requests import under_way
from schema.text import clean
from schema.vocabulary import EventKind

ROWS = 50
SEARCH_MAX = 200
KIND_NAMES: tuple[EventKind, ...] = get_args(EventKind)
SHELF_NAMES: tuple[Shelf, ...] = get_args(Shelf)
_LABELS: dict[Shelf, str] = {
    "jobs": "About jobs",
    "waiting": "Waits for you",
    "loose": "Fits no application",
    "open": "Not understood",
    "hidden": "Hidden",
}


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    count: int
    query: str
    here: bool


class MailView(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[Line]
    tabs: list[Tab]
    wanted: Wanted
    counts: Counts
    kinds: list[tuple[str, str]]
    query: str
    next: str | None
    reading: ImportLine | None
    """An import that something works on."""
    mailboxes: list[Brief]

    @property
    def filtered(self) -> bool:
        return bool(self.wanted.words or self.wanted.kind)

    @property
    def is_empty(self) -> bool:
        return not (self.counts.jobs or self.counts.open or self.counts.hidden or self.counts.dropped)


@get("/mail", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    q: Annotated[str, QueryParameter(max_length=SEARCH_MAX)] = "",
    show: Annotated[str, QueryParameter(max_length=20)] = "",
    kind: Annotated[str, QueryParameter(max_length=40)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    wanted = Wanted(shelf=_shelf(show), words=clean(q).strip(), kind=_kind(kind))
    place = key_of(after, Place)
    async with visit.unit() as unit:
        page = await lines(unit, wanted, after=place, rows=ROWS)
        whole = await counts(unit)
        latest = [each for each in await imports(unit, rows=1) if each.finished_at is None]
        mailboxes = await briefs(unit, visit.clock.now())
        at_work = await under_way(unit, [import_key(each.id) for each in latest])
    view = MailView(
        rows=page.rows,
        tabs=[_tab(shelf, wanted, whole) for shelf in SHELF_NAMES],
        wanted=wanted,
        counts=whole,
        kinds=[("", "Any kind"), *((name, KINDS[name].text) for name in KIND_NAMES)],
        query=query_of(wanted),
        next=cursor(page.next) if page.next else None,
        reading=latest[0] if at_work else None,
        mailboxes=mailboxes,
    )
    return visit.page("mail.html", view)


def query_of(wanted: Wanted) -> str:
    """The filters as they stand in the address."""
    filters = {
        "q": wanted.words,
        "kind": wanted.kind or "",
        "show": "" if wanted.shelf == "jobs" else wanted.shelf,
    }
    return urlencode({name: value for name, value in filters.items() if value})


def _tab(shelf: Shelf, wanted: Wanted, whole: Counts) -> Tab:
    numbers: dict[Shelf, int] = {
        "jobs": whole.jobs,
        "waiting": whole.waiting,
        "loose": whole.loose,
        "open": whole.open,
        "hidden": whole.hidden,
    }
    there = Wanted(shelf=shelf)
    return Tab(label=_LABELS[shelf], count=numbers[shelf], query=query_of(there), here=wanted.shelf == shelf)


def _shelf(text: str) -> Shelf:
    if not text:
        return "jobs"
    if text not in SHELF_NAMES:
        raise Invalid("There is no such shelf; choose one of the list.", field="show")
    return text


def _kind(text: str) -> EventKind | None:
    if not text:
        return None
    if text not in KIND_NAMES:
        raise Invalid("There is no such kind; choose one of the list.", field="kind")
    return text


ROUTES = (listed,)
