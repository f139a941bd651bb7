"""`jobtrail tasks replay`, `cancel` and `archive`: what an operator does to the queue, signed."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command
from backend.cli.moments import FORMS, moment
from backend.cli.parser import WrongUse

if TYPE_CHECKING:
    from pipeline.worker.operations.types import ArchivedLineage, BulkResult, Cancelled
    from schema.ids import TaskId

Id = Annotated[int | None, Meta(description="The task's number in `tasks list`.")]
Kind = Annotated[str | None, Meta(description="Many at once: failed tasks of this kind.")]
Code = Annotated[str | None, Meta(description="Many at once: tasks that failed with this code.")]
DryRun = Annotated[bool, Meta(description="Many at once: change nothing, say what would be done.")]
Actor = Annotated[str, Meta(description="Who does this, as the log keeps it; needed.")]
Reason = Annotated[str, Meta(description="Why, as the log keeps it; needed.")]
Json = Annotated[bool, Meta(description="Print the result as JSON.")]


class Replay(Struct, frozen=True, kw_only=True):
    id: Id = None
    kind: Kind = None
    code: Code = None
    since: Annotated[str | None, Meta(description=f"Many at once: only failed since then: {FORMS}.")] = None
    account: Annotated[
        str | None, Meta(description="With --id: only when it is this account's, by e-mail.")
    ] = None
    actor: Actor = ""
    reason: Reason = ""
    dry_run: DryRun = False
    json: Json = False


class Cancel(Struct, frozen=True, kw_only=True):
    id: Id = None
    actor: Actor = ""
    reason: Reason = ""
    json: Json = False


class Archive(Struct, frozen=True, kw_only=True):
    id: Id = None
    kind: Kind = None
    code: Code = None
    before: Annotated[str | None, Meta(description=f"Many at once: only failed before then: {FORMS}.")] = None
    actor: Actor = ""
    reason: Reason = ""
    dry_run: DryRun = False
    json: Json = False


def _require_signed(command: str, actor: str, reason: str) -> None:
    from pipeline.worker.operations.rules import signed
    from schema.errors import Invalid

    if not (actor.strip() and reason.strip()):
        raise WrongUse(f"jobtrail {command} needs --actor and --reason; see: jobtrail {command} --help")
    try:
        signed(actor, reason)
    except Invalid as error:
        raise WrongUse(f"--{error.field}: {error.detail}; see: jobtrail {command} --help") from None


def _require_said(command: str, **words: str | None) -> None:
    """A word that is empty, as of a shell's variable nobody set, narrows nothing: then all would be meant."""
    for name, word in words.items():
        if word is not None and not word.strip():
            raise WrongUse(f"--{name}: nothing stands behind it; see: jobtrail {command} --help")


def _require_one_or_many(command: str, arguments: Replay | Archive, when: str | None) -> None:
    """Either one task by its number, or many by what they have in common."""
    many = bool(arguments.kind or arguments.code)
    if (arguments.id is not None) == many:
        raise WrongUse(f"give --id, or --kind or --code for many at once; see: jobtrail {command} --help")
    if not many and (when or arguments.dry_run):
        raise WrongUse(f"--dry-run and a time go with --kind or --code; see: jobtrail {command} --help")


def _replay(arguments: Replay) -> int:
    command = "tasks replay"
    _require_signed(command, arguments.actor, arguments.reason)
    _require_said(
        command,
        kind=arguments.kind,
        code=arguments.code,
        since=arguments.since,
        account=arguments.account,
    )
    _require_one_or_many(command, arguments, arguments.since)
    if arguments.id is not None:
        return _replay_one(arguments, arguments.id)
    if arguments.account:
        raise WrongUse(f"--account goes with --id; see: jobtrail {command} --help")
    return _replay_many(arguments)


def _replay_one(arguments: Replay, number: int) -> int:
    from backend.cli.database import on_database
    from backend.cli.store import account_named
    from pipeline.worker.operations.replay import replay
    from schema.db import Database
    from schema.ids import TaskId
    from schema.settings import Settings
    from schema.tasks import CATALOGUE

    async def replayed(database: Database, _: Settings) -> "TaskId":
        account_id = await account_named(database, arguments.account) if arguments.account else None
        async with database.as_fleet() as unit:
            return await replay(
                unit,
                TaskId(number),
                actor=arguments.actor,
                reason=arguments.reason,
                kinds=CATALOGUE,
                account_id=account_id,
            )

    new_id = on_database("jobtrail tasks replay", replayed)
    words = f"{new_id}  does the work of task {number} again; a worker runs it next"
    print(f'{{"task_id":{new_id},"replay_of_id":{number}}}' if arguments.json else words)
    return 0


