"""Jobtrail's own queue: the product's `Worker` and `enqueue`, with everything they promise switched on.

The tasks belong to accounts, as a person's do, so that caps and turns between accounts are decided each time.
"""

import asyncio
import itertools
import random
import re
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import msgspec
import psycopg
from telling import Client, Options, Told, main, say

from backend.processes.store import LOGIN
from pipeline.worker.claims.claimer import Claimer
from pipeline.worker.claims.types import Ended
from pipeline.worker.line import Line
from pipeline.worker.loop import Worker
from pipeline.worker.types import Done, TaskRun
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId
from schema.migrate import migrate
from schema.queue import Wanted, enqueue, enqueue_many
from schema.settings import DatabaseSettings, WorkerSettings
from schema.tasks import Payload

ACCOUNTS = 50
DRAIN_BATCH = 500
MAKE_ACCOUNTS = """
INSERT INTO accounts (email, display_name, password_hash, created_at)
SELECT 'person' || number || '@example.org', 'Ada', 'none', now() FROM generate_series(1, %s) AS number"""
MAKE_LOGIN = f"CREATE ROLE {LOGIN} LOGIN NOINHERIT; GRANT jobtrail_app, jobtrail_fleet TO {LOGIN}"


class Nothing(Payload, frozen=True, kw_only=True):
    """`sent` is when it was asked for; a task told to hold keeps its first try running that long."""

    KIND = "bench.nothing.v1"
    sent: int = 0
    hold_seconds: float = 0.0


class JobtrailClient:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._accounts = itertools.cycle(AccountId(number) for number in range(1, ACCOUNTS + 1))

    async def one(self, sent_ns: int) -> None:
        async with self._database.as_account(next(self._accounts)) as unit:
            await enqueue(unit, Nothing(sent=sent_ns))

    async def many(self, count: int) -> None:
        key = time.monotonic_ns()
        wanted = [Wanted(payload=Nothing(), dedupe_key=f"{key}:{number}") for number in range(count)]
        async with self._database.as_account(next(self._accounts)) as unit:
            await enqueue_many(unit, wanted)


class Jobtrail:
    async def install(self, url: str) -> None:
        migrate(url)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(MAKE_LOGIN)
            connection.execute(MAKE_ACCOUNTS, (ACCOUNTS,))

    async def work(self, url: str, options: Options, told: Told, stop: asyncio.Event) -> None:
        async def nothing(run: TaskRun, payload: Nothing) -> Done:
            told.handled(payload.sent)
            if payload.hold_seconds:
                say(started=run.task_id, at=time.monotonic())
                await asyncio.sleep(payload.hold_seconds if run.attempt == 1 else 0)
            return Done()

        settings = msgspec.convert(options["worker"], WorkerSettings)
        jitter = random.Random().random
        async with opened(url) as database:
            worker = Worker(
                database, SystemClock(), {Nothing: nothing}, settings, release="benchmark", jitter=jitter
            )
            await worker.run(stop)

    async def claims(self, url: str, options: Options, go: Callable[[], None]) -> dict[str, list[float]]:
        settings = WorkerSettings(account_slots=1000)
        line = Line(as_login(url))
        claimer = Claimer(line, uuid4(), [Nothing.KIND], settings, SystemClock(), turn=lambda: 0.5)
        timer = ClaimTimer(claimer)
        await timer.claims(1, rounds=1)
        go()
        await timer.claims(DRAIN_BATCH, rounds=int(options["drain"]) // DRAIN_BATCH)
        batch, rounds = int(options["batch"]), int(options["rounds"])
        found = {"claims_ms": await timer.claims(batch, rounds=rounds)}
        found["surveys_ms"] = await timer.claims(batch, rounds=rounds, anew=True)
        await line.close()
        return found

    @asynccontextmanager
    async def client(self, url: str, options: Options) -> AsyncGenerator[Client, None]:
        async with opened(url) as database:
            if not options.get("wakes", True):
                database.teller.tell = lambda _: None
            yield JobtrailClient(database)


class ClaimTimer:
    """Claims one batch after the other; each claim also writes the ends of the batch before it."""

    def __init__(self, claimer: Claimer) -> None:
        self._claimer = claimer
        self._ended: list[Ended] = []

    async def claims(self, batch: int, *, rounds: int, anew: bool = False) -> list[float]:
        """Milliseconds of each; with `anew` each looks for lanes first, as a worker does now and then."""
        return [await self._claim(batch, anew=anew) for _ in range(rounds)]

    async def _claim(self, batch: int, *, anew: bool) -> float:
        if anew:
            self._claimer.look_again()
        began = time.perf_counter()
        step = await self._claimer.step(self._ended, batch)
        spent_ms = 1000 * (time.perf_counter() - began)
        if len(step.claimed) != batch:
            raise SystemExit(f"claimed {len(step.claimed)} of {batch}")
        self._ended = [Ended(task, "done") for task in step.claimed]
        return spent_ms


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Database, None]:
    async with Database.opened(DatabaseSettings(url=as_login(url))) as database:
        yield database


def as_login(url: str) -> str:
    """As the restricted login role, whoever `url` names."""
    return re.sub(r"//[^@]*@", f"//{LOGIN}@", url)


if __name__ == "__main__":
    main(Jobtrail())
