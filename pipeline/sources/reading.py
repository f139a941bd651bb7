"""From answers to readings: how every adapter asks, counts what it read, and says what that proves.

What a platform's fields mean is its adapter's; nothing here knows a platform.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

import msgspec

from pipeline.sources.rows import NotReadable, Row, row_of
from pipeline.sources.rules import failed, refused_answer, settled_coverage
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
    PostedMeaning,
    PostingPlace,
    Validators,
)
from schema.identity.urls import posting_url

#: One row as a listing, and how many of its fields were odd; None for a row without an identity.
ListingOf = Callable[[Row], tuple[Listing | None, int]]

_UNCHANGED = 304
_ABSENT = frozenset((404, 410))
_YEARS = (1990, 2100)


async def asked(fetch: Fetch, url: str, known: Validators | None = None) -> Answer | Evidence:
    """An answer worth reading, or the evidence of why there is none.

    With `known`, an answer of status 304 is worth reading too.
    """
    try:
        answer = await fetch(url, known=known)
    except FetchFailed as error:
        return Evidence(problem=error.problem)
    if known is not None and answer.status == _UNCHANGED:
        return answer
    return refused_answer(answer) or answer


def is_unchanged(answer: Answer) -> bool:
    return answer.status == _UNCHANGED


def unchanged(known: Validators) -> BoardReading:
    """The board is as it was when `known` was given, and that answer was whole."""
    evidence = Evidence(answers=1, status=_UNCHANGED, is_unchanged=True, ended_naturally=True)
    return BoardReading(listings=(), coverage="complete", evidence=evidence, validators=known)


def gathered(
    answer: Answer,
    rows: Iterable[Row],
    unreadable: int,
    listing_of: ListingOf,
    vendor_total: int | None = None,
) -> BoardReading:
    """The reading of a board that comes in one answer; a listing shown twice is one."""
    found: dict[str, Listing] = {}
    read = repeated = odd_fields = 0
    for row in rows:
        listing, odd = listing_of(row)
        read += 1
        odd_fields += odd
        if listing is None:
            unreadable += 1
        elif listing.vendor_id in found:
            repeated += 1
        else:
            found[listing.vendor_id] = listing
    return settled_coverage(
        tuple(found.values()),
        Evidence(
            answers=1,
            answer_bytes=len(answer.body),
            vendor_total=vendor_total,
            rows=read,
            repeated_rows=repeated,
            unreadable_rows=unreadable,
            odd_fields=odd_fields,
            ended_naturally=True,
        ),
    )


def not_a_board(answer: Answer) -> BoardReading:
    return failed(Evidence(problem="not_a_board", status=answer.status, answer_bytes=len(answer.body)))


def with_validators(reading: BoardReading, answer: Answer) -> BoardReading:
    """What to ask with next time: only of an answer that was whole and read whole.

    Entity tags only. A date of change has been seen that never moves, and then a board would stay as it is.
    """
    given = answer.validators
    if reading.coverage != "complete" or given is None or given.etag is None:
        return reading
    return msgspec.structs.replace(reading, validators=Validators(etag=given.etag))


async def stands(
    fetch: Fetch, board_url: str, absent: Answer, is_board: Callable[[Answer], bool] = bool
) -> Detail:
    """What an `absent` posting means: gone where its board still stands, unknown where that is gone too.

    `is_board` tells a board from a page of the host that says something else.
    """
    board = await asked(fetch, board_url)
    if isinstance(board, Evidence):
        return unknown(msgspec.structs.replace(board, answers=2))
    if not is_board(board):
        return unknown(Evidence(answers=2, problem="not_a_board", status=board.status))
    return Detail(state="gone", evidence=Evidence(answers=2, status=absent.status))


def is_absent(answer: Answer) -> bool:
    return answer.status in _ABSENT


def opened(answer: Answer, place: PostingPlace, listing_of: ListingOf) -> Detail:
    """The posting an answer of status 200 shows, when it is the one asked for."""
    evidence = Evidence(answers=1, answer_bytes=len(answer.body), status=answer.status)
    try:
        listing, odd = listing_of(row_of(answer.body))
    except NotReadable:
        listing, odd = None, 0
    if listing is None or listing.vendor_id != place.vendor_id:
        return unknown(msgspec.structs.replace(evidence, problem="not_a_board"))
    found = msgspec.structs.replace(evidence, rows=1, odd_fields=odd, ended_naturally=True)
    return Detail(state="open", evidence=found, listing=listing)


def unknown(evidence: Evidence) -> Detail:
    """Nothing was learned about a posting."""
    return Detail(state="unknown", evidence=evidence)


def posted_at(meaning: PostedMeaning, at: datetime | None) -> Posted | None:
    """None for a time without a zone, and for years in which no posting was ever published."""
    if at is None or at.tzinfo is None or not _YEARS[0] <= at.year <= _YEARS[1]:
        return None
    return Posted(meaning=meaning, at=at)


def names(platform: str, vendor_id: str, url: str | None) -> bool:
    """Whether an address is this posting's, for everything that reads addresses."""
    found = posting_url(url) if url else None
    return found is not None and (found.platform, found.vendor_id) == (platform, vendor_id)


def told_in_parts(places: Iterable[PlaceHint]) -> tuple[PlaceHint, ...]:
    """Distinct places; none where the platform tells no part of any."""
    distinct = tuple(dict.fromkeys(places))
    return distinct if any(place.city or place.region or place.country for place in distinct) else ()
