"""Tells open pages how tasks stand: after the commit, the latest state of each, a few times a second.

Best effort. A flood of trivial tasks is told as one hint: the page reads how things stand by itself.
"""

import asyncio

from pipeline.worker.claims.types import Claimed
from schema.ids import AccountId
from schema.live import CHANNEL, Hint, Message, TaskProgress, TaskState, encoded, subjects_of
from schema.teller import Teller
from schema.vocabulary import TaskStatus

PAUSE_SECONDS = 0.1
_MOST_STATES = 50
"""So many states of one account are told in one pause; more become one hint."""


class Announcer:
    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._states: dict[int | None, dict[int, tuple[Claimed, TaskStatus, TaskProgress | None]]] = {}
        self._hints: dict[tuple[int | None, int | None], None] = {}

    def stands(self, task: Claimed, status: TaskStatus, progress: TaskProgress | None = None) -> None:
        """`task` stands so now; costs nothing but memory until the next pause."""
        states = self._states.setdefault(task.account_id, {})
        if task.id in states or len(states) <= _MOST_STATES:
            states[task.id] = (task, status, progress)

    def changed(self, account_id: int | None, task_id: int | None) -> None:
        """A task of which no more is known here: pages read it."""
        self._hints[account_id, task_id] = None

    async def run(self) -> None:
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            self.flush()

    def flush(self) -> None:
        states, self._states = self._states, {}
        hints, self._hints = self._hints, {}
        messages: list[Message] = [
            Hint(account_id=None if account is None else AccountId(account), topic="tasks", subject=task)
            for account, task in hints
        ]
        for account, changed in states.items():
            if len(changed) > _MOST_STATES:
                messages.append(Hint(account_id=account, topic="tasks"))
            else:
                messages += [_state(*each) for each in changed.values()]
        self._teller.tell([(CHANNEL, encoded(message)) for message in messages])


def _state(task: Claimed, status: TaskStatus, progress: TaskProgress | None) -> TaskState:
    return TaskState(
        account_id=task.account_id,
        id=task.id,
        kind=task.kind,
        status=status,
        attempts=task.attempts,
        progress=progress,
        subjects=subjects_of(task.payload),
    )
