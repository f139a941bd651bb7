"""What a new application is once its address and the catalog are read, and whether the person has it already.

Pure. Too eager merges two real applications into one history; too shy only shows a double the person can
dismiss. So only the same posting counts, or a derived application that the same mail explains, and only
within days.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from matcher.aliases.types import Unnoted
from matcher.applications.types import Complete, Existing, Facts, KnownPosting, NewApplication, OwnWords
from matcher.evidence.keys import company_key, role_key
from schema.identity.requisitions import requisition_key
from schema.identity.urls import PostingUrl, posting_url
from schema.ids import ApplicationId
from schema.text import clean, shorten

SAME_APPLICATION = timedelta(days=30)
"""Applying to the same posting again later than this is a second application."""

MAX_NAME_CHARS = 300
_A_DAY = timedelta(days=1)
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def address_of(new: NewApplication) -> PostingUrl | None:
    """What the address names; the list of an employer's openings names no posting."""
    found = posting_url(clean(new.url)) if new.url else None
    return None if found is None or found.kind == "board" else found


def completed(new: NewApplication, known: KnownPosting | None, address: PostingUrl | None = None) -> Complete:
    """`new` first, then the catalog, then what the address itself says; read here unless it was before."""
    address = address or address_of(new)
    company = _text(new.company or (known.company if known else None))
    role = _text(new.role or (known.title if known else None))
    requisition = _text(
        new.requisition_id
        or (known.requisition_id if known else None)
        or (address.requisition if address else None)
    )
    place = known or address
    return Complete(
        origin=new.origin,
        company=company,
        company_key=company_key(company) if company else None,
        role=role,
        role_key=role_key(role) if role else None,
        posting_id=known.posting_id if known else None,
        canonical_url=known.canonical_url if known else address.canonical if address else None,
        platform=_text(new.platform) or (place.platform if place else None),
        board=_text(new.board) or (place.board if place else None),
        vendor_id=_text(new.vendor_id) or (place.vendor_id if place else None),
        requisition_id=requisition,
        requisition_key=requisition_key(requisition) or None if requisition else None,
        applied_at=new.applied_at,
        applied_on=None if new.applied_at else new.applied_on,
        note=clean(new.note),
    )


def carried(own: OwnWords, other: OwnWords) -> OwnWords:
    """What the person says of an application kept in two records: the later status, and the known date."""
    latest = max((own, other), key=lambda words: words.status_at or _BEFORE_ALL)
    dated = own if own.applied_at or own.applied_on else other
    return OwnWords(
        status=latest.status,
        status_at=latest.status_at,
        applied_at=dated.applied_at,
        applied_on=dated.applied_on,
    )


def twin(new: Complete, existing: Iterable[Existing], now: datetime) -> ApplicationId | None:
    """The application that `new` is another record of; None when it is one of its own.

    Among several the one applied to last, by id for a tie.
    """
    same = [other for other in existing if _is_same(new, other, now)]
    last = max(same, key=lambda other: (_when(other), other.application_id), default=None)
    return None if last is None else last.application_id


def _is_same(new: Complete, other: Existing, now: datetime) -> bool:
    if _same_posting(new, other):
        tracked_twice = new.origin == other.origin == "tracker"
        apart = abs((_instant(new.applied_at, new.applied_on) or now) - _when(other))
        return tracked_twice or apart <= SAME_APPLICATION
    return other.origin == "derived" and _same_job(new, other) and _explains(new, other)


def _same_posting(new: Complete, other: Existing) -> bool:
    if new.posting_id is not None and new.posting_id == other.posting_id:
        return True
    if new.platform and new.vendor_id and other.vendor_id:
        return (new.platform, new.vendor_id) == (other.platform, other.vendor_id)
    # An employer's page can carry several openings under one address; two roles there are two.
    roles_differ = bool(new.role_key and other.role_key) and new.role_key != other.role_key
    return new.canonical_url is not None and new.canonical_url == other.canonical_url and not roles_differ


def _same_job(new: Complete, other: Existing) -> bool:
    mine = (new.company_key, new.role_key)
    if new.requisition_key and other.requisition_key and new.requisition_key != other.requisition_key:
        return False
    return None not in mine and mine == (other.company_key, other.role_key)


def _explains(new: Complete, other: Existing) -> bool:
    """The mail the other was derived from can be the answer to this application."""
    applied = _instant(new.applied_at, new.applied_on)
    if applied is None or other.first_mail_at is None:
        return True
    return -_A_DAY <= other.first_mail_at - applied <= SAME_APPLICATION


def _when(other: Existing) -> datetime:
    return _instant(other.applied_at, other.applied_on) or other.first_mail_at or other.created_at


def _instant(at: datetime | None, on: date | None) -> datetime | None:
    """For comparing only: a plain day counts from its first minute."""
    return at or (datetime.combine(on, time.min, UTC) if on else None)


def _text(given: str | None) -> str | None:
    return shorten(clean(given).strip(), MAX_NAME_CHARS) or None if given else None


def has_old_keys(row: Unnoted) -> bool:
    """Its comparable forms are not what today's rules make of its words."""
    company = company_key(row.company) if row.company else None
    role = role_key(row.role) if row.role else None
    return (row.company_key, row.role_key) != (company, role)


def by_todays_rules(facts: Facts) -> Facts:
    return msgspec.structs.replace(
        facts,
        company_key=company_key(facts.company) if facts.company else None,
        role_key=role_key(facts.role) if facts.role else None,
    )
