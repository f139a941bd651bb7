"""Workable's widget API: one answer holds the whole account, one row for each country of a posting.

Rows of one shortcode are one posting in several places. It tells days of publication without a time, no pay,
and of the workplace only whether it is remote. Accounts that ask too much are shut out for hours.
"""

import asyncio
import hashlib
from datetime import date
from urllib.parse import quote

import msgspec

from pipeline.sources.adapters.labels import employment_called, workplace_called
from pipeline.sources.reading import (
    asked,
    gathered,
    is_absent,
    names,
    not_a_board,
    opened,
    told_in_parts,
    unknown,
)
from pipeline.sources.rows import NotReadable, Row, fitted, rows_under, value_under
from pipeline.sources.rules import failed, refused_answer, usable_id
from pipeline.sources.types import (
    Answer,
    BoardReading,
    Detail,
    Evidence,
    Fetch,
    FetchFailed,
    Listing,
    PlaceHint,
    Posted,
    PostingPlace,
    Validators,
)

_HOST = "https://apply.workable.com"
_PUBLISHED = "published"
_ENDED = frozenset(("closed", "archived"))


class _Location(msgspec.Struct, frozen=True):
    country: str | None = None
    city: str | None = None
    region: str | None = None
    hidden: bool | None = None


class _Place(msgspec.Struct, frozen=True):
    """The one place of a row that has no list of them."""

    country: str | None = None
    city: str | None = None
    state: str | None = None


class _Job(_Place, frozen=True, kw_only=True):
    shortcode: str
    title: str = ""
    code: str | None = None
    employment_type: str | None = None
    telecommuting: bool | None = None
    url: str | None = None
    application_url: str | None = None
    published_on: date | None = None
    locations: list[_Location] | None = None
    description: str | None = None


class _Shown(msgspec.Struct, frozen=True):
    """A posting as its own page asks for it; other names than in the list."""

    shortcode: str
    title: str = ""
    state: str | None = None
    code: str | None = None
    language: str | None = None
    remote: bool | None = None
    workplace: str | None = None
    location: _Location | None = None
    locations: list[_Location] | None = None
    description: str | None = None
    requirements: str | None = None
    benefits: str | None = None


class Workable:
    """One answer an account; no validators."""

    misses_to_close = 1
    has_one_host = True

    async def read(self, board: str, fetch: Fetch, known: Validators | None = None) -> BoardReading:
        answer = await asked(fetch, f"{_account_url(board)}?details=true", known)
        if isinstance(answer, Evidence):
            return failed(answer)
        # A big board is seconds of work; the worker's other tasks go on meanwhile.
        return await asyncio.to_thread(read_board, answer)

    async def look(self, place: PostingPlace, fetch: Fetch) -> Detail:
        account, code = quote(place.board, safe=""), quote(place.vendor_id, safe="")
        try:
            answer = await fetch(f"{_HOST}/api/v2/accounts/{account}/jobs/{code}")
        except FetchFailed as error:
            return unknown(Evidence(problem=error.problem))
        if is_absent(answer):
            return await _absent(place, fetch, answer)
        refusal = refused_answer(answer)
        return unknown(refusal) if refusal else _shown(place, answer)


def read_board(answer: Answer) -> BoardReading:
    """A 200 of the API as listings; `failed` when it is no board at all."""
    try:
        rows, unreadable = rows_under(answer.body, "jobs")
    except NotReadable:
        return not_a_board(answer)
    company = (value_under(answer.body, "name", str) or "").strip() or None
    postings = _merged(rows)
    reading = gathered(answer, postings, unreadable, lambda row: _listing(company, row))
    evidence = msgspec.structs.replace(
        reading.evidence, rows=len(rows), repeated_rows=len(rows) - len(postings)
    )
    return msgspec.structs.replace(reading, evidence=evidence)


def _account_url(board: str) -> str:
    return f"{_HOST}/api/v1/widget/accounts/{quote(board, safe='')}"


async def _absent(place: PostingPlace, fetch: Fetch, absent: Answer) -> Detail:
    """Gone only where the account still stands and does not list it: of accounts it says the same."""
    answer = await asked(fetch, _account_url(place.board))
    if isinstance(answer, Evidence):
        return unknown(msgspec.structs.replace(answer, answers=2))
    reading = read_board(answer)
    listed = place.vendor_id in {each.vendor_id for each in reading.listings}
    if reading.coverage != "complete" or listed:
        return unknown(msgspec.structs.replace(reading.evidence, answers=2))
    return Detail(state="gone", evidence=Evidence(answers=2, status=absent.status))


