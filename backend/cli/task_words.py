"""Tasks in words for a terminal. Decides nothing and asks nobody."""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

import msgspec

from pipeline.worker.operations.views.store import Archived, Event, LineageMember, Task, TaskLine

RowT = TypeVar("RowT")


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One task with all that is known about it."""

    task: Task
    lineage: list[LineageMember]
    events: list[Event]


def print_each(
    rows: Sequence[RowT], words: Callable[[RowT], str], *, as_json: bool, nothing: str = ""
) -> None:
    """`nothing` tells a person, on standard error, that there are no rows."""
    if not rows and nothing and not as_json:
        print(nothing, file=sys.stderr)
    for row in rows:
        print(msgspec.json.encode(row).decode() if as_json else words(row))


def line(task: TaskLine) -> str:
    tries = f"{task.attempts}/{task.max_attempts}"
    told = f"{task.id:<9}{task.status:<15}{tries:<7}{at(task.created_at)}  {task.kind:<28}"
    return f"{told}{task.word or ''}".rstrip()


def plain(text: str | None) -> str:
    """What people and handlers wrote, in one line and without what steers a terminal."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text or ""
    )


def at(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment else ""


def age(since: datetime, now: datetime) -> str:
    """`3 min`: for how long, in the largest unit that fits."""
    seconds = max((now - since) / timedelta(seconds=1), 0)
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


def told(shown: Shown | Archived) -> str:
    """Everything known about one task, a fact a line; facts it does not have are left out."""
    if isinstance(shown, Archived):
        return "\n".join(_from_archive(shown))
    lines = _row(shown.task)
    if len(shown.lineage) > 1:
        lines += ["lineage, oldest to newest", *(_run(member) for member in shown.lineage)]
    if shown.events:
        lines += ["what happened", *(_event(event) for event in shown.events)]
    return "\n".join(lines)


def _row(task: Task) -> list[str]:
    facts = {
        "kind": task.kind,
        "belongs to": f"account {task.account_id}" if task.account_id else "the fleet",
        "payload": plain(task.payload),
        "key": plain(task.dedupe_key),
        "host": task.host,
        "priority": task.priority,
        "tries": f"{task.attempts} of {task.max_attempts}",
        "asked for": at(task.created_at),
        "not before": at(task.not_before),
        "started": at(task.started_at),
        "ended": at(task.finished_at),
        "worker": f"{task.worker_name or 'unknown'} ({task.worker})" if task.worker else None,
        "lease until": at(task.lease_expires_at),
        "progress": _progress(task),
        "parent": f"task {task.parent_id}" if task.parent_id else None,
        "children": _children(task),
    }
    head = f"task {task.id}: {task.status}{f' ({task.word})' if task.word else ''}"
    return [head, *(f"  {name:<12} {fact}" for name, fact in facts.items() if fact not in {None, ""})]


def _from_archive(task: Archived) -> list[str]:
    return [
        f"task {task.id}: archived {at(task.archived_at)} by {plain(task.actor)}: {plain(task.reason)}",
        f"  {'kind':<12} {task.kind}",
        f"  {'lineage':<12} of task {task.lineage}",
        f"  {'row':<12} {plain(task.task)}",
        f"  {'events':<12} {plain(task.events)}",
    ]


def _progress(task: Task) -> str | None:
    if task.progress is None:
        return None
    total = "" if task.progress.total is None else f" of {task.progress.total}"
    note = f": {plain(task.progress.note)}" if task.progress.note else ""
    return f"{task.progress.done}{total}{note} ({at(task.progress_at)})"


def _children(task: Task) -> str | None:
    if not task.children:
        return None
    return f"{task.children}: {task.children_open} not ended, {task.children_failed} failed"


def _run(member: LineageMember) -> str:
    why = f"  replayed by {plain(member.actor)}: {plain(member.reason)}" if member.actor else "  the original"
    ended = f" ({member.word})" if member.word else ""
    return f"  {at(member.created_at)}  {member.id:<9}{member.status}{ended}{why}"


def _event(event: Event) -> str:
    who = f" by {plain(event.actor)}: {plain(event.reason)}" if event.actor else ""
    worker = f" on {event.worker_name or event.worker}" if event.worker else ""
    code = f" ({event.code})" if event.code else ""
    return f"  {at(event.at)}  {event.event}{code} at try {event.attempt}{worker}{who}"
