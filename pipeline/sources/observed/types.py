"""A listing as it is known and as it is written."""

import msgspec

from pipeline.sources.descriptions import Description
from pipeline.sources.types import Listing


class KnownListing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a pull compares with: by its hash a listing is known to be as it was."""

    vendor_id: str
    raw_hash: str
    rule_version: int
    verdict: str
    missed: int


class ListingRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    vendor_id: str
    raw_hash: str
    raw: msgspec.Raw
    read_as: Listing | None
    description_hash: str | None
    verdict: str
    rule: str
    rule_version: int
    reason: str | None


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A listing the rules refused, as its adapter read it, and its text where it is stored."""

    listing: Listing
    text: Description | None


class JudgedRow(msgspec.Struct, frozen=True, kw_only=True):
    vendor_id: str
    verdict: str
    rule: str
    rule_version: int
    reason: str | None
