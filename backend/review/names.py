"""What the person's applications are called, for sentences about them. Reads only."""

from collections.abc import Iterable

from backend.review.store import names
from schema.db import Unit
from schema.ids import ApplicationId


def named(role: str | None, company: str | None) -> str:
    """`Data Engineer, Northwind`, with whichever of both is known."""
    return ", ".join(word for word in (role, company) if word) or "an application without a name"


async def names_of(unit: Unit, application_ids: Iterable[ApplicationId]) -> dict[ApplicationId, str]:
    rows = await names(unit, application_ids)
    return {row.application_id: named(row.role, row.company) for row in rows}
