"""Jobtrail's own queue: the product's `Worker` and `enqueue`, with everything they promise switched on.

Asking is a person's: through a unit of one account after another.
"""

import asyncio
import itertools
import random
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import msgspec
import psycopg
from stopwatch import Stopwatch
from telling import Client, Options, Told, main, say

from backend.processes.store import LOGIN
from benchmarks.queue.payload import ACCOUNTS, Nothing, as_login
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

DRAIN_BATCH = 500
MAKE_ACCOUNTS = """
INSERT INTO accounts (email, display_name, password_hash, created_at)
SELECT 'person' || number || '@example.org', 'Ada', 'none', now() FROM generate_series(1, %s) AS number"""
MAKE_LOGIN = f"""
DO $$ BEGIN CREATE ROLE {LOGIN} LOGIN NOINHERIT; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
GRANT jobtrail_app, jobtrail_fleet TO {LOGIN}"""


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

    async def claims(self, url: str, options: Options, go: Callable[[], None]) -> dict[str, float]:
        settings = WorkerSettings(account_slots=1000)
        line = Line(as_login(url))
        claimer = Claimer(line, uuid4(), [Nothing.KIND], settings, SystemClock(), turn=lambda: 0.5)
        timer = ClaimTimer(claimer, await session_of(line, url))
        batch, rounds, warming = (int(options[name]) for name in ("batch", "rounds", "warming"))
        go()
        await timer.claim(DRAIN_BATCH, rounds=int(options["drain"]) // DRAIN_BATCH)
        await timer.claim(batch, rounds=warming)
        found = {
            "claim_ms": await timer.claim(batch, rounds=rounds),
            "anew_ms": await timer.claim(batch, rounds=rounds, anew=True),
        }
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

    def __init__(self, claimer: Claimer, watch: Stopwatch) -> None:
        self._claimer = claimer
        self._watch = watch
        self._ended: list[Ended] = []

    async def claim(self, batch: int, *, rounds: int, anew: bool = False) -> float:
        """Milliseconds of each; with `anew` each looks for lanes first, as a worker does now and then."""
        for _ in range(rounds):
            if anew:
                self._claimer.look_again()
            with self._watch.running():
                step = await self._claimer.step(self._ended, batch)
            if len(step.claimed) != batch:
                raise SystemExit(f"claimed {len(step.claimed)} of {batch}")
            self._ended = [Ended(task, "done") for task in step.claimed]
        return self._watch.mean_ms() if rounds else 0.0


async def session_of(line: Line, url: str) -> Stopwatch:
    """A watch on the server's process that serves `line`, which opens itself at its first statement."""
    async with line.transaction():
        pass
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'jobtrail_worker'"
        ).fetchone()
    assert row
    return Stopwatch(row[0])


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Database, None]:
    async with Database.opened(DatabaseSettings(url=as_login(url))) as database:
        yield database


if __name__ == "__main__":
    main(Jobtrail())
