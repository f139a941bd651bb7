"""What `jobtrail match eval` does: a throw-away database, an account for each person, and the evaluation."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from backend.accounts.store import add_account
from backend.processes.throwaway import throwaway_database
from matcher.evaluation.mailbox import Tell
from matcher.evaluation.reading import truth_file
from matcher.evaluation.run import NewAccount, Outcome, Prepared, evaluated, prepared
from matcher.fitting.ablation import Without, ablated
from schema import logs
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId
from schema.settings import DatabaseSettings, load

ResultT = TypeVar("ResultT")
Measure = Callable[[Database, NewAccount], Awaitable[ResultT]]
_SAY_EVERY_SECONDS = 10.0


class Progress:
    """How far it is: one line written over for a person at a terminal, a line now and then for a log."""

    def __init__(self) -> None:
        self._said = time.monotonic()
        self._open = False

    def __call__(self, doing: str, done: int, total: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{doing}: {done:,} of {total:,}\x1b[K")
            sys.stderr.flush()
            self._open = True
        elif time.monotonic() - self._said > _SAY_EVERY_SECONDS:
            self._said = time.monotonic()
            sys.stderr.write(f"{doing}: {done:,} of {total:,}\n")

    def end(self) -> None:
        if self._open:
            sys.stderr.write("\r\x1b[K")


def mail_of(path: Path, tell: Tell, *, shuffle: int | None = None) -> Prepared:
    return prepared(truth_file(path), tell, shuffle=shuffle)


def evaluate(path: Path, *, shuffle: int | None = None) -> Outcome:
    progress = Progress()
    mail = mail_of(path, progress, shuffle=shuffle)

    async def measure(database: Database, new_account: NewAccount) -> Outcome:
        return await evaluated(database, SystemClock(), new_account, mail, progress)

    try:
        return on_throwaway(measure)
    finally:
        progress.end()


def ablate(path: Path, *, shuffle: int | None = None) -> list[Without]:
    progress = Progress()
    mail = mail_of(path, progress, shuffle=shuffle)

    async def measure(database: Database, new_account: NewAccount) -> list[Without]:
        told = ablated(database, SystemClock(), new_account, mail, progress)
        return [each async for each in told]

    try:
        return on_throwaway(measure)
    finally:
        progress.end()


def on_throwaway(measure: Measure[ResultT]) -> ResultT:
    """What `measure` answers on a fresh database; all that was made for it is removed."""
    logs.configure(replace(load().log, level="warning"))
    with throwaway_database() as settings:
        return asyncio.run(_measured(settings, measure))


async def _measured(settings: DatabaseSettings, measure: Measure[ResultT]) -> ResultT:
    async with Database.opened(settings) as database:
        return await measure(database, _accounts(database))


def _accounts(database: Database) -> NewAccount:
    async def new_account(address: str) -> AccountId:
        async with database.as_presenter(address) as unit:
            return await add_account(
                unit,
                email=address,
                name="Somebody measured",
                password_hash="none",  # noqa: S106 - nobody signs in
                is_operator=False,
                time_zone="UTC",
                now=SystemClock().now(),
            )

    return new_account
