"""Listings as rows ready to be written: judged, normalised, their texts sanitised. Pure.

This is the costly part of a pull, done outside any transaction and in portions.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

import msgspec

from pipeline.normal.rules import normal
from pipeline.normal.types import Place
from pipeline.postings.types import DescriptionState, PlaceRow, PostingRow
from pipeline.sources.admission import Verdict, admitted
from pipeline.sources.descriptions import Description, described
from pipeline.sources.observed.types import ListingRow
from pipeline.sources.rules import MAX_ID_CHARS
from pipeline.sources.types import Listing, Source
from pipeline.twins.rules import twin_key
from schema.identity.addresses import read_address
from schema.identity.urls import posting_url
from schema.text import clean, shorten

_MAX_TITLE_CHARS = 500
_MAX_PLACES = 100
_MAX_PLACE_CHARS = 200
_MAX_URL_CHARS = 2_000
_MAX_PAY_CHARS = 500


class Records(msgspec.Struct, frozen=True, kw_only=True):
    """`postings` are of the admitted `listings`; each of `descriptions` once."""

    descriptions: list[Description]
    postings: list[PostingRow]
    listings: list[ListingRow]


def records(source: Source, listings: Sequence[Listing], now: datetime) -> Records:
    """In the order of `listings`, so that everybody writes postings in the same one."""
    # All texts first: two kinds of work in turns would take a sixth longer.
    texts = [described(each.description or "") for each in listings]
    rows: list[ListingRow] = []
    postings: list[PostingRow] = []
    for listing, text in zip(listings, texts, strict=True):
        verdict, posting = judged(source, listing, text, now)
        rows.append(_row(listing, verdict, None if text is None else text.content_hash))
        if posting is not None:
            postings.append(posting)
    distinct = {text.content_hash: text for text in texts if text is not None}
    return Records(
        descriptions=[distinct[each] for each in sorted(distinct)],
        postings=postings,
        listings=rows,
    )


def judged(
    source: Source, listing: Listing, text: Description | None, now: datetime
) -> tuple[Verdict, PostingRow | None]:
    """What the rules say, and the posting when they admit it."""
    canonical = _canonical(listing)
    verdict = admitted(listing, canonical)
    if canonical is None or not verdict.is_admitted:
        return verdict, None
    return verdict, posting_row(source, listing, canonical, text, now)


def posting_row(
    source: Source, listing: Listing, canonical: str, text: Description | None, now: datetime
) -> PostingRow:
    read = None if text is None else text.text
    means = normal(listing, "" if read is None and listing.description is not None else read, now)
    company = _short(listing.company, _MAX_TITLE_CHARS) or source.company
    title = shorten(clean(means.title).strip(), _MAX_TITLE_CHARS)
    return PostingRow(
        vendor_id=listing.vendor_id,
        board=source.board,
        requisition_id=_short(listing.requisition_id, MAX_ID_CHARS),
        title=title,
        company=company,
        locations=_words(listing.locations),
        places=_places(means.places),
        countries=list(means.countries[:_MAX_PLACES]),
        workplace=means.workplace,
        workplace_signals=_words(means.workplace_signals),
        workplace_conflict=means.workplace_conflict,
        employment_type=means.employment_type,
        seniority=means.seniority,
        pay_min=None if means.pay is None else means.pay.low,
        pay_max=None if means.pay is None else means.pay.high,
        pay_currency=None if means.pay is None else means.pay.currency,
        pay_interval=None if means.pay is None else means.pay.interval,
        pay_source="none" if means.pay is None else means.pay.source,
        pay_text=_short(means.pay_text, _MAX_PAY_CHARS),
        posted_at=None if means.posted is None or means.posted.at is None else means.posted.at.isoformat(),
        posted_on=None if means.posted is None or means.posted.on is None else means.posted.on.isoformat(),
        posted_meaning=None if means.posted is None else means.posted.meaning,
        apply_url=_openable(listing.apply_url),
        canonical_url=canonical,
        language=_short(listing.language, _MAX_PLACE_CHARS),
        description_state=_state(listing, text),
        description_hash=None if text is None else text.content_hash,
        twin_key=twin_key(company, title),
    )


def _row(listing: Listing, verdict: Verdict, description_hash: str | None) -> ListingRow:
    return ListingRow(
        vendor_id=listing.vendor_id,
        raw_hash=listing.fingerprint,
        raw=msgspec.Raw(listing.record),
        read_as=None if verdict.is_admitted else without_bodies(listing),
        description_hash=description_hash,
        verdict="admitted" if verdict.is_admitted else "refused",
        rule=verdict.rule,
        rule_version=verdict.version,
        reason=verdict.reason,
    )


def without_bodies(listing: Listing) -> Listing:
    """What the adapter read, less what is stored beside it; `description` "" says that lists carry texts."""
    return msgspec.structs.replace(
        listing,
        record=b"",
        title=clean(listing.title),
        description=None if listing.description is None else "",
    )


def _state(listing: Listing, text: Description | None) -> DescriptionState:
    if text is not None:
        return "stored"
    return "not_fetched" if listing.description is None else "empty"


def _canonical(listing: Listing) -> str | None:
    named = (posting_url(clean(url)) for url in (listing.page_url, listing.apply_url) if url)
    return next((found.canonical for found in named if found is not None), None)


def _openable(url: str | None) -> str | None:
    """A link a page may show: http(s) only, as the platform wrote it."""
    text = clean(url or "").strip()
    return text if len(text) <= _MAX_URL_CHARS and read_address(text) is not None else None


@lru_cache(maxsize=1_000)
def _places(places: tuple[Place, ...]) -> tuple[PlaceRow, ...]:
    return tuple(map(_place, places[:_MAX_PLACES]))


def _place(place: Place) -> PlaceRow:
    return PlaceRow(
        text=shorten(clean(place.text), _MAX_PLACE_CHARS),
        city=_short(place.city, _MAX_PLACE_CHARS),
        region=_short(place.region, _MAX_PLACE_CHARS),
        country=place.country,
    )


def _words(texts: Sequence[str]) -> list[str]:
    return [shorten(clean(text), _MAX_PLACE_CHARS) for text in texts[:_MAX_PLACES]]


def _short(text: str | None, limit: int) -> str | None:
    return shorten(clean(text).strip(), limit) or None if text else None
