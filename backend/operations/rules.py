"""The queue and its workers in plain words, for the operator's pages. Pure: the instant is handed in."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from backend.http.words import TASKS, Word
from pipeline.worker.operations.fleet.store import Member, RunningTask
from pipeline.worker.operations.views.store import TaskLine
from schema.failures import FAILURES
from schema.live import subjects_of
from schema.tasks import CATALOGUE
from schema.text import grouped
from schema.vocabulary import TaskStatus

STILL_AFTER = timedelta(minutes=1)
"""A running task whose progress did not move for so long is said to stand still."""
ENDED: frozenset[TaskStatus] = frozenset({"done", "failed", "cancelled"})


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    tone: Literal["good", "warn", "bad"]
    text: str


class TaskLooks(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every view that shows tasks: what its templates ask about one."""

    now: datetime

    def state(self, task: TaskLine) -> Word:
        """Waiting for a worker and waiting for its time are two things, though both are pending."""
        if task.status == "pending" and not task.due:
            return Word(text="Waits for its time")
        return TASKS[task.status]

    def still_since(self, task: TaskLine | RunningTask) -> datetime | None:
        """Since when a running task has shown no movement; None while it moves."""
        moved_at = max((at for at in (task.started_at, task.progress_at) if at), default=None)
        return moved_at if moved_at and self.now - moved_at >= STILL_AFTER else None


def what_it_does(kind: str) -> str | None:
    """The first sentence of the kind's own description; None when this release does not know the kind."""
    payload = CATALOGUE.get(kind)
    return (payload.__doc__ or kind).strip().splitlines()[0] if payload else None


def why_failed(code: str) -> str:
    return FAILURES.get(code, "This release does not know that code.")


def works_on(payload: str) -> list[str]:
    """What the payload names, such as `import 5`."""
    return [f"{name.replace('_', ' ')} {number}" for name, number in subjects_of(payload.encode()).items()]


def sentence(words: str) -> str:
    """The words of a refusal, which programs and terminals show as they are, as a sentence of a page."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def verdicts(members: Sequence[Member], release: str) -> list[Verdict]:
    """Which release should run, which does, and whether anything runs at all, in sentences."""
    alive = [member.worker for member in members if member.worker.state == "alive"]
    if not alive:
        return [
            Verdict(
                tone="bad",
                text="No worker is alive. What is asked for is kept until one starts: run `jobtrail worker`.",
            )
        ]
    others = [worker for worker in alive if worker.release != release]
    found = [
        Verdict(
            tone="warn",
            text=f"{worker.name} runs release {worker.release}; this server is {release}. "
            f"Start it again with {release}.",
        )
        for worker in others
    ]
    images = sorted({worker.digest for worker in alive if worker.release == release and worker.digest})
    if len(images) > 1:
        text = f"Release {release} runs from {len(images)} different images; one is not what was rolled out."
        found.append(Verdict(tone="warn", text=text))
    return found or [Verdict(tone="good", text=_agreed(len(alive), release))]


def _agreed(alive: int, release: str) -> str:
    if alive == 1:
        return f"One worker is alive and runs {release}, the release of this server."
    return f"All {grouped(alive)} workers alive run {release}, the release of this server."
