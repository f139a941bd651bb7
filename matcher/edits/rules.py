"""From what the person typed to the facts of an application and their comparable forms. Pure."""

import hashlib
from datetime import date, datetime
from typing import Literal

import msgspec

from matcher.applications.rules import completed
from matcher.applications.types import Facts, KnownPosting, NewApplication

FieldName = Literal["company", "role", "url", "requisition", "applied"]

_COLUMNS: dict[FieldName, tuple[str, ...]] = {
    "company": ("company",),
    "role": ("role",),
    "url": ("canonical_url", "posting_id"),
    "requisition": ("requisition_id",),
    "applied": ("applied_at", "applied_on"),
}


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The facts as the person wants them; None is unknown. At most one of the two times."""

    company: str | None
    role: str | None
    url: str | None
    requisition_id: str | None
    applied_at: datetime | None
    applied_on: date | None


def asked_of(wanted: Wanted) -> NewApplication:
    return NewApplication(
        origin="manual",
        company=wanted.company,
        role=wanted.role,
        url=wanted.url,
        requisition_id=wanted.requisition_id,
        applied_at=wanted.applied_at,
        applied_on=wanted.applied_on,
    )


def corrected(before: Facts, wanted: Wanted, known: KnownPosting | None) -> Facts:
    """The new facts. An address that stays keeps all that is known of its posting.

    The person's company and role stand; neither the catalog nor the address fills in what they left empty.
    """
    whole = completed(asked_of(wanted), known)
    keeps_address = wanted.url == before.canonical_url
    place = before if keeps_address else whole
    is_same_number = wanted.requisition_id == before.requisition_id
    number = before if keeps_address and is_same_number else whole
    return Facts(
        company=wanted.company and whole.company,
        company_key=whole.company_key if wanted.company else None,
        role=wanted.role and whole.role,
        role_key=whole.role_key if wanted.role else None,
        posting_id=place.posting_id,
        canonical_url=place.canonical_url,
        platform=place.platform,
        board=place.board,
        vendor_id=place.vendor_id,
        requisition_id=number.requisition_id,
        requisition_key=number.requisition_key,
        applied_at=whole.applied_at,
        applied_on=whole.applied_on,
    )


def changed(before: Facts, after: Facts) -> list[FieldName]:
    """Which facts a person would call changed."""
    return [
        field
        for field, columns in _COLUMNS.items()
        if any(getattr(before, column) != getattr(after, column) for column in columns)
    ]


def mark_of(facts: Facts) -> str:
    """What tells one state of the facts from another."""
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]
