"""The filters of the applications as they stand in an address: read, checked, written, said in words. Pure.

One set of filters has one spelling, so that a saved view knows itself in the address of the list. What is
wrong in an address is noted in the form it was typed into; the rest of it counts.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal, TypeVar, get_args
from urllib.parse import parse_qsl, urlencode

import msgspec
from msgspec.structs import replace

from backend.http import times
from backend.http.forms import Form
from backend.http.words import STAGES
from matcher.listing.rules import days
from matcher.listing.types import Lens, Sort
from schema.text import clean, grouped
from schema.vocabulary import ApplicationOrigin, Stage

Layout = Literal["table", "board"]
WordT = TypeVar("WordT", bound=str)

STAGE_NAMES: tuple[Stage, ...] = get_args(Stage)
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
SORTS: dict[Sort, str] = {
    "news": "Latest news first",
    "applied": "Last applied first",
    "company": "Companies by name",
    "silence": "Longest silence first",
}
ORIGINS: dict[ApplicationOrigin, str] = {
    "extension": "By the extension",
    "tracker": "From the catalog",
    "manual": "By hand",
    "derived": "Concluded from mail",
    "import": "Imported",
}
SEARCH_MAX = 200
PLATFORM_MAX = 50
SILENT_MAX = 3650
QUERY_MAX = 4000
_YEARS = (1970, 2200)


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What an address asks for. `silent` is in whole days; a day is one of the person's zone."""

    q: str = ""
    stages: tuple[Stage, ...] = ()
    origins: tuple[ApplicationOrigin, ...] = ()
    platform: str = ""
    applied_from: date | None = None
    applied_to: date | None = None
    news_from: date | None = None
    news_to: date | None = None
    silent: int | None = None
    asks: bool = False
    proposed: bool = False
    dismissed: bool = False
    sort: Sort = "news"
    layout: Layout = "table"

    @property
    def narrowed(self) -> bool:
        """Whether anything is left out, besides the other side of dismissed."""
        return bool(self.stages) or self.narrowed_beside_stages

    @property
    def narrowed_beside_stages(self) -> bool:
        return self != Filters(
            stages=self.stages, dismissed=self.dismissed, sort=self.sort, layout=self.layout
        )

    @property
    def query(self) -> str:
        return query_of(self)


class Chip(msgspec.Struct, frozen=True, kw_only=True):
    """One filter in words, and the address without it."""

    text: str
    query: str


def filters_of(form: Form) -> Filters:
    """Reads every field; what cannot be meant is a fault of the form and left out."""
    silent = form.value("silent").strip()
    applied_from, applied_to = _span(form, "applied", "Applied")
    news_from, news_to = _span(form, "news", "News")
    return Filters(
        q=form.text("q", "Search", limit=SEARCH_MAX, required=False),
        stages=_several(form, "stage", STAGE_NAMES),
        origins=_several(form, "origin", tuple(ORIGINS)),
        platform=form.text("platform", "Platform", limit=PLATFORM_MAX, required=False),
        applied_from=applied_from,
        applied_to=applied_to,
        news_from=news_from,
        news_to=news_to,
        silent=_whole(form, "silent", "Days without news") if silent else None,
        asks=form.ticked("asks"),
        proposed=form.ticked("proposed"),
        dismissed=form.value("show") == "dismissed",
        sort=_one(form, "sort", tuple(SORTS), "news"),
        layout=_one(form, "layout", LAYOUTS, "table"),
    )


def form_in(items: Iterable[tuple[str, str]]) -> Form:
    """The fields of an address, cleaned, for showing them again."""
    fields: dict[str, list[str]] = {}
    for name, value in items:
        fields.setdefault(clean(name), []).append(clean(value))
    return Form(fields)


def filters_in(query: str) -> Filters:
    """The filters of an address that was kept; what no longer means anything is left out."""
    return filters_of(form_in(parse_qsl(query[:QUERY_MAX])))


def query_of(filters: Filters) -> str:
    """The one spelling of these filters in an address; empty when they ask nothing."""
    given: list[tuple[str, str]] = [
        ("q", filters.q),
        *(("stage", stage) for stage in filters.stages),
        *(("origin", origin) for origin in filters.origins),
        ("platform", filters.platform),
        ("applied_from", filters.applied_from.isoformat() if filters.applied_from else ""),
        ("applied_to", filters.applied_to.isoformat() if filters.applied_to else ""),
        ("news_from", filters.news_from.isoformat() if filters.news_from else ""),
        ("news_to", filters.news_to.isoformat() if filters.news_to else ""),
        ("silent", str(filters.silent or "")),
        ("asks", "1" if filters.asks else ""),
        ("proposed", "1" if filters.proposed else ""),
        ("show", "dismissed" if filters.dismissed else ""),
        ("sort", "" if filters.sort == "news" else filters.sort),
        ("layout", "" if filters.layout == "table" else filters.layout),
    ]
    return urlencode([(name, value) for name, value in given if value])