def _shown(place: PostingPlace, answer: Answer) -> Detail:
    detail = opened(answer, place, _shown_listing)
    state = value_under(answer.body, "state", str)
    if detail.state != "open" or state in (None, _PUBLISHED):
        return detail
    return Detail(state="gone" if state in _ENDED else "unknown", evidence=detail.evidence)


def _merged(rows: list[Row]) -> list[Row]:
    """One row a posting, with the places of all its rows; rows without a shortcode stay by themselves."""
    by_code: dict[str, list[Row]] = {}
    for place, row in enumerate(rows):
        by_code.setdefault(_code(row) or f"row {place}", []).append(row)
    return [_one_of(same) for same in by_code.values()]


def _code(row: Row) -> str | None:
    try:
        return usable_id(msgspec.json.decode(row.fields["shortcode"], type=str).upper())
    except (KeyError, msgspec.MsgspecError):
        return None


def _one_of(rows: list[Row]) -> Row:
    if len(rows) == 1:
        return rows[0]
    places = msgspec.json.encode([place for row in rows for place in _raw_places(row)])
    prints = "".join(sorted(row.fingerprint for row in rows))
    return Row(
        fields={**rows[0].fields, "locations": msgspec.Raw(places)},
        fingerprint=hashlib.sha256(prints.encode()).hexdigest(),
    )


def _raw_places(row: Row) -> list[msgspec.Raw]:
    try:
        told = msgspec.json.decode(row.fields["locations"], type=list[msgspec.Raw])
    except (KeyError, msgspec.MsgspecError):
        told = []
    return told or [msgspec.Raw(msgspec.json.encode(_own_place(fitted(row, _Place)[0] or _Place())))]


def _own_place(told: _Place) -> _Location:
    return _Location(country=told.country, city=told.city, region=told.state)


def _listing(company: str | None, row: Row) -> tuple[Listing | None, int]:
    job, odd = fitted(row, _Job)
    vendor_id = None if job is None else usable_id(job.shortcode.upper())
    if job is None or vendor_id is None:
        return None, odd
    locations, places = _places(job.locations or [_own_place(job)])
    page = _page(vendor_id)
    return Listing(
        vendor_id=vendor_id,
        record=row.without("description"),
        fingerprint=row.fingerprint,
        title=job.title,
        requisition_id=(job.code or "").strip() or None,
        company=company,
        locations=locations,
        places=places,
        workplace="remote" if job.telecommuting else None,
        workplace_signals=_signals(telecommuting=job.telecommuting),
        employment_type=employment_called(job.employment_type),
        posted=None if job.published_on is None else Posted(meaning="last_published", on=job.published_on),
        apply_url=job.application_url or f"{page}/apply",
        page_url=job.url if names("workable", vendor_id, job.url) else page,
        description=job.description,
    ), odd


def _shown_listing(row: Row) -> tuple[Listing | None, int]:
    shown, odd = fitted(row, _Shown)
    vendor_id = None if shown is None else usable_id(shown.shortcode.upper())
    if shown is None or vendor_id is None:
        return None, odd
    locations, places = _places(shown.locations or [shown.location or _Location()])
    page = _page(vendor_id)
    return Listing(
        vendor_id=vendor_id,
        record=row.without("description", "requirements", "benefits"),
        fingerprint=row.fingerprint,
        title=shown.title,
        requisition_id=(shown.code or "").strip() or None,
        locations=locations,
        places=places,
        workplace=workplace_called(shown.workplace) or ("remote" if shown.remote else None),
        workplace_signals=_signals(workplace=shown.workplace, remote=shown.remote),
        page_url=page,
        apply_url=f"{page}/apply",
        language=shown.language,
        description=_sections(shown),
    ), odd


def _page(vendor_id: str) -> str:
    return f"{_HOST}/j/{quote(vendor_id, safe='')}"


def _places(told: list[_Location]) -> tuple[tuple[str, ...], tuple[PlaceHint, ...]]:
    """As shown and in parts; places the employer hides are not shown here either."""
    hints = [_hint(each) for each in told if not each.hidden]
    shown = dict.fromkeys(hint.text for hint in hints if hint.text)
    return tuple(shown), told_in_parts(hints)


def _hint(told: _Location) -> PlaceHint:
    parts = [(part or "").strip() or None for part in (told.city, told.region, told.country)]
    text = ", ".join(part for part in parts if part)
    return PlaceHint(text=text, city=parts[0], region=parts[1], country=parts[2])


def _signals(**told: str | bool | None) -> tuple[str, ...]:
    words = {True: "true", False: "false"}
    return tuple(
        f"{name}={words[value] if isinstance(value, bool) else value}"
        for name, value in told.items()
        if value is not None
    )


def _sections(shown: _Shown) -> str | None:
    told = [part for part in (shown.description, shown.requirements, shown.benefits) if part is not None]
    return "\n".join(told) if told else None
