"""Save a posting from elsewhere: by its address, or written down by hand for oneself alone."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect

from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from pipeline.kept.keeping import keep_address
from pipeline.kept.rules import (
    MOST_TEXT_CHARS,
    MOST_WORDS_CHARS,
    NoPostingAddress,
    NotAPosting,
    address_of,
    may_not_be_read,
)
from pipeline.kept.store import keep, own_posting_at
from pipeline.kept.types import Found, OwnFacts
from schema.db import Unit
from schema.identity.urls import PostingUrl
from schema.ids import OwnPostingId
from schema.live import announce
from schema.text import clean

URL_MAX = 2_000


class SaveView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form


class WriteView(msgspec.Struct, frozen=True, kw_only=True):
    """The form for one's own words; `own_id` None for a posting that is not kept yet."""

    form: Form
    own_id: OwnPostingId | None = None


@get("/postings/save", include_in_schema=False)
async def ask(
    visit: NamedDependency[Visit], url: Annotated[str, QueryParameter(max_length=URL_MAX)] = ""
) -> Html:
    return visit.page("posting_save.html", SaveView(form=Form.of(url=clean(url))))


@post("/postings/save", include_in_schema=False)
async def save_address(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    address = address_in(form, required=True)
    if address is None:
        return visit.page("posting_save.html", SaveView(form=form), status=400)
    async with visit.unit() as unit:
        found = await keep_address(unit, address, facts_from="page", reads=True, now=visit.clock.now())
    return visit.leave(_place_of(found), _said(found, address))


def _place_of(found: Found) -> str:
    return f"/postings/{found.posting_id}" if found.posting_id else f"/postings/own/{found.own_id}"


def _said(found: Found, address: PostingUrl) -> str:
    if found.was_kept:
        return "You had saved it before."
    if found.posting_id:
        return "Saved. The catalog knows it."
    if may_not_be_read(address):
        return "Saved for you alone. Its page may not be read by programs, so fill in what you know."
    return "Saved for you alone. Its page is read next."


@get("/postings/own/new", include_in_schema=False)
async def new(
    visit: NamedDependency[Visit], url: Annotated[str, QueryParameter(max_length=URL_MAX)] = ""
) -> Html:
    return visit.page("posting_write.html", WriteView(form=Form.of(url=clean(url))))


@post("/postings/own", include_in_schema=False)
async def write(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    facts, address = words_in(form)
    if form.ok:
        async with visit.unit() as unit:
            if await is_free(unit, form, address):
                now = visit.clock.now()
                kept = await keep(unit, facts, address=address, facts_from="person", now=now)
                announce(unit, "postings")
                return visit.leave(f"/postings/own/{kept.id}", "Kept for you alone.")
    return visit.page("posting_write.html", WriteView(form=form), status=400)


def words_in(form: Form) -> tuple[OwnFacts, PostingUrl | None]:
    """What was typed of a posting of one's own; faults are noted in the form."""
    facts = OwnFacts(
        title=form.text("title", "Title", limit=MOST_WORDS_CHARS),
        company=form.text("company", "Company", limit=MOST_WORDS_CHARS, required=False),
        place=form.text("place", "Place", limit=MOST_WORDS_CHARS, required=False),
        pay_words=form.text("pay_words", "Pay", limit=MOST_WORDS_CHARS, required=False),
        text=form.text("text", "Text", limit=MOST_TEXT_CHARS, required=False),
    )
    return facts, address_in(form, required=False)


def address_in(form: Form, *, required: bool) -> PostingUrl | None:
    """None when there is none, or it is no posting's; then the form says so."""
    text = form.text("url", "Address of the posting", limit=URL_MAX, required=required)
    if not text:
        return None
    try:
        return address_of(text)
    except (NoPostingAddress, NotAPosting) as refusal:
        form.refuse("url", refusal.detail)
        return None


async def is_free(
    unit: Unit, form: Form, address: PostingUrl | None, *, besides: OwnPostingId | None = None
) -> bool:
    """Whether no other posting of the person has this address; else the form says so."""
    other = None if address is None else await own_posting_at(unit, address.canonical)
    if other is not None and other != besides:
        form.refuse("url", "You keep a posting of this address already.")
    return form.ok


ROUTES = (ask, save_address, new, write)
