"""A listing as it is known and as it is written."""

import msgspec


class KnownListing(msgspec.Struct, frozen=True, kw_only=True):
    """What a pull compares with: by its hash a listing is known to be as it was."""

    vendor_id: str
    raw_hash: str
    rule_version: int
    verdict: str
    missed: int


class ListingRow(msgspec.Struct, frozen=True, kw_only=True):
    vendor_id: str
    raw_hash: str
    raw: msgspec.Raw
    description_hash: str | None
    verdict: str
    rule: str
    rule_version: int
    reason: str | None
