"""What a reading changes in the catalog, as rows ready to be written: only new and changed listings. Pure.

Costly work (sanitising descriptions) happens here, outside any transaction.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from pipeline.postings.types import PostingRow
from pipeline.sources.descriptions import Description, described
from pipeline.sources.observed.types import KnownListing, ListingRow
from pipeline.sources.rules import (
    ADMISSION_VERSION,
    MAX_ID_CHARS,
    Verdict,
    admitted,
    likely_instant,
    missing_from,
)
from pipeline.sources.types import BoardReading, Listing, Posted, Source
from schema.identity.urls import posting_url
from schema.text import clean, shorten

_MAX_TITLE_CHARS = 500
_MAX_PLACES = 100
_MAX_PLACE_CHARS = 200
_MAX_URL_CHARS = 2_000


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """`shown_again`: unchanged ones that had been missed; `missing` is empty unless the read was complete."""

    descriptions: list[Description]
    postings: list[PostingRow]
    listings: list[ListingRow]
    shown_again: list[str]
    missing: list[str]
    refused: int


def changes(source: Source, reading: BoardReading, known: list[KnownListing], now: datetime) -> Changes:
    """`refused` counts every listing of the reading the rules refuse, changed or not."""
    before = {each.vendor_id: each for each in known}
    # In one order everywhere: two pulls that meet in the same postings wait for each other, never deadlock.
    in_order = sorted(map(_storable, reading.listings), key=lambda each: each.vendor_id)
    listings = {each.vendor_id: each for each in in_order}
    judged = {vendor_id: _judged(each) for vendor_id, each in listings.items()}
    changed = [each for each in listings.values() if _is_changed(each, before.get(each.vendor_id))]
    texts = {each.vendor_id: described(each.description or "") for each in changed}
    return Changes(
        descriptions=_distinct(texts.values()),
        postings=[
            _posting(source, each, canonical, texts[each.vendor_id], now)
            for each in changed
            for verdict, canonical in (judged[each.vendor_id],)
            if canonical is not None and verdict.is_admitted
        ],
        listings=[_row(each, judged[each.vendor_id][0], texts[each.vendor_id]) for each in changed],
        shown_again=[
            each.vendor_id
            for each in known
            if each.missed and each.vendor_id in listings.keys() - texts.keys()
        ],
        missing=missing_from(listings, before) if reading.coverage == "complete" else [],
        refused=sum(not verdict.is_admitted for verdict, _ in judged.values()),
    )


def _distinct(texts: Iterable[Description | None]) -> list[Description]:
    by_hash = {text.content_hash: text for text in texts if text is not None}
    return [by_hash[each] for each in sorted(by_hash)]


def _storable(listing: Listing) -> Listing:
    """Within the limits of the tables. An id is never cut: adapters refuse rows without a usable one."""
    places = [shorten(clean(place), _MAX_PLACE_CHARS) for place in listing.locations[:_MAX_PLACES]]
    return msgspec.structs.replace(
        listing,
        title=shorten(clean(listing.title).strip(), _MAX_TITLE_CHARS),
        locations=tuple(places),
        requisition_id=_short(listing.requisition_id, MAX_ID_CHARS),
        company=_short(listing.company, _MAX_TITLE_CHARS),
        language=_short(listing.language, _MAX_PLACE_CHARS),
        workplace_signals=tuple(shorten(clean(each), _MAX_PLACE_CHARS) for each in listing.workplace_signals),
    )


def _short(text: str | None, limit: int) -> str | None:
    return shorten(clean(text).strip(), limit) or None if text else None


def _is_changed(listing: Listing, before: KnownListing | None) -> bool:
    return (
        before is None or before.raw_hash != listing.fingerprint or before.rule_version != ADMISSION_VERSION
    )


def _judged(listing: Listing) -> tuple[Verdict, str | None]:
    canonical = _canonical(listing)
    return admitted(listing, canonical), canonical


def _canonical(listing: Listing) -> str | None:
    named = (posting_url(clean(url)) for url in (listing.page_url, listing.apply_url) if url)
    return next((found.canonical for found in named if found is not None), None)


def _row(listing: Listing, verdict: Verdict, text: Description | None) -> ListingRow:
    return ListingRow(
        vendor_id=listing.vendor_id,
        raw_hash=listing.fingerprint,
        raw=msgspec.Raw(listing.record),
        description_hash=None if text is None else text.content_hash,
        verdict="admitted" if verdict.is_admitted else "refused",
        rule=verdict.rule,
        rule_version=verdict.version,
        reason=verdict.reason,
    )


def _posting(
    source: Source, listing: Listing, canonical: str, text: Description | None, now: datetime
) -> PostingRow:
    pay = listing.pay
    posted = _likely(listing.posted, now)
    return PostingRow(
        vendor_id=listing.vendor_id,
        board=source.board,
        requisition_id=listing.requisition_id,
        title=listing.title,
        company=listing.company or source.company,
        locations=list(listing.locations),
        workplace=listing.workplace,
        workplace_signals=list(listing.workplace_signals),
        employment_type=listing.employment_type,
        pay_min=None if pay is None else pay.low,
        pay_max=None if pay is None else pay.high,
        pay_currency=None if pay is None else pay.currency,
        pay_interval=None if pay is None else pay.interval,
        pay_source="none" if pay is None else pay.source,
        posted_at=None if posted is None or posted.at is None else posted.at.isoformat(),
        posted_on=None if posted is None or posted.on is None else posted.on.isoformat(),
        posted_meaning=None if posted is None else posted.meaning,
        apply_url=_openable(listing.apply_url),
        canonical_url=canonical,
        language=listing.language,
        description_state="not_fetched" if listing.description is None else ("stored" if text else "empty"),
        description_hash=None if text is None else text.content_hash,
    )


def _likely(posted: Posted | None, now: datetime) -> Posted | None:
    if posted is None or posted.at is None:
        return posted
    at = likely_instant(posted.at, now)
    return None if at is None else msgspec.structs.replace(posted, at=at)


def _openable(url: str | None) -> str | None:
    """A link a page may show: http(s) only, as the platform wrote it."""
    text = clean(url or "").strip()
    return text if len(text) <= _MAX_URL_CHARS and posting_url(text) is not None else None
