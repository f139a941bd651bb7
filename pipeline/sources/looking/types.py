"""A posting as it is before its own page is looked at."""

from datetime import date, datetime

import msgspec

from pipeline.postings.types import DescriptionState
from pipeline.sources.types import EmploymentType, PostedMeaning
from schema.ids import PostingId


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """What the catalog says of it now. `wants_text`: its list carries none, and its page is due."""

    id: PostingId
    vendor_id: str
    board: str
    canonical_url: str
    apply_url: str | None
    title: str
    requisition_id: str | None
    company: str | None
    locations: list[str]
    places: bytes
    workplace_signals: list[str]
    employment_type: EmploymentType | None
    posted_at: datetime | None
    posted_on: date | None
    posted_meaning: PostedMeaning | None
    language: str | None
    description_state: DescriptionState
    details_tried: int
    wants_text: bool
