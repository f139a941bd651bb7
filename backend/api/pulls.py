"""Boards as programs ask for them: read one now. For operators; to others a board is not there."""

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath

from backend.http.forms import ID_MAX
from backend.http.visits import Person
from pipeline.sources.add import pull_now
from pipeline.sources.store import source_by_id
from schema.errors import Missing
from schema.ids import SourceId, TaskId
from schema.requests import AlreadyUnderWay


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The task that does what was asked for."""

    task_id: TaskId


@post(
    "/api/sources/{source_id:int}/pull",
    operation_id="pull_source",
    tags=["sources"],
    status_code=202,
    opt={"refusals": [Missing, AlreadyUnderWay]},
)
async def pull(person: NamedDependency[Person], source_id: FromPath[int]) -> Asked:
    """Read a board now. When that is under way, 409 `already_under_way` names its task in `task_id`."""
    person.require_operations()
    if not 0 < source_id <= ID_MAX:
        raise Missing
    async with person.database.as_fleet() as unit:
        if await source_by_id(unit, SourceId(source_id)) is None:
            raise Missing
        return Asked(task_id=await pull_now(unit, SourceId(source_id)))


ROUTES = (pull,)
