"""An application added by hand: what the person knows of it, on a form of its own."""

from datetime import date, timedelta

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from matcher.applications.store import record_application
from matcher.applications.types import NewApplication
from schema.identity.urls import posting_url

NAME_MAX = 300
URL_MAX = 2_000
NOTE_MAX = 20_000


class NewView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form


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
        # A day ahead is still today somewhere east of here.
        applied_on=form.past_day("applied_on", "Applied on", latest=today + timedelta(days=1)),
        note=note,
    )


ROUTES = (new, add)
