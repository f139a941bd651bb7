"""How a try ended, as data: what `attempt` finds out and `settle` writes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.worker.types import Effect
from schema.queue import Wanted


@dataclass(frozen=True)
class Finished:
    outcome: str
    effect: Effect | None = None


@dataclass(frozen=True)
class Failed:
    code: str


@dataclass(frozen=True)
class Again:
    """Try again, waiting longer each time; the last try ends in `code`. `is_passing`: trouble outside.

    `why` names a trouble that passes, for the task's log; `error` is a fault of ours, told for the log.
    """

    code: str
    is_passing: bool = False
    why: str = ""
    error: str = field(default="", compare=False)


@dataclass(frozen=True)
class Later:
    """The try is given back. `closes_host`: no other task for its host starts before `until` either."""

    until: datetime | None
    closes_host: bool = False


@dataclass(frozen=True)
class IntoChildren:
    children: Sequence[Wanted]
    effect: Effect | None = None


@dataclass(frozen=True)
class Apart:
    """Parked for a batch."""

    effect: Effect | None = None


Ending = Finished | Failed | Again | Later | IntoChildren | Apart


def has_effect(ending: Ending) -> bool:
    """Whether writes of the handler's own hang on it: its effect, or children it asked for."""
    if isinstance(ending, IntoChildren) and ending.children:
        return True
    return isinstance(ending, Finished | IntoChildren | Apart) and ending.effect is not None