def lens_of(filters: Filters, now: datetime, zone: tzinfo) -> Lens:
    return Lens(
        stages=filters.stages,
        search=filters.q,
        origins=filters.origins,
        platform=filters.platform or None,
        applied=days(filters.applied_from, filters.applied_to, zone),
        news=days(filters.news_from, filters.news_to, zone),
        silent_since=now - timedelta(days=filters.silent) if filters.silent else None,
        asks=filters.asks,
        proposed=filters.proposed,
        dismissed=filters.dismissed,
        sort=filters.sort,
    )


def chips_of(filters: Filters) -> list[Chip]:
    """Every filter that is on, but for a single stage, which its own tab shows."""
    said = [*_chips_of_words(filters), *_chips_of_days(filters)]
    return [Chip(text=text, query=query_of(rest)) for text, rest in said]


_Said = Iterator[tuple[str, Filters]]


def _chips_of_words(filters: Filters) -> _Said:
    if filters.q:
        yield f"“{filters.q}”", replace(filters, q="")
    for stage in filters.stages if len(filters.stages) > 1 else ():
        rest = tuple(other for other in filters.stages if other != stage)
        yield STAGES[stage].text, replace(filters, stages=rest)
    for origin in filters.origins:
        rest_of_them = tuple(other for other in filters.origins if other != origin)
        yield ORIGINS[origin], replace(filters, origins=rest_of_them)
    if filters.platform:
        yield filters.platform, replace(filters, platform="")


def _chips_of_days(filters: Filters) -> _Said:
    applied = span_in_words(filters.applied_from, filters.applied_to)
    if applied:
        yield f"Applied {applied}", replace(filters, applied_from=None, applied_to=None)
    news = span_in_words(filters.news_from, filters.news_to)
    if news:
        yield f"News {news}", replace(filters, news_from=None, news_to=None)
    if filters.silent:
        told = "1 day" if filters.silent == 1 else f"{grouped(filters.silent)} days"
        yield f"No news for {told} or more", replace(filters, silent=None)
    if filters.asks:
        yield "Something to do", replace(filters, asks=False)
    if filters.proposed:
        yield "Waits for your answer", replace(filters, proposed=False)


def span_in_words(first: date | None, last: date | None) -> str:
    """`from 2 Mar 2026 to 5 Mar 2026`, or one half of it; empty for no bounds."""
    return " ".join(
        f"{word} {times.day(on)}" for word, on in (("from", first), ("to", last)) if on is not None
    )


def _several(form: Form, field: str, allowed: tuple[WordT, ...]) -> tuple[WordT, ...]:
    """The words of the list that were given, in its own order."""
    given = {text for text in form.every(field) if text}
    if given - set(allowed):
        form.refuse(field, "That is not in the list; choose from what is offered.")
    return tuple(name for name in allowed if name in given)


def _one(form: Form, field: str, allowed: Collection[WordT], otherwise: WordT) -> WordT:
    given = form.value(field)
    found = next((name for name in allowed if name == given), None)
    if given and found is None:
        form.refuse(field, "That is not in the list; choose from what is offered.")
    return found or otherwise


def _span(form: Form, name: str, label: str) -> tuple[date | None, date | None]:
    first, last = (_day(form, f"{name}_{end}", f"{label} {end}") for end in ("from", "to"))
    if first is not None and last is not None and first > last:
        form.refuse(f"{name}_to", f"{label}: the last day lies before the first.")
        return None, None
    return first, last


def _whole(form: Form, field: str, label: str) -> int | None:
    before = len(form.faults)
    number = form.whole(field, label, high=SILENT_MAX)
    return number if len(form.faults) == before else None


def _day(form: Form, field: str, label: str) -> date | None:
    text = form.text(field, label, limit=20, required=False)
    if not text:
        return None
    try:
        on = date.fromisoformat(text)
    except ValueError:
        on = None
    if on is None or not _YEARS[0] <= on.year <= _YEARS[1]:
        form.refuse(field, f"{label} is not a day; write it as 2026-03-02.")
        return None
    return on
