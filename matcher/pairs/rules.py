"""When two records of one employer are worth asking about. Pure.

A person may apply twice for one title, and two openings may share one; so only a record that was concluded
from mail or brought in from a table is ever doubted.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations

import msgspec

from matcher.evidence.role import comparable, compare
from schema.ids import ApplicationId
from schema.vocabulary import ApplicationOrigin

APART = timedelta(days=45)
"""Records whose first signs lie further apart are two applications."""

_DOUBTED: frozenset[ApplicationOrigin] = frozenset({"derived", "import"})
_ALIKE = frozenset({"same", "longer", "shorter", "level_missing", "level_more"})


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record as far as comparing needs it. `first_mail_at` is when its first message was sent."""

    application_id: ApplicationId
    origin: ApplicationOrigin
    company_key: str
    company: str | None
    role: str | None
    requisition_key: str | None
    vendor_id: str | None
    applied_at: datetime | None
    applied_on: date | None
    first_mail_at: datetime | None

    @property
    def began_at(self) -> datetime | None:
        """For comparing only: a plain day counts from its first minute."""
        day = datetime.combine(self.applied_on, time.min, UTC) if self.applied_on else None
        return self.applied_at or day or self.first_mail_at


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two ids, the lower one first, and the sentence that says why they are asked about."""

    application_id: ApplicationId
    other_application_id: ApplicationId
    says: str


def pairs_among(records: Iterable[Record]) -> list[Pair]:
    """The pairs among records of one employer, the same for any order."""
    return list(_pairs(sorted(records, key=lambda record: record.application_id)))


def _pairs(ordered: list[Record]) -> Iterator[Pair]:
    for one, other in combinations(ordered, 2):
        if _DOUBTED.isdisjoint({one.origin, other.origin}) or _are_told_apart(one, other):
            continue
        if one.role and other.role and compare(comparable(one.role), comparable(other.role)) in _ALIKE:
            yield Pair(
                application_id=one.application_id,
                other_application_id=other.application_id,
                says=_says(one, other),
            )


def _are_told_apart(one: Record, other: Record) -> bool:
    """By their numbers, or by months between them."""
    for mine, theirs in ((one.requisition_key, other.requisition_key), (one.vendor_id, other.vendor_id)):
        if mine and theirs and mine != theirs:
            return True
    began, began_other = one.began_at, other.began_at
    return began is not None and began_other is not None and abs(began - began_other) > APART


def _says(one: Record, other: Record) -> str:
    where = one.company or other.company or "one employer"
    titles = one.role if one.role == other.role else f"{one.role} and {other.role}"
    origins = {"derived": "concluded from mail", "import": "brought in from a table"}
    doubted = one if one.origin in _DOUBTED else other
    return f"Both are at {where} ({titles}), and one of them was {origins[doubted.origin]}."
