"""Applications: where does each stand; by stage, by words, and one added by hand."""

from datetime import date
from typing import Annotated, get_args
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from matcher.applications.store import applications, record_application
from matcher.applications.types import Lens, ListedApplication, NewApplication, Place
from schema.errors import Invalid
from schema.identity.urls import posting_url
from schema.text import clean
from schema.vocabulary import Stage

STAGES: tuple[Stage, ...] = get_args(Stage)
ROWS = 50
SEARCH_MAX = 200
NAME_MAX = 300
URL_MAX = 2_000
NOTE_MAX = 20_000

After = Annotated[str | None, QueryParameter(max_length=500)]


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    """A stage with how many stand there. `stage` None is all of them."""

    stage: Stage | None
    count: int
    query: str
    here: bool


class ApplicationsView(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[ListedApplication]
    tabs: list[Tab]
    total: int
    q: str
    stage: Stage | None
    dismissed: bool
    query: str
    next: str | None

    @property
    def filtered(self) -> bool:
        return bool(self.q or self.stage)


class NewView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form


@get("/applications", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    stage: Annotated[str, QueryParameter(max_length=20)] = "",
    q: Annotated[str, QueryParameter(max_length=SEARCH_MAX)] = "",
    show: Annotated[str, QueryParameter(max_length=20)] = "",
    after: After = None,
) -> Html:
    lens = Lens(stage=_stage(stage), search=clean(q).strip(), dismissed=show == "dismissed")
    place = key_of(after, Place)
    async with visit.unit() as unit:
        page = await applications(unit, lens, after=place, limit=ROWS)
    counts: dict[Stage, int] = {entry.stage: entry.count for entry in page.counts}
    view = ApplicationsView(
        rows=page.rows,
        tabs=_tabs(lens, counts),
        total=page.total,
        q=lens.search,
        stage=lens.stage,
        dismissed=lens.dismissed,
        query=query_of(lens),
        next=cursor(page.next) if page.next else None,
    )
    return visit.page("applications.html", view)


@get("/applications/new", include_in_schema=False)
async def new(visit: NamedDependency[Visit]) -> Html:
    return visit.page("application_new.html", NewView(form=Form.of()))


@post("/applications", include_in_schema=False)
async def add(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    application = _read(form, today=visit.clock.now().date())
    if not form.ok:
        return visit.page("application_new.html", NewView(form=form), status=400)
    async with visit.unit() as unit:
        made = await record_application(unit, application, now=visit.clock.now())
    return visit.leave(f"/applications/{made}", "The application is in your list.")


def query_of(lens: Lens, **changed: str) -> str:
    """The filters as they stand in the address, some of them changed."""
    filters = {
        "q": lens.search,
        "stage": lens.stage or "",
        "show": "dismissed" if lens.dismissed else "",
        **changed,
    }
    return urlencode({name: value for name, value in filters.items() if value})


def _tabs(lens: Lens, counts: dict[Stage, int]) -> list[Tab]:
    """All, then each stage that somebody stands in or that is asked for."""
    whole = Tab(
        stage=None,
        count=sum(counts.values()),
        query=query_of(lens, stage=""),
        here=lens.stage is None,
    )
    return [
        whole,
        *(
            Tab(
                stage=stage,
                count=counts.get(stage, 0),
                query=query_of(lens, stage=stage),
                here=lens.stage == stage,
            )
            for stage in STAGES
            if counts.get(stage) or lens.stage == stage
        ),
    ]


def _stage(text: str) -> Stage | None:
    if not text:
        return None
    if text not in STAGES:
        raise Invalid("There is no such stage; choose one of the list.", field="stage")
    return text


def _read(form: Form, today: date) -> NewApplication:
    company = form.text("company", "Company", limit=NAME_MAX, required=False)
    role = form.text("role", "Role", limit=NAME_MAX, required=False)
    url = form.text("url", "Address of the posting", limit=URL_MAX, required=False)
    note = form.text("note", "Note", limit=NOTE_MAX, required=False)
    if not (company or role or url):
        form.refuse("company", "Give the company, the role or the address of the posting.")
    if url and "://" not in url:
        url = f"https://{url}"
    if url and posting_url(url) is None:
        form.refuse("url", "That is not a web address; it begins with https://.")
    return NewApplication(
        origin="manual",
        company=company or None,
        role=role or None,
        url=url or None,
        applied_on=_applied_on(form, today),
        note=note,
    )


def _applied_on(form: Form, today: date) -> date | None:
    text = form.text("applied_on", "Applied on", limit=20, required=False)
    if not text:
        return None
    try:
        on = date.fromisoformat(text)
    except ValueError:
        form.refuse("applied_on", "Applied on is not a day; write it as 2026-03-02.")
        return None
    # A day ahead is still today somewhere east of here.
    if (on - today).days > 1:
        form.refuse("applied_on", "Applied on lies in the future.")
    return on


ROUTES = (listed, new, add)
