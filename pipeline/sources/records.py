"""Listings as rows ready to be written: judged, normalised, their texts sanitised. Pure.

This is the costly part of a pull, done outside any transaction and in portions.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

import msgspec

from pipeline.normal.rules import normal
from pipeline.normal.types import Normal, Place
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


class Admitted(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A listing that is to be a posting, under its canonical address; `text` None: none was read, or none is
    left."""

    listing: Listing
    canonical: str
    text: Description | None


class Records(msgspec.Struct, frozen=True, kw_only=True):
    """`postings` are of the admitted `listings`; each of `descriptions` once."""

    descriptions: list[Description]
    postings: list[PostingRow]
    listings: list[ListingRow]


def records(source: Source, listings: Sequence[Listing], now: datetime) -> Records:
    """In the order of `listings`, so that everybody writes postings in the same one."""
    # One kind of work after the other, here and below: all kinds in turns would take a fifth longer.
    texts = [described(each.description or "") for each in listings]
    found = judged(source, listings, texts, now)
    distinct = {text.content_hash: text for text in texts if text is not None}
    return Records(
        descriptions=[distinct[each] for each in sorted(distinct)],
        postings=[posting for _, posting in found if posting is not None],
        listings=[
            _row(listing, verdict, None if text is None else text.content_hash)
            for listing, text, (verdict, _) in zip(listings, texts, found, strict=True)
        ],
    )


def judged(
    source: Source, listings: Sequence[Listing], texts: Sequence[Description | None], now: datetime
) -> list[tuple[Verdict, PostingRow | None]]:
    """What the rules say of each, and the posting of those they admit."""
    addresses = [_canonical(each) for each in listings]
    verdicts = [admitted(each, address) for each, address in zip(listings, addresses, strict=True)]
    kept = [
        Admitted(listing=listing, canonical=address, text=text)
        for listing, address, text, verdict in zip(listings, addresses, texts, verdicts, strict=True)
        if address is not None and verdict.is_admitted
    ]
    rows = iter(posting_rows(source, kept, now))
    return [(verdict, next(rows) if verdict.is_admitted else None) for verdict in verdicts]


def posting_rows(source: Source, found: Sequence[Admitted], now: datetime) -> list[PostingRow]:
    meanings = [normal(each.listing, _to_read(each), now) for each in found]
    titles = [shorten(clean(means.title).strip(), _MAX_TITLE_CHARS) for means in meanings]
    companies = [_short(each.listing.company, _MAX_TITLE_CHARS) or source.company for each in found]
    keys = [twin_key(company, title) for company, title in zip(companies, titles, strict=True)]
    links = [_openable(each.listing.apply_url) for each in found]
    return [
        _posting_row(source.board, each, means, title=title, company=company, key=key, link=link)
        for each, means, title, company, key, link in zip(
            found, meanings, titles, companies, keys, links, strict=True
        )
    ]


def _to_read(found: Admitted) -> str | None:
    """The text to look for facts in; None when it is still to be fetched."""
    if found.text is not None:
        return found.text.text
    return None if found.listing.description is None else ""


def _posting_row(
    board: str,
    found: Admitted,
    means: Normal,
    *,
    title: str,
    company: str | None,
    key: str | None,
    link: str | None,
) -> PostingRow:
    listing, posted, pay = found.listing, means.posted, means.pay
    return PostingRow(
        vendor_id=listing.vendor_id,
        board=board,
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
        pay_min=None if pay is None else pay.low,
        pay_max=None if pay is None else pay.high,
        pay_currency=None if pay is None else pay.currency,
        pay_interval=None if pay is None else pay.interval,
        pay_source="none" if pay is None else pay.source,
        pay_text=_short(means.pay_text, _MAX_PAY_CHARS),
        posted_at=None if posted is None or posted.at is None else posted.at.isoformat(),
        posted_on=None if posted is None or posted.on is None else posted.on.isoformat(),
        posted_meaning=None if posted is None else posted.meaning,
        apply_url=link,
        canonical_url=found.canonical,
        language=_short(listing.language, _MAX_PLACE_CHARS),
        description_state=_state(listing, found.text),
        description_hash=None if found.text is None else found.text.content_hash,
        twin_key=key,
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
