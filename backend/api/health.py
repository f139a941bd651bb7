"""Is it alive, is it ready, what are its numbers: for supervisors and monitors, without a sign-in.

Ready means: PostgreSQL answers within a second, the database stands where this release expects it, and the
role we came in by cannot see past row-level security.
"""

from typing import Literal

import msgspec
import psycopg
from litestar import Response, get
from litestar.di import NamedDependency

from backend.http import metrics
from backend.http.origin import is_loopback
from backend.http.parts import Parts
from backend.http.refusals import LoopbackOnly
from backend.http.requests import Req
from schema.db import Database
from schema.errors import Refusal
from schema.health import role_is_restricted, schema_is_current, within

READY_SECONDS = 1.0
OPEN = {"open": True}


class Alive(msgspec.Struct, frozen=True, kw_only=True):
    status: Literal["alive"] = "alive"


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    status: Literal["ready"] = "ready"


class NotReady(Refusal):
    """Requests would not be answered well at the moment."""

    code = "not_ready"
    kind = "unavailable"


@get("/livez", opt=OPEN, operation_id="livez", tags=["health"], sync_to_thread=False)
def livez() -> Alive:
    """The process answers."""
    return Alive()


@get("/readyz", opt={**OPEN, "refusals": [NotReady]}, operation_id="readyz", tags=["health"])
async def readyz(parts: NamedDependency[Parts]) -> Ready:
    """Whether requests would be answered well; 503 says what stands in the way."""
    try:
        current, restricted = await within(READY_SECONDS, _answers(parts.database))
    except (TimeoutError, Refusal, psycopg.Error) as error:
        raise NotReady("The database does not answer.") from error
    if not current:
        raise NotReady("The database does not stand where this release expects it; run `jobtrail migrate`.")
    if not restricted:
        raise NotReady("The database role can see past row-level security; use the restricted login role.")
    return Ready()


async def _answers(database: Database) -> tuple[bool, bool]:
    async with database.as_fleet() as unit:
        return await schema_is_current(unit), await role_is_restricted(unit)


@get("/metrics", opt={**OPEN, "refusals": [LoopbackOnly]}, include_in_schema=False, sync_to_thread=False)
def numbers(request: Req, parts: NamedDependency[Parts]) -> Response[bytes]:
    """Prometheus' text format; only for this machine."""
    if not request.client or not is_loopback(request.client.host):
        raise LoopbackOnly
    return Response(numbers_page(parts), media_type=metrics.MEDIA_TYPE)


def numbers_page(parts: Parts) -> bytes:
    parts.metrics.listeners.set(parts.live.count)
    return parts.metrics.page()


ROUTES = (livez, readyz, numbers)
