"""`jobtrail workers`, `tasks unsupported` and `tasks retire-check`: who runs what, and what nobody runs."""

import re
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command
from backend.cli.parser import WrongUse

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.worker.operations.fleet.store import Member, OpenWork, UnknownWork

_KIND = re.compile(r"[a-z][a-z0-9_.]*\.v[1-9][0-9]*")

Json = Annotated[bool, Meta(description="Print JSON, one object a line.")]


class Workers(Struct, frozen=True, kw_only=True):
    json: Json = False


class Unsupported(Struct, frozen=True, kw_only=True):
    json: Json = False


class RetireCheck(Struct, frozen=True, kw_only=True):
    kind: Annotated[str, Meta(description="The kind to retire, such as mail.import.v1.")]
    json: Json = False


def _workers(arguments: Workers) -> int:
    from backend.cli.database import on_database
    from backend.cli.task_words import print_each
    from pipeline.worker.operations.fleet.store import fleet
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings

    async def found(database: Database, _: Settings) -> "list[Member]":
        async with database.as_fleet() as unit:
            return await fleet(unit)

    members, now = on_database("jobtrail workers", found), SystemClock().now()
    print_each(members, lambda member: _member(member, now), as_json=arguments.json)
    if not members and not arguments.json:
        print("No worker yet; jobtrail worker starts one.")
    return 0


def _member(member: "Member", now: "datetime") -> str:
    from backend.cli.task_words import age, at

    worker = member.worker
    seen = (
        f"stopped {at(worker.stopped_at)}"
        if worker.stopped_at
        else f"seen {age(worker.last_seen_at, now)} ago"
    )
    release = f"{worker.release} {worker.digest}".strip()
    head = f"{worker.name}  {worker.state}  {release}  {worker.egress_group}  {seen}"
    slots = (
        f"  {len(member.tasks)} of {worker.slots} slots: " if member.tasks else f"  {worker.slots} slots free"
    )
    doing = ", ".join(
        f"task {task.id} {task.kind}{f' for {age(task.started_at, now)}' if task.started_at else ''}"
        for task in member.tasks
    )
    return f"{head}\n{slots}{doing}\n  kinds: {', '.join(worker.kinds)}"


def _unsupported(arguments: Unsupported) -> int:
    from backend.cli.database import on_database
    from backend.cli.task_words import age, print_each
    from pipeline.worker.operations.fleet.store import unsupported
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings
    from schema.tasks import CATALOGUE

    async def found(database: Database, _: Settings) -> "list[UnknownWork]":
        async with database.as_fleet() as unit:
            return await unsupported(unit, CATALOGUE)

    now = SystemClock().now()

    def words(work: "UnknownWork") -> str:
        due = f"oldest due for {age(work.due_since, now)}" if work.due_since else ""
        return f"{work.kind:<28}{work.state:<9}{work.count:>8}  {due}".rstrip()

    shown = on_database("jobtrail tasks unsupported", found)
    print_each(shown, words, as_json=arguments.json, nothing="No task is of an unknown kind.")
    return 0


def _retire_check(arguments: RetireCheck) -> int:
    from backend.cli.database import on_database
    from backend.cli.task_words import print_each
    from pipeline.worker.operations.fleet.store import retire_check
    from schema.db import Database
    from schema.errors import Refusal
    from schema.settings import Settings

    if not _KIND.fullmatch(arguments.kind):
        raise WrongUse(f"{arguments.kind!r} is no kind: they read area.verb.v1; see docs/queue.md")

    async def found(database: Database, _: Settings) -> "list[OpenWork]":
        async with database.as_fleet() as unit:
            return await retire_check(unit, arguments.kind)

    open_work = on_database("jobtrail tasks retire-check", found)
    print_each(open_work, _open, as_json=arguments.json)
    if open_work:
        count = sum(work.count for work in open_work)
        raise Refusal(
            f"{arguments.kind} is held open by {count}: let them end, replay or archive the failed."
        )
    if not arguments.json:
        print(f"{arguments.kind} can be retired: no account has a task of it that is open or failed")
    return 0


def _open(work: "OpenWork") -> str:
    whose = f"account {work.account_id}" if work.account_id else "the fleet"
    return f"{whose:<16}{work.state:<9}{work.count:>8}"


COMMANDS = (
    Command(
        name="tasks unsupported",
        summary="Count the tasks of kinds this release does not know, by kind and state.",
        details="They stay pending until a worker of a release that knows them comes.",
        arguments=Unsupported,
        run=_unsupported,
    ),
    Command(
        name="tasks retire-check",
        summary="Say whether a kind can be retired: exit code 1 while any account has one open or failed.",
        arguments=RetireCheck,
        run=_retire_check,
    ),
    Command(
        name="workers",
        summary="List the workers: name, state, release, network, last sign of life, what each one does.",
        arguments=Workers,
        run=_workers,
    ),
)
