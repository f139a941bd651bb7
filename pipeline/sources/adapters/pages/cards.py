"""A card of a list in HTML as a listing: few fields, no text, and what it says under its own labels. Pure."""

import hashlib
from collections.abc import Callable

import msgspec
from selectolax.lexbor import LexborNode

from pipeline.sources.rules import usable_id
from pipeline.sources.types import Listing, Posted

#: No site shows as many on one page; what lies behind counts as not read.
_MAX_CARDS = 1_000


def listings_of(
    cards: list[LexborNode], read: Callable[[LexborNode], Listing | None]
) -> tuple[Listing | None, ...]:
    read_ones = [read(card) for card in cards[:_MAX_CARDS]]
    return (*read_ones, *[None] * (len(cards) - len(read_ones)))


def listing_of_card(
    *,
    vendor_id: str,
    page_url: str,
    title: str,
    place: str,
    requisition: str,
    fields: dict[str, str],
    board: str,
    posted: Posted | None = None,
) -> Listing | None:
    """None without a usable id. The place is one text: cards join towns with signs of their own."""
    usable = usable_id(vendor_id)
    if usable is None:
        return None
    record = msgspec.json.encode({**fields, "title": title, "url": page_url, "board": board}, order="sorted")
    return Listing(
        vendor_id=usable,
        record=record,
        fingerprint=hashlib.sha256(record).hexdigest(),
        title=title,
        requisition_id=requisition or None,
        locations=(place,) if place else (),
        posted=posted,
        page_url=page_url,
    )
