"""What a reading says that is not known yet: which listings are new or changed, or shown again. Pure.

Listings that are as they were cost a look at their hash and nothing else.
"""

import msgspec

from pipeline.sources.admission import ADMISSION_VERSION
from pipeline.sources.observed.types import KnownListing
from pipeline.sources.types import BoardReading, Listing


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """`shown` are all the board shows, `shown_again` the unchanged ones that had been missed; `refused`
    counts the unchanged ones that the rules refused."""

    changed: list[Listing]
    shown: frozenset[str]
    shown_again: list[str]
    refused: int


def changes(reading: BoardReading, known: list[KnownListing]) -> Changes:
    if reading.evidence.is_unchanged:
        return _as_it_was(known)
    before = {each.vendor_id: each for each in known}
    # In one order everywhere: two pulls that meet in the same postings wait for each other, never deadlock.
    listings = {each.vendor_id: each for each in sorted(reading.listings, key=lambda each: each.vendor_id)}
    changed = [each for each in listings.values() if _is_changed(each, before.get(each.vendor_id))]
    same = listings.keys() - {each.vendor_id for each in changed}
    return Changes(
        changed=changed,
        shown=frozenset(listings),
        shown_again=[each.vendor_id for each in known if each.missed and each.vendor_id in same],
        refused=sum(before[vendor_id].verdict == "refused" for vendor_id in same),
    )


def _as_it_was(known: list[KnownListing]) -> Changes:
    """The board says that nothing changed: what it showed the last time it shows now."""
    shown = [each for each in known if not each.missed]
    return Changes(
        changed=[],
        shown=frozenset(each.vendor_id for each in shown),
        shown_again=[],
        refused=sum(each.verdict == "refused" for each in shown),
    )


def _is_changed(listing: Listing, before: KnownListing | None) -> bool:
    return (
        before is None or before.raw_hash != listing.fingerprint or before.rule_version != ADMISSION_VERSION
    )
