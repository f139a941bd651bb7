"""What a look at one posting's page means for what the catalog says of it. Pure.

A page that could not be read says nothing: it closes nothing, and takes nothing away that was read before.
"""

from datetime import datetime, timedelta

import msgspec

from pipeline.postings.types import PlaceRow, PostingRow
from pipeline.sources.descriptions import Description, described
from pipeline.sources.looking.types import Present
from pipeline.sources.records import Admitted, posting_rows
from pipeline.sources.rules import blocked_until
from pipeline.sources.types import Detail, Evidence, Listing, PlaceHint, Posted, PullProblem, Source

#: Postings one task looks at.
PORTION = 50
#: Looks in a row that bring no text, before its absence is settled; a changed row begins anew.
MOST_TRIES = 3
TRY_AGAIN_AFTER = timedelta(hours=6)
#: Failures in a row that are the platform's rather than the postings'.
GIVE_UP_AFTER = 5
_WAIT: frozenset[PullProblem] = frozenset(("throttled", "host_blocked"))
_FORBIDDEN: frozenset[PullProblem] = frozenset(("robots_forbid", "policy_forbid"))
_UNSTATED_WAIT = timedelta(minutes=5)
#: Signals the catalog itself found in other fields; they are found anew.
_OURS = frozenset(("location", "title", "text"))
_PLACES = msgspec.json.Decoder(list[PlaceRow])


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was read: the posting as it says, and its text unless it has none."""

    row: PostingRow
    text: Description | None


def was_asked(detail: Detail) -> bool:
    """False where the platform has no page a program can read, or the posting's own address is not known."""
    return detail.evidence.answers > 0 or detail.evidence.problem is not None


def wait_until(detail: Detail, told: datetime | None, now: datetime) -> datetime | None:
    """Until when the host wants to be left alone, `told` by the fetcher if it knows; None if it does not."""
    if detail.evidence.problem not in _WAIT:
        return None
    return told or blocked_until(detail.evidence, now) or now + _UNSTATED_WAIT


def is_forbidden(evidence: Evidence) -> bool:
    return evidence.problem in _FORBIDDEN


def page_read(source: Source, present: Present, listing: Listing, now: datetime) -> Read | None:
    """None when the page told no text, or none where there was one: then it was not the page."""
    if listing.description is None:
        return None
    text = described(listing.description)
    if text is None and present.description_state == "stored":
        return None
    whole = _filled_in(listing, present)
    found = Admitted(listing=whole, canonical=present.canonical_url, text=text)
    (row,) = posting_rows(source, [found], now)
    return Read(row=row, text=text)


def _filled_in(listing: Listing, present: Present) -> Listing:
    """The page, and what its list told beside it."""
    locations, places = _places(listing, present)
    signals = listing.workplace_signals or _their_signals(present)
    return msgspec.structs.replace(
        listing,
        vendor_id=present.vendor_id,
        title=listing.title or present.title,
        requisition_id=listing.requisition_id or present.requisition_id,
        company=listing.company or present.company,
        locations=locations,
        places=places,
        workplace_signals=signals,
        employment_type=listing.employment_type or present.employment_type,
        posted=listing.posted or _posted(present),
        apply_url=present.apply_url,
        language=listing.language or present.language,
    )


def _places(listing: Listing, present: Present) -> tuple[tuple[str, ...], tuple[PlaceHint, ...]]:
    """The page's, unless the list told the same ones in more parts."""
    known = tuple(present.locations)
    if listing.locations and (listing.places or not set(listing.locations) <= set(known)):
        return listing.locations, listing.places
    hints = tuple(
        PlaceHint(text=place.text, city=place.city, region=place.region, country=place.country)
        for place in _PLACES.decode(present.places)
    )
    return known, hints


def _their_signals(present: Present) -> tuple[str, ...]:
    return tuple(each for each in present.workplace_signals if each.partition("=")[0] not in _OURS)


def _posted(present: Present) -> Posted | None:
    if present.posted_meaning is None:
        return None
    return Posted(meaning=present.posted_meaning, at=present.posted_at, on=present.posted_on)
