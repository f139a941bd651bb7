"""`jobtrail tasks`: what the queue holds."""

from typing import TYPE_CHECKING, Annotated, get_args

from msgspec import Meta, Struct

from backend.cli.command import Command
from backend.cli.parser import WrongUse
from schema.vocabulary import TaskStatus

if TYPE_CHECKING:
    from backend.cli.store import TaskLine

STATUSES = get_args(TaskStatus)
_MOST = 10_000


class List(Struct, frozen=True, kw_only=True):
    status: Annotated[str, Meta(description=f"Only these: {', '.join(STATUSES)}.")] = ""
    limit: Annotated[int, Meta(description="How many at most; 50 when not given.")] = 50


def _list(arguments: List) -> int:
    from backend.cli import store
    from backend.cli.database import on_database
    from schema.db import Database
    from schema.settings import Settings

    if arguments.status and arguments.status not in STATUSES:
        raise WrongUse(f"--status: allowed are {', '.join(STATUSES)}; see: jobtrail tasks list --help")
    if not 1 <= arguments.limit <= _MOST:
        raise WrongUse(f"--limit: allowed is 1 to {_MOST}; see: jobtrail tasks list --help")

    async def found(database: Database, _: Settings) -> "list[TaskLine]":
        async with database.as_fleet() as unit:
            return await store.tasks(unit, arguments.status, arguments.limit)

    for task in on_database("jobtrail tasks list", found):
        tries = f"{task.attempts}/{task.max_attempts}"
        line = f"{task.id:<9}{task.status:<11}{tries:<7}{task.created_at:%Y-%m-%d %H:%M:%S}  {task.kind:<28}"
        print(f"{line}{task.word or ''}".rstrip())
    return 0


COMMANDS = (
    Command(
        name="tasks list",
        summary="List tasks, newest first: id, status, tries, when asked for (UTC), kind, how it ended.",
        arguments=List,
        run=_list,
    ),
)