def _replay_many(arguments: Replay) -> int:
    from backend.cli.bulk_words import told
    from backend.cli.database import on_database
    from pipeline.worker.operations.replay import replay_many
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings
    from schema.tasks import CATALOGUE

    since = moment("--since", arguments.since or "", SystemClock().now())

    async def replayed(database: Database, _: Settings) -> "BulkResult":
        return await replay_many(
            database,
            actor=arguments.actor,
            reason=arguments.reason,
            kinds=CATALOGUE,
            kind=arguments.kind,
            code=arguments.code,
            since=since,
            dry_run=arguments.dry_run,
        )

    result = on_database("jobtrail tasks replay", replayed)
    return told(result, "replayed", dry_run=arguments.dry_run, as_json=arguments.json)


def _cancel(arguments: Cancel) -> int:
    from backend.cli.database import on_database
    from pipeline.worker.operations.cancel import cancel
    from schema.db import Database
    from schema.ids import TaskId
    from schema.settings import Settings

    _require_signed("tasks cancel", arguments.actor, arguments.reason)
    if arguments.id is None:
        raise WrongUse("--id is needed; see: jobtrail tasks cancel --help")
    task_id = TaskId(arguments.id)

    async def cancelled(database: Database, _: Settings) -> "Cancelled":
        async with database.as_fleet() as unit:
            return await cancel(unit, task_id, actor=arguments.actor, reason=arguments.reason)

    done = on_database("jobtrail tasks cancel", cancelled)
    below = f" with {done.below} not yet started below it" if done.below else ""
    _print(done, f"{task_id}  cancelled{below}", as_json=arguments.json)
    return 0


def _archive(arguments: Archive) -> int:
    command = "tasks archive"
    _require_signed(command, arguments.actor, arguments.reason)
    _require_said(command, kind=arguments.kind, code=arguments.code, before=arguments.before)
    _require_one_or_many(command, arguments, arguments.before)
    return _archive_many(arguments) if arguments.id is None else _archive_one(arguments, arguments.id)


def _archive_one(arguments: Archive, number: int) -> int:
    from backend.cli.database import on_database
    from pipeline.worker.operations.archive import archive
    from schema.db import Database
    from schema.ids import TaskId
    from schema.settings import Settings

    async def archived(database: Database, _: Settings) -> "ArchivedLineage":
        async with database.as_fleet() as unit:
            return await archive(unit, TaskId(number), actor=arguments.actor, reason=arguments.reason)

    done = on_database("jobtrail tasks archive", archived)
    words = f"{done.lineage}  archived with its lineage; tasks moved: {done.tasks}"
    _print(done, words, as_json=arguments.json)
    return 0


def _archive_many(arguments: Archive) -> int:
    from backend.cli.bulk_words import told
    from backend.cli.database import on_database
    from pipeline.worker.operations.archive import archive_many
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings

    before = moment("--before", arguments.before or "", SystemClock().now())

    async def archived(database: Database, _: Settings) -> "BulkResult":
        return await archive_many(
            database,
            actor=arguments.actor,
            reason=arguments.reason,
            kind=arguments.kind,
            code=arguments.code,
            before=before,
            dry_run=arguments.dry_run,
        )

    result = on_database("jobtrail tasks archive", archived)
    return told(result, "archived", dry_run=arguments.dry_run, as_json=arguments.json)


def _print(result: Struct, words: str, *, as_json: bool) -> None:
    from msgspec import json

    print(json.encode(result).decode() if as_json else words)


COMMANDS = (
    Command(
        name="tasks replay",
        summary="Run a failed task's work again, as a new task that names the failed one.",
        details=(
            "Refused while another run of the same work is under way or done, naming it. With --kind or "
            "--code every failed task that fits, each under the same rule; exit code 1 when one was refused."
        ),
        arguments=Replay,
        run=_replay,
    ),
    Command(
        name="tasks cancel",
        summary="End a task that has not ended, and its children that were not started.",
        details="A running one is stopped by its worker's next heartbeat; children that run go on.",
        arguments=Cancel,
        run=_cancel,
    ),
    Command(
        name="tasks archive",
        summary="Move the lineage of an ended task out of the queue, with its children and its log.",
        details=(
            "Refused while a task that belongs to it has not ended. With --kind or --code the lineage of "
            "every failed task that fits; exit code 1 when one was refused."
        ),
        arguments=Archive,
        run=_archive,
    ),
)
