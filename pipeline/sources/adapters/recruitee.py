"""Recruitee's offers API: one answer holds the whole board, texts included. Read until the vendor closes it.

Amounts of pay come as text. The mail address that every offer carries is left out of the record.
"""

import asyncio

import msgspec

from pipeline.sources.adapters.amounts import amount, one_range
from pipeline.sources.adapters.labels import employment_called, interval_called
from pipeline.sources.adapters.pages.look import looked_at_page
from pipeline.sources.reading import asked, gathered, not_a_board, told_in_parts
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under
from pipeline.sources.rules import failed, usable_id
from pipeline.sources.stamps import posted
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    Listing,
    Pay,
    PlaceHint,
    PostingPlace,
    Validators,
    Workplace,
)

_LEFT_OUT = (
    "description",
    "requirements",
    "translations",
    "mailbox_email",
    "open_questions",
    "dynamic_fields",
)


class _Location(msgspec.Struct, frozen=True):
    name: str | None = None
    city: str | None = None
    state: str | None = None
    country: str | None = None


class _Salary(msgspec.Struct, frozen=True):
    min: str | float | None = None
    max: str | float | None = None
    period: str | None = None
    currency: str | None = None


class _Offer(msgspec.Struct, frozen=True):
    id: int
    title: str = ""
    status: str | None = None
    company_name: str | None = None
    careers_url: str | None = None
    careers_apply_url: str | None = None
    location: str | None = None
    locations: list[_Location] = []
    remote: bool | None = None
    hybrid: bool | None = None
    on_site: bool | None = None
    employment_type_code: str | None = None
    published_at: str | None = None
    description: str | None = None
    requirements: str | None = None
    salary: _Salary | None = None


class Recruitee:
    misses_to_close = 1
    has_one_host = False

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:  # noqa: ARG002 - answers carry no validators
        answer = await asked(fetch, _list(board))
        if isinstance(answer, Evidence):
            return failed(answer)
        return await asyncio.to_thread(read_board, answer)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        return await looked_at_page(place, fetch, board_url=_list(place.board))


def _list(board: str) -> str:
    return f"https://{board}.recruitee.com/api/offers/"


def read_board(answer: Answer) -> BoardReading:
    try:
        rows, unreadable = rows_under(answer.body, "offers")
    except NotReadable:
        return not_a_board(answer)
    return gathered(answer, rows, unreadable, _listing)


def _listing(row: Row) -> tuple[Listing | None, int]:
    offer, odd = fitted(row, _Offer)
    vendor_id = None if offer is None else usable_id(str(offer.id))
    if offer is None or vendor_id is None:
        return None, odd
    places = tuple(place for each in offer.locations if (place := _place(each)).text)
    shown = places or ((PlaceHint(text=offer.location.strip()),) if offer.location else ())
    return Listing(
        vendor_id=vendor_id,
        record=row.without(*_LEFT_OUT),
        fingerprint=row.fingerprint,
        title=offer.title,
        is_listed=offer.status in {None, "published"},
        company=offer.company_name,
        locations=tuple(dict.fromkeys(place.text for place in shown)),
        places=told_in_parts(places),
        workplace=_workplace(offer),
        workplace_signals=_signals(offer),
        employment_type=employment_called((offer.employment_type_code or "").replace("_", " ")),
        pay=_pay(offer.salary),
        posted=posted(offer.published_at, "last_published"),
        apply_url=offer.careers_apply_url,
        page_url=offer.careers_url,
        description="".join(part for part in (offer.description, offer.requirements) if part),
    ), odd


def _place(location: _Location) -> PlaceHint:
    parts = (location.city, location.state, location.country)
    text = ", ".join(dict.fromkeys(part.strip() for part in parts if part and part.strip()))
    return PlaceHint(
        text=text or (location.name or "").strip(),
        city=location.city or None,
        region=location.state or None,
        country=location.country or None,
    )


def _workplace(offer: _Offer) -> Workplace | None:
    """Only what one flag says alone: offers may be open to several ways of working."""
    flags: tuple[tuple[Workplace, bool | None], ...] = (
        ("remote", offer.remote),
        ("hybrid", offer.hybrid),
        ("onsite", offer.on_site),
    )
    named: list[Workplace] = [name for name, flag in flags if flag]
    return named[0] if len(named) == 1 else None


def _signals(offer: _Offer) -> tuple[str, ...]:
    flags = (("remote", offer.remote), ("hybrid", offer.hybrid), ("on_site", offer.on_site))
    return tuple(f"{name}={'true' if flag else 'false'}" for name, flag in flags if flag is not None)


def _pay(salary: _Salary | None) -> Pay | None:
    if salary is None:
        return None
    return one_range(amount(salary.min), amount(salary.max), salary.currency, interval_called(salary.period))
