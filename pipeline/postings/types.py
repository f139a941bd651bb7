"""A posting as it is written: what its board or its own page says, in the catalog's words."""

from typing import Literal

import msgspec

from schema.ids import PostingId

DescriptionState = Literal["not_fetched", "fetch_failed", "empty", "stored", "expired"]


class PlaceRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One place: as it is shown, and its parts as far as they are known (`country` as ISO 3166-1 alpha-2)."""

    text: str
    city: str | None = None
    region: str | None = None
    country: str | None = None


class Nameless(msgspec.Struct, frozen=True, kw_only=True):
    """A posting that tells no employer."""

    id: PostingId
    title: str


class PostingRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """`description_state` is `not_fetched` when the list carries no text."""

    vendor_id: str
    board: str
    requisition_id: str | None
    title: str
    company: str | None
    locations: list[str]
    places: tuple[PlaceRow, ...] = ()
    countries: list[str] = []
    workplace: str | None
    workplace_signals: list[str]
    workplace_conflict: bool = False
    employment_type: str | None
    seniority: str | None = None
    pay_min: float | None
    pay_max: float | None
    pay_currency: str | None
    pay_interval: str | None
    pay_source: str
    pay_text: str | None = None
    posted_at: str | None
    posted_on: str | None
    posted_meaning: str | None
    apply_url: str | None
    canonical_url: str
    language: str | None
    description_state: DescriptionState
    description_hash: str | None
    twin_key: str | None = None


class Written(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A posting that a pull wrote, because it is new or because what is said of it changed."""

    id: PostingId
    vendor_id: str
    is_new: bool
