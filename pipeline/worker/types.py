"""What a handler gets and how it can end. Every feature with background work writes against this file."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from schema.clock import Clock
from schema.db import Database
from schema.failures import require_known
from schema.ids import AccountId, TaskId
from schema.tasks import Payload

PayloadT_contra = TypeVar("PayloadT_contra", bound=Payload, contravariant=True)


class Done(msgspec.Struct, frozen=True):
    """The task is finished; `word` says how, as `[a-z0-9_]+` (imported, nothing_new, ...)."""

    word: str = "done"


class Transient(Exception):
    """A passing trouble: try again within the attempts, later each time."""


class Permanent(Exception):
    """Trying again cannot help. `code` comes from `schema.failures`; `detail` goes to the log."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = require_known(code)
        super().__init__(detail or code)


class Deferred(Exception):
    """Not now: run again at `until`; the try is given back."""

    def __init__(self, until: datetime) -> None:
        self.until = until
        super().__init__(until.isoformat())


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    done: int
    total: int | None = None
    note: str = ""


class ReportProgress(Protocol):
    async def __call__(self, progress: Progress) -> None: ...


@dataclass(frozen=True)
class TaskRun:
    """One try of one task. `report` writes only while the lease is held."""

    db: Database
    clock: Clock
    task_id: TaskId
    account_id: AccountId | None
    attempt: int
    report: ReportProgress

    @property
    def owner(self) -> AccountId:
        """The account the task belongs to; a task of the fleet has none, which is a fault of its caller."""
        if self.account_id is None:
            raise Permanent("invalid_payload", "this kind of task belongs to an account")
        return self.account_id

    async def progress(self, done: int, total: int | None = None, note: str = "") -> None:
        await self.report(Progress(done=done, total=total, note=note))


class Handler(Protocol, Generic[PayloadT_contra]):
    def __call__(self, run: TaskRun, payload: PayloadT_contra, /) -> Awaitable[Done]: ...


Handlers = Mapping[type[Payload], Callable[[TaskRun, Any], Awaitable[Done]]]
