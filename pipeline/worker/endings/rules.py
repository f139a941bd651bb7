"""What an ending becomes in the queue. Pure: attempts, waits and codes in, a verdict out."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.types import Again, Apart, Ending, Failed, Finished, IntoChildren, Later
from pipeline.worker.events.store import Event
from schema.retries import backoff
from schema.tasks import CATALOGUE
from schema.vocabulary import TaskStatus

ENOUGH_REFUSALS = 5
"""So many passing troubles in a row close a host's circuit."""
FIRST_PAUSE = timedelta(seconds=30)
"""How long the circuit stays closed at first; doubles with each further trouble, half an hour at most."""
LONGEST_PAUSE = timedelta(days=1)
"""What a host says is believed for so long: then one task asks again."""


@dataclass(frozen=True)
class Verdict:
    """How the task will stand, and what its log says. `not_before` None: at once. `gives_back`: the try.

    `why`: which passing trouble it met, for its log; `code` is what it failed with, or would.
    """

    status: TaskStatus
    event: Event | None = None
    outcome: str = ""
    code: str | None = None
    not_before: datetime | None = None
    gives_back: bool = False
    why: str = ""


def verdict(task: Claimed, ending: Ending, now: datetime, jitter: float) -> Verdict:
    match ending:
        case Finished():
            return Verdict("done", outcome=ending.outcome)
        case Failed():
            return Verdict("failed", "failed", code=ending.code)
        case Again():
            return _tried_again(task, ending, now, jitter)
        case Later():
            return Verdict("pending", not_before=ending.until, gives_back=True)
        case IntoChildren():
            return Verdict("waiting", "split") if ending.children else Verdict("done", outcome="no_children")
        case Apart():
            return Verdict("awaiting_batch", "parked", gives_back=True)


def _tried_again(task: Claimed, ending: Again, now: datetime, jitter: float) -> Verdict:
    if task.attempts >= task.max_attempts:
        return Verdict("failed", "failed", code=ending.code, why=ending.why)
    wait = backoff(task.attempts, CATALOGUE[task.kind].BACKOFF_SECONDS, jitter)
    return Verdict("pending", "retried", code=ending.code, not_before=now + wait, why=ending.why)


def troubles_host(ending: Ending) -> bool:
    """Whether the ending speaks against the task's host: no good answer, or a word when to come back."""
    return (isinstance(ending, Again) and ending.is_passing) or (
        isinstance(ending, Later) and ending.closes_host
    )
