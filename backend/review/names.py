"""What the person's applications are called, for sentences about them. Reads only."""

from collections.abc import Iterable

import msgspec

from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    company: str | None
    role: str | None


NAMED = Query(
    "review.named",
    _Named,
    """SELECT id AS application_id, company, role FROM applications
       WHERE id = ANY(%(application_ids)s::bigint[])""",
)


def named(role: str | None, company: str | None) -> str:
    """`Data Engineer, Northwind`, with whichever of both is known."""
    return ", ".join(word for word in (role, company) if word) or "an application without a name"


async def names_of(unit: Unit, application_ids: Iterable[ApplicationId]) -> dict[ApplicationId, str]:
    wanted = sorted(set(application_ids))
    rows = await unit.all(NAMED, application_ids=wanted) if wanted else []
    return {row.application_id: named(row.role, row.company) for row in rows}
