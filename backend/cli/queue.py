"""`jobtrail tasks list` and `show`: what the queue holds."""

from typing import TYPE_CHECKING, Annotated, cast, get_args

from msgspec import Meta, Struct

from backend.cli.command import Command
from backend.cli.parser import WrongUse
from schema.vocabulary import TaskStatus

if TYPE_CHECKING:
    from backend.cli.task_words import Shown
    from pipeline.worker.operations.views.store import Archived, TaskLine

STATUSES = get_args(TaskStatus)
_MOST = 10_000

Json = Annotated[bool, Meta(description="Print JSON, one object a line.")]


class List(Struct, frozen=True, kw_only=True):
    status: Annotated[str, Meta(description=f"Only these: {', '.join(STATUSES)}.")] = ""
    kind: Annotated[str, Meta(description="Only tasks of this kind.")] = ""
    code: Annotated[str, Meta(description="Only tasks that failed with this code.")] = ""
    account: Annotated[str, Meta(description="Only this account's, by e-mail address.")] = ""
    before: Annotated[int | None, Meta(description="Go on below this id.")] = None
    limit: Annotated[int, Meta(description="How many at most; 50 when not given.")] = 50
    json: Json = False


class Show(Struct, frozen=True, kw_only=True):
    id: Annotated[int, Meta(description="The task's number in `tasks list`.")]
    json: Json = False


def _list(arguments: List) -> int:
    from backend.cli import task_words
    from backend.cli.database import on_database
    from backend.cli.store import account_named
    from pipeline.worker.operations.views import store
    from schema.db import Database
    from schema.ids import TaskId
    from schema.settings import Settings

    if arguments.status and arguments.status not in STATUSES:
        raise WrongUse(f"--status: allowed are {', '.join(STATUSES)}; see: jobtrail tasks list --help")
    if not 1 <= arguments.limit <= _MOST:
        raise WrongUse(f"--limit: allowed is 1 to {_MOST}; see: jobtrail tasks list --help")

    async def found(database: Database, _: Settings) -> "list[TaskLine]":
        account_id = await account_named(database, arguments.account) if arguments.account else None
        async with database.as_fleet() as unit:
            return await store.tasks(
                unit,
                status=cast("TaskStatus | None", arguments.status or None),
                kind=arguments.kind or None,
                code=arguments.code or None,
                account_id=account_id,
                before=None if arguments.before is None else TaskId(arguments.before),
                limit=arguments.limit,
            )

    shown = on_database("jobtrail tasks list", found)
    task_words.print_each(shown, task_words.line, as_json=arguments.json, nothing="No such task.")
    return 0


def _show(arguments: Show) -> int:
    from backend.cli import task_words
    from backend.cli.database import on_database
    from pipeline.worker.operations.views import store
    from schema.db import Database
    from schema.errors import Missing
    from schema.ids import TaskId
    from schema.settings import Settings

    async def found(database: Database, _: Settings) -> "Shown | Archived | None":
        task_id = TaskId(arguments.id)
        async with database.as_fleet() as unit:
            task = await store.task(unit, task_id)
            if task is None:
                return await store.archived(unit, task_id)
            lineage, events = await store.lineage(unit, task_id), await store.events(unit, task_id)
            return task_words.Shown(task=task, lineage=lineage, events=events)

    shown = on_database("jobtrail tasks show", found)
    if shown is None:
        raise Missing(f"there is no task {arguments.id}; see: jobtrail tasks list")
    task_words.print_each([shown], task_words.told, as_json=arguments.json)
    return 0


COMMANDS = (
    Command(
        name="tasks list",
        summary="List tasks, newest first: id, status, tries, when asked for (UTC), kind, how it ended.",
        arguments=List,
        run=_list,
    ),
    Command(
        name="tasks show",
        summary="Show one task whole: its row, its lineage oldest to newest with who and why, what happened.",
        details="An archived task is shown as the archive keeps it.",
        arguments=Show,
        run=_show,
    ),
)
