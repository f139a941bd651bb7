"""Lever's public postings API: one answer holds the whole site, descriptions included.

Sites stand on one of two sides, global or European, and the names of a site are told apart by case. It names
no employer, and tells when a posting was created but never when it was published.
"""

import asyncio
import html
from datetime import UTC, datetime
from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.gathering import Gathering
from pipeline.sources.adapters.labels import employment_called, interval_called, workplace_called
from pipeline.sources.reading import (
    asked,
    gathered,
    is_absent,
    is_unchanged,
    names,
    not_a_board,
    opened,
    posted_at,
    stands,
    told_in_parts,
    unchanged,
    unknown,
    with_validators,
)
from pipeline.sources.rows import NotReadable, Row, fitted, rows_of
from pipeline.sources.rules import currency_code, failed, finite, refused_answer, usable_id
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    DetailState,
    Evidence,
    Fetch,
    FetchFailed,
    Listing,
    Pay,
    PayInterval,
    PlaceHint,
    Posted,
    PostingPlace,
    Validators,
)
from schema.identity.urls import posting_url

_EUROPEAN = "eu/"
_BY_NEWS: tuple[DetailState, ...] = ("open", "filled", "unknown", "gone")
#: For sites larger than one answer may be.
_PAGE_ROWS, _MOST_PAGES = 100, 100
_MAX_MILLISECONDS = 4_102_444_800_000
_TEXTS = (
    "description", "descriptionPlain", "descriptionBody", "descriptionBodyPlain", "opening", "openingPlain",
    "additional", "additionalPlain", "lists", "salaryDescription", "salaryDescriptionPlain",
)  # fmt: skip


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """One site of one side."""

    name: str
    side: str

    @property
    def url(self) -> str:
        return f"https://api{self.side}.lever.co/v0/postings/{quote(self.name, safe='')}"

    def page(self, vendor_id: str) -> str:
        return f"https://jobs{self.side}.lever.co/{quote(self.name, safe='')}/{quote(vendor_id, safe='')}"


class _Categories(msgspec.Struct, frozen=True, rename="camel"):
    location: str | None = None
    all_locations: list[str] | None = None
    commitment: str | None = None


class _List(msgspec.Struct, frozen=True):
    text: str | None = None
    content: str | None = None


class _Salary(msgspec.Struct, frozen=True):
    currency: str | None = None
    interval: str | None = None
    min: float | None = None
    max: float | None = None


