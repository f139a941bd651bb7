"""The filters of the postings as they stand in an address: read, checked, written, said in words. Pure.

What is wrong in an address is noted in the form it was typed into; the rest of it counts.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import TypeVar, get_args
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from backend.http.forms import Form
from backend.listing.filters import Chip
from extension_api.countries import COUNTRIES
from pipeline.catalog.types import Seniority, Shelf, Wanted
from pipeline.sources.registry import ADAPTERS
from pipeline.sources.types import EmploymentType, Workplace
from schema.identity.spelling import spelled
from schema.text import grouped

WordT = TypeVar("WordT", bound=str)

SHELF_NAMES: tuple[Shelf, ...] = get_args(Shelf)
WORKPLACES: dict[Workplace, str] = {"remote": "Remote", "hybrid": "Hybrid", "onsite": "On site"}
EMPLOYMENTS: dict[EmploymentType, str] = {
    "full_time": "Full time",
    "part_time": "Part time",
    "contract": "Contract",
    "temporary": "Temporary",
    "intern": "Internship",
}
SENIORITIES: dict[Seniority, str] = {
    "intern": "Intern",
    "entry": "Entry",
    "mid": "Middle",
    "senior": "Senior",
    "lead": "Lead",
    "principal": "Principal or staff",
    "manager": "Manager",
    "director": "Director",
    "executive": "Executive",
}
CURRENCIES: tuple[str, ...] = (
    "USD", "EUR", "GBP", "CHF", "CAD", "AUD", "BRL", "CZK", "DKK", "HKD", "HUF", "ILS", "INR", "JPY", "KRW",
    "MXN", "NOK", "NZD", "PLN", "RON", "SEK", "SGD", "TRY", "ZAR",
)  # fmt: skip
DAYS: dict[str, str] = {"1": "1 day", "3": "3 days", "7": "7 days", "14": "14 days", "30": "30 days"}
COUNTRY_NAMES: dict[str, str] = {each.alpha_2: each.name for each in COUNTRIES}
SEARCH_MAX = 200
ADDRESS_MAX = 2_000
PAY_MAX = 1_000_000_000


class PostingFilters(msgspec.Struct, frozen=True, kw_only=True):
    """What an address asks for. `pay_from` is by the year, in `currency`; `board` reads "ashby/engines"."""

    words: str = ""
    place: str = ""
    country: str = ""
    workplace: Workplace | None = None
    employment: EmploymentType | None = None
    seniority: Seniority | None = None
    platform: str = ""
    board: str = ""
    with_pay: bool = False
    pay_from: int | None = None
    currency: str = CURRENCIES[0]
    days: str = ""
    with_closed: bool = False
    shelf: Shelf = "all"

    @property
    def query(self) -> str:
        return query_of(self)

    @property
    def is_narrowed(self) -> bool:
        return bool(query_of(replace(self, shelf="all", with_closed=False)))

    @property
    def is_folded_out(self) -> bool:
        """Whether a filter is on that stands below the fold."""
        return bool(query_of(replace(self, shelf="all", words="", place="")))


def filters_of(form: Form) -> PostingFilters:
    """Reads every field; what cannot be meant is a fault of the form and left out."""
    return PostingFilters(
        words=form.text("q", "Search", limit=_limit(form.value("q")), required=False),
        place=form.text("place", "Place", limit=SEARCH_MAX, required=False),
        country=_one(form, "country", COUNTRY_NAMES) or "",
        workplace=_one(form, "workplace", WORKPLACES),
        employment=_one(form, "type", EMPLOYMENTS),
        seniority=_one(form, "level", SENIORITIES),
        platform=_one(form, "platform", ADAPTERS) or "",
        board=form.text("board", "Board", limit=400, required=False),
        with_pay=form.ticked("pay"),
        pay_from=_amount(form),
        currency=_one(form, "currency", CURRENCIES) or CURRENCIES[0],
        days=_one(form, "days", DAYS) or "",
        with_closed=form.ticked("closed"),
        shelf=_one(form, "show", SHELF_NAMES) or "all",
    )


def _limit(typed: str) -> int:
    """Addresses are pasted whole, and longer than anything people look for in words."""
    return ADDRESS_MAX if "://" in typed else SEARCH_MAX


def query_of(filters: PostingFilters) -> str:
    """The one spelling of these filters in an address; empty when they ask nothing."""
    given = {
        "q": filters.words,
        "place": filters.place,
        "country": filters.country,
        "workplace": filters.workplace or "",
        "type": filters.employment or "",
        "level": filters.seniority or "",
        "platform": filters.platform,
        "board": filters.board,
        "pay": "1" if filters.with_pay else "",
        "pay_from": str(filters.pay_from or ""),
        "currency": filters.currency if filters.pay_from else "",
        "days": filters.days,
        "closed": "1" if filters.with_closed else "",
        "show": "" if filters.shelf == "all" else filters.shelf,
    }
    return urlencode({name: value for name, value in given.items() if value})


def wanted_of(filters: PostingFilters, now: datetime) -> Wanted:
    return Wanted(
        words=filters.words,
        place=filters.place,
        shelf=filters.shelf,
        country=filters.country or None,
        workplace=filters.workplace,
        employment_type=filters.employment,
        seniority=filters.seniority,
        platform=filters.platform or None,
        board=filters.board or None,
        with_pay=filters.with_pay,
        pay_from=filters.pay_from,
        pay_currency=filters.currency if filters.pay_from else None,
        since=now - timedelta(days=int(filters.days)) if filters.days else None,
        with_closed=filters.with_closed,
    )


def chips_of(filters: PostingFilters) -> list[Chip]:
    """Every filter that is on, in words, and the address without it."""
    said = [*_chips_of_words(filters), *_chips_of_the_rest(filters)]
    return [Chip(text=text, query=query_of(rest)) for text, rest in said]


_Said = Iterator[tuple[str, PostingFilters]]


def _chips_of_words(filters: PostingFilters) -> _Said:
    if filters.words:
        yield f"“{filters.words}”", replace(filters, words="")
    if filters.place:
        yield f"in {filters.place}", replace(filters, place="")
    if filters.country:
        yield COUNTRY_NAMES[filters.country], replace(filters, country="")
    if filters.workplace:
        yield WORKPLACES[filters.workplace], replace(filters, workplace=None)
    if filters.employment:
        yield EMPLOYMENTS[filters.employment], replace(filters, employment=None)
    if filters.seniority:
        yield SENIORITIES[filters.seniority], replace(filters, seniority=None)


def _chips_of_the_rest(filters: PostingFilters) -> _Said:
    if filters.platform:
        yield spelled(filters.platform), replace(filters, platform="")
    if filters.board:
        yield f"board {filters.board}", replace(filters, board="")
    if filters.with_pay:
        yield "Pay stated", replace(filters, with_pay=False)
    if filters.pay_from:
        said = f"{filters.currency} {grouped(filters.pay_from)} a year or more"
        yield said, replace(filters, pay_from=None)
    if filters.days:
        yield f"Posted within {DAYS[filters.days]}", replace(filters, days="")
    if filters.with_closed:
        yield "Closed ones too", replace(filters, with_closed=False)


def _amount(form: Form) -> int | None:
    if not form.value("pay_from").strip():
        return None
    before = len(form.faults)
    number = form.whole("pay_from", "Pay", high=PAY_MAX)
    return number if len(form.faults) == before else None


def _one(form: Form, field: str, allowed: Collection[WordT]) -> WordT | None:
    given = form.value(field)
    found = next((name for name in allowed if name == given), None)
    if given and found is None:
        form.refuse(field, "That is not in the list; choose from what is offered.")
    return found