class _Job(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    text: str = ""
    country: str | None = None
    workplace_type: str | None = None
    created_at: float | None = None
    categories: _Categories | None = None
    hosted_url: str | None = None
    apply_url: str | None = None
    salary_range: _Salary | None = None
    description: str | None = None
    description_plain: str | None = None
    lists: list[_List] | None = None
    salary_description: str | None = None
    salary_description_plain: str | None = None
    additional: str | None = None
    additional_plain: str | None = None


class Lever:
    """One answer a site, with an entity tag. A board called "eu/name" stands on the European side."""

    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        failure = Evidence(problem="board_unknown")
        for tried, site in enumerate(_sites(board), start=1):
            answer = await asked(fetch, f"{site.url}?mode=json", known)
            if not isinstance(answer, Evidence):
                return await _read(site, answer, known)
            if answer.problem == "too_large":
                return await _read_in_pages(site, fetch)
            failure = msgspec.structs.replace(answer, answers=tried)
            if answer.problem != "board_unknown":
                break
        return failed(failure)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        details = [await _look_at(site, place, fetch) for site in _sites_of(place)]
        known = [each for each in details if each.evidence.problem != "board_unknown"]
        # One side has it, or could not be asked: then what the other says of it is no news.
        return min(known or details, key=lambda each: _BY_NEWS.index(each.state))


def read_board(site: Site, answer: Answer) -> BoardReading:
    """A 200 of the API as listings; `failed` when it is no board at all."""
    try:
        rows, unreadable = rows_of(answer.body)
    except NotReadable:
        return not_a_board(answer)
    return with_validators(gathered(answer, rows, unreadable, lambda row: _listing(site, row)), answer)


async def _read(site: Site, answer: Answer, known: Validators | None) -> BoardReading:
    if known is not None and is_unchanged(answer):
        return unchanged(known)
    # A big board is seconds of work; the worker's other tasks go on meanwhile.
    return await asyncio.to_thread(read_board, site, answer)


async def _read_in_pages(site: Site, fetch: Fetch) -> BoardReading:
    """A site larger than one answer may be: whole when it begins as before once its end was read."""
    gathering = Gathering()
    first: _Page | None = None
    for number in range(_MOST_PAGES):
        page = await _page(site, fetch, number)
        if isinstance(page, Evidence):
            return gathering.reading("unproven", problem=page)
        is_new = page.into(gathering)
        first = first or page
        if page.size < _PAGE_ROWS:
            again = await _page(site, fetch, 0)
            is_whole = not isinstance(again, Evidence) and again.listings == first.listings
            return gathering.reading("natural" if is_whole else "unproven")
        if not is_new:
            gathering.repeated_pages += 1
            return gathering.reading("unproven")
    return gathering.reading("cap", cap=_MOST_PAGES * _PAGE_ROWS)


class _Page(msgspec.Struct, frozen=True, kw_only=True):
    """One page: its listings with their odd fields, None for rows that could not be read."""

    answer: Answer
    size: int
    listings: tuple[tuple[Listing | None, int], ...]

    def into(self, gathering: Gathering) -> bool:
        """Whether anything on it was new."""
        gathering.took(self.answer)
        gathering.unreadable(self.size - len(self.listings))
        return sum(gathering.add(listing, odd) for listing, odd in self.listings) > 0


async def _page(site: Site, fetch: Fetch, number: int) -> _Page | Evidence:
    answer = await asked(fetch, f"{site.url}?mode=json&skip={number * _PAGE_ROWS}&limit={_PAGE_ROWS}")
    if isinstance(answer, Evidence):
        return answer
    try:
        rows, unreadable = rows_of(answer.body)
    except NotReadable:
        return not_a_board(answer).evidence
    listings = await asyncio.to_thread(lambda: tuple(_listing(site, row) for row in rows))
    return _Page(answer=answer, size=len(rows) + unreadable, listings=listings)


async def _look_at(site: Site, place: PostingPlace, fetch: Fetch) -> Detail:
    """Lever says "Document not found" of a posting that is gone and of a site it does not know."""
    try:
        answer = await fetch(f"{site.url}/{quote(place.vendor_id, safe='')}")
    except FetchFailed as error:
        return unknown(Evidence(problem=error.problem))
    if is_absent(answer):
        return await stands(fetch, f"{site.url}?mode=json&limit=1", answer, _is_site)
    refusal = refused_answer(answer)
    return unknown(refusal) if refusal else opened(answer, place, lambda row: _listing(site, row))


def _is_site(answer: Answer) -> bool:
    try:
        rows_of(answer.body)
    except NotReadable:
        return False
    return True


def _sites(board: str) -> tuple[Site, ...]:
    """Where a board can stand. A name without a side may be written by somebody who knows of one only."""
    if board.startswith(_EUROPEAN):
        return (Site(name=board.removeprefix(_EUROPEAN), side=".eu"),)
    return Site(name=board, side=""), Site(name=board, side=".eu")


def _sites_of(place: PostingPlace) -> tuple[Site, ...]:
    """The posting's own address tells its side; only without one both are asked."""
    found = posting_url(place.page_url)
    if found is None or found.platform != "lever" or found.board is None:
        return _sites(place.board)
    return _sites(found.board)[:1]


def _listing(site: Site, row: Row) -> tuple[Listing | None, int]:
    job, odd = fitted(row, _Job)
    vendor_id = None if job is None else usable_id(job.id.lower())
    if job is None or vendor_id is None:
        return None, odd
    page = site.page(vendor_id)
    categories = job.categories or _Categories()
    locations = _locations(categories)
    return Listing(
        vendor_id=vendor_id,
        record=row.without(*_TEXTS),
        fingerprint=row.fingerprint,
        title=job.text,
        locations=locations,
        places=_places(locations, job.country),
        workplace=workplace_called(job.workplace_type),
        workplace_signals=(f"workplaceType={job.workplace_type}",) if job.workplace_type else (),
        employment_type=employment_called(categories.commitment),
        pay=_pay(job.salary_range),
        posted=_created(job.created_at),
        apply_url=job.apply_url or f"{page}/apply",
        page_url=job.hosted_url if names("lever", vendor_id, job.hosted_url) else page,
        description=_description(job),
    ), odd


def _locations(categories: _Categories) -> tuple[str, ...]:
    named = (categories.location or "", *(categories.all_locations or ()))
    return tuple(dict.fromkeys(name.strip() for name in named if name.strip()))


def _places(locations: tuple[str, ...], country: str | None) -> tuple[PlaceHint, ...]:
    """The country is that of the first place; of the others nothing is said."""
    first, *others = locations or ("",)
    return told_in_parts((PlaceHint(text=first, country=country), *(PlaceHint(text=each) for each in others)))


def _created(milliseconds: float | None) -> Posted | None:
    """0 is how Lever writes that it does not know."""
    if milliseconds is None or not 0 < milliseconds < _MAX_MILLISECONDS:
        return None
    return posted_at("created", datetime.fromtimestamp(milliseconds / 1000, UTC))


def _pay(told: _Salary | None) -> Pay | None:
    if told is None:
        return None
    low, high = finite(told.min), finite(told.max)
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        return None
    return Pay(
        low=low,
        high=high,
        currency=currency_code(told.currency),
        interval=_interval(told.interval or ""),
        source="field",
    )


def _interval(told: str) -> PayInterval | None:
    """`year` for "per-year-salary"; what comes twice a month has no name here."""
    if told == "one-time":
        return "once"
    return interval_called(told) if told.startswith("per-") else None


def _description(job: _Job) -> str | None:
    """All the parts a person sees, in their order: what is asked of an applicant stands in the lists only."""
    parts = (
        _part(job.description, job.description_plain),
        None if job.lists is None else "".join(map(_listed, job.lists)),
        _part(job.salary_description, job.salary_description_plain),
        _part(job.additional, job.additional_plain),
    )
    told = [part for part in parts if part is not None]
    return "\n".join(part for part in told if part) if told else None


def _part(rich: str | None, plain: str | None) -> str | None:
    if rich or plain is None:
        return rich
    return "<p>" + html.escape(plain).replace("\n", "<br>") + "</p>" if plain else ""


def _listed(each: _List) -> str:
    return f"<h3>{html.escape(each.text or '')}</h3><ul>{each.content or ''}</ul>"
