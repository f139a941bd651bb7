"""Random harm to live workers and their server, and what must not come of it.

python -m benchmarks.queue.harm [--faults N] [--seed N] [--json]

Workers are killed, frozen past their leases and woken, cut off; the server is restarted and crashes, until
there were N faults (10,000). Then all is left to come to rest. Bars: no stale finish accepted, no task lost,
no effect doubled. A finish is stale when its statement began after the lease, or an older claim wrote it.
"""

import argparse
import asyncio
import ctypes
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from backend.processes.store import LOGIN
from benchmarks.queue.server import Server, running_server
from benchmarks.table import Measure, print_table
from pipeline.worker.claims.types import Fence
from pipeline.worker.loop import Worker
from pipeline.worker.running import Runner
from pipeline.worker.slots import Held
from pipeline.worker.types import Done, Outcome, Split, TaskRun, Transient
from schema.db import Database, Unit
from schema.migrate import migrate
from schema.queue import Wanted
from schema.settings import DatabaseSettings, WorkerSettings
from schema.tasks import Payload

DATABASE = "harm"
WORKERS = 3
SETTINGS = WorkerSettings(slots=4, lease_seconds=0.6, poll_seconds=0.05, grace_seconds=1, account_slots=20)
BACKLOG = 60
PROGRESS = (1, 8)
"""Between two faults so many effects come about."""
PATIENCE_SECONDS = 60.0
BUSINESS_SPEED = 40
EACH_HUNDRED = {"kill": 30, "freeze": 30, "cut": 35, "restart": 2, "crash": 3}
INSTALL = f"""
CREATE ROLE {LOGIN} LOGIN NOINHERIT; GRANT jobtrail_app, jobtrail_fleet TO {LOGIN};
INSERT INTO accounts (email, display_name, password_hash, created_at)
  SELECT 'person' || number || '@example.org', 'Ada', 'none', now() FROM generate_series(1, 4) AS number;
CREATE SCHEMA harm; GRANT USAGE ON SCHEMA harm TO jobtrail_app, jobtrail_fleet;
CREATE TABLE harm.effects (n bigserial PRIMARY KEY, task_id bigint NOT NULL, claim_seq bigint NOT NULL);
CREATE TABLE harm.stale (task_id bigint NOT NULL, claim_seq bigint NOT NULL);
GRANT INSERT ON harm.effects TO jobtrail_app, jobtrail_fleet;
GRANT USAGE ON SEQUENCE harm.effects_n_seq TO jobtrail_app, jobtrail_fleet;
CREATE FUNCTION harm.watch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO harm.stale VALUES (OLD.id, OLD.claim_seq);
  RETURN NEW;
END $$;
CREATE TRIGGER harm_watch BEFORE UPDATE ON tasks FOR EACH ROW
  WHEN (OLD.status = 'running' AND NEW.status NOT IN ('running', 'pending')
        AND NEW.failure_code IS DISTINCT FROM 'lease_expired'
        AND OLD.lease_expires_at <= statement_timestamp())
  EXECUTE FUNCTION harm.watch()"""
FILL = """
WITH filled AS (
  INSERT INTO tasks (account_id, kind, payload, max_attempts)
  SELECT CASE WHEN number %% 2 = 0 THEN 1 + number %% 4 END, kind, '{}', 10000
  FROM generate_series(1, %s) AS number, unnest(%s::text[]) AS kind RETURNING id)
SELECT count(*) FROM filled"""
UNFINISHED = """SELECT count(*) FROM tasks
WHERE status IN ('pending', 'running', 'waiting', 'awaiting_batch')"""
STALE = """SELECT (SELECT count(*) FROM harm.stale)
  + (SELECT count(*) FROM tasks WHERE kind = ANY (%(said)s) AND outcome <> 'by_' || claim_seq)
  + (SELECT count(*) FROM harm.effects JOIN tasks ON id = task_id
     WHERE status = 'done' AND effects.claim_seq <> tasks.claim_seq)"""
LOST = """SELECT greatest(%(asked)s - count(*) FILTER (WHERE parent_id IS NULL), 0)
  + count(*) FILTER (WHERE status <> 'done' OR (kind = ANY (%(effective)s) AND task_id IS NULL))
FROM tasks LEFT JOIN (SELECT DISTINCT task_id FROM harm.effects) AS effects ON task_id = id"""
DOUBLED = """SELECT (SELECT count(*) - count(DISTINCT task_id) FROM harm.effects)
  + (SELECT abs(count(*) FILTER (WHERE kind = %(leaf)s) - %(leaves)s * count(*) FILTER (WHERE kind = %(fan)s))
     FROM tasks)"""

_END_WITH_PARENT = 1
"""What Linux calls it; elsewhere a killed benchmark leaves its workers behind."""

_claim: ContextVar[Fence] = ContextVar("claim")


class Trivial(Payload, frozen=True, kw_only=True):
    """Its end says which claim wrote it."""

    KIND = "bench.harm_trivial.v1"


class Effect(Payload, frozen=True, kw_only=True):
    KIND = "bench.harm_effect.v1"


class Again(Payload, frozen=True, kw_only=True):
    """Its first try meets a passing trouble."""

    KIND = "bench.harm_again.v1"
    BACKOFF_SECONDS = 1.0


class Fan(Payload, frozen=True, kw_only=True):
    KIND = "bench.harm_fan.v1"
    LEAVES = 2


class Leaf(Payload, frozen=True, kw_only=True):
    KIND = "bench.harm_leaf.v1"
    MAX_ATTEMPTS = 10_000


async def affect(unit: Unit) -> None:
    claim = _claim.get()
    insert = "INSERT INTO harm.effects (task_id, claim_seq) VALUES (%s, %s)"
    await unit.connection.execute(insert, (claim.id, claim.claim_seq))


async def trivial(_run: TaskRun, _payload: Trivial) -> Outcome:
    return Done(f"by_{_claim.get().claim_seq}")


async def effect(_run: TaskRun, _payload: Effect | Leaf) -> Outcome:
    await asyncio.sleep(0.005)
    return Done(f"by_{_claim.get().claim_seq}", effect=affect)


async def again(run: TaskRun, _payload: Again) -> Outcome:
    if run.attempt == 1:
        raise Transient
    return Done(f"by_{_claim.get().claim_seq}", effect=affect)


async def fan(_run: TaskRun, _payload: Fan) -> Outcome:
    return Split([Wanted(payload=Leaf()) for _ in range(Fan.LEAVES)], effect=affect)


HANDLERS: dict[type[Payload], Any] = {Trivial: trivial, Effect: effect, Leaf: effect, Again: again, Fan: fan}
ASKED = [Trivial.KIND, Effect.KIND, Again.KIND, Fan.KIND]
SAID = [Trivial.KIND, Effect.KIND, Leaf.KIND, Again.KIND]
EFFECTIVE = [Effect.KIND, Leaf.KIND, Again.KIND, Fan.KIND]


class QuickClock:
    """Business time that goes by faster than the wall's: waits before a new try are none here."""

    def __init__(self, begun_at: float) -> None:
        self._begun_at = begun_at

    def now(self) -> datetime:
        passed = timedelta(seconds=time.time() - self._begun_at)
        return datetime.fromtimestamp(self._begun_at, UTC) + passed * BUSINESS_SPEED


async def work(url: str, seed: int, begun_at: float) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    settings = DatabaseSettings(url=url, pool_size=4, pool_timeout_seconds=1, statement_timeout_seconds=1)
    async with Database.opened(settings) as db:
        jitter, clock = random.Random(seed).random, QuickClock(begun_at)
        await Worker(db, clock, HANDLERS, SETTINGS, release="harm", jitter=jitter).run(stop)


def become_worker(url: str, seed: int, begun_at: float) -> None:
    """In a process that was forked from this one, which has imported everything. Never returns."""
    run = Runner.run

    async def known(self: Runner, held: Held) -> None:
        _claim.set(held.fence)
        await run(self, held)

    try:
        with suppress(AttributeError):
            ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
        Runner.run = known
        null = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(null, number)
        asyncio.run(work(url, seed, begun_at))
    finally:
        os._exit(0)


@dataclass
class Lab:
    """The server, its workers, and what was done to them."""

    server: Server
    chance: random.Random
    made: Counter[str] = field(default_factory=Counter[str])
    awake: set[int] = field(default_factory=set[int])
    frozen: dict[int, float] = field(default_factory=dict[int, float])
    begun_at: float = field(default_factory=time.time)
    asked: int = 0
    effects: int = 0
    _connection: psycopg.Connection[Any] | None = None

    @property
    def faults(self) -> int:
        return sum(self.made.values())

    def ask(self, sql: str, *params: object, **named: object) -> int:
        """The number the owner is told; asked again until the server is back."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                if self._connection is None:
                    self._connection = self.server.connect(DATABASE)
                cursor = self._connection.execute(sql, params or named or None)
                row = cursor.fetchone() if cursor.description else None
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                self._connection = None
                time.sleep(0.02)
            else:
                return int(row[0]) if row and row[0] is not None else 0

    def begin(self) -> None:
        with self.server.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
        migrate(self.server.url(DATABASE))
        self.ask(INSTALL)
        for _ in range(WORKERS):
            self.start()

    def start(self) -> None:
        seed = self.chance.randrange(1 << 30)
        pid = os.fork()
        if not pid:
            become_worker(self.server.url(DATABASE, LOGIN), seed, self.begun_at)
        self.awake.add(pid)

    def end(self) -> None:
        for pid in (*self.awake, *self.frozen):
            _kill(pid)

    def feed(self) -> None:
        if (left := self.ask(UNFINISHED)) < BACKLOG:
            self.asked += self.ask(FILL, (BACKLOG - left) // len(ASKED) + 1, ASKED)

    def wait_for_progress(self) -> None:
        """Until some effects came about, or a frozen worker is due to be woken."""
        wanted = self.effects + self.chance.randint(*PROGRESS)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.effects < wanted:
            self.thaw()
            self.feed()
            self.effects = self.ask("SELECT max(n) FROM harm.effects")
            if time.monotonic() > deadline:
                raise SystemExit(f"nothing moves after {self.faults} faults: {dict(self.made)}")

    def thaw(self, *, at_once: bool = False) -> None:
        for pid, until in list(self.frozen.items()):
            if at_once or time.monotonic() > until:
                del self.frozen[pid]
                os.kill(pid, signal.SIGCONT)
                self.awake.add(pid)

    def kill(self) -> None:
        pid = self.chance.choice(sorted(self.awake))
        self.awake.discard(pid)
        _kill(pid)
        self.start()

    def freeze(self) -> None:
        """One of the workers, never the last, until its lease is about over or past."""
        if len(self.awake) < 2:
            return self.kill()
        pid = self.chance.choice(sorted(self.awake))
        self.awake.discard(pid)
        os.kill(pid, signal.SIGSTOP)
        self.frozen[pid] = time.monotonic() + SETTINGS.lease_seconds * self.chance.uniform(0.8, 1.6)
        return None

    def cut(self) -> None:
        self.ask(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < %s",
            self.chance.choice((0.3, 1.0)),
        )

    def restart(self) -> None:
        self.server.restart()

    def crash(self) -> None:
        """A killed back end takes the whole server down; it recovers by itself."""
        os.kill(self.ask("SELECT pg_backend_pid()"), signal.SIGKILL)

    def settle(self) -> None:
        """No more harm: whatever can still come to its end does."""
        self.thaw(at_once=True)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.ask(UNFINISHED) and time.monotonic() < deadline:
            time.sleep(0.02)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def harm(server: Server, faults: int, seed: int, say: Callable[[str], None]) -> Sequence[Measure]:
    lab = Lab(server, random.Random(seed))
    hundred = [name for name, number in EACH_HUNDRED.items() for _ in range(number)]
    began = time.monotonic()
    try:
        lab.begin()
        while lab.faults < faults:
            lab.chance.shuffle(hundred)
            for name in hundred[: faults - lab.faults]:
                lab.wait_for_progress()
                getattr(lab, name)()
                lab.made[name] += 1
            say(f"{lab.faults:,} faults in {time.monotonic() - began:,.0f} s")
        lab.settle()
        return list(_told(lab, time.monotonic() - began))
    finally:
        lab.end()


def _told(lab: Lab, seconds: float) -> Sequence[Measure]:
    made = ", ".join(f"{number:,} {name}" for name, number in sorted(lab.made.items()))
    leaves = {"leaf": Leaf.KIND, "fan": Fan.KIND, "leaves": Fan.LEAVES}
    return [
        Measure(f"faults ({made})", lab.faults, ""),
        Measure("tasks", lab.ask("SELECT count(*) FROM tasks"), ""),
        Measure("claims", lab.ask("SELECT sum(claim_seq) FROM tasks"), ""),
        Measure("took", seconds, "s"),
        Measure("stale finishes accepted", lab.ask(STALE, said=SAID), "", 0),
        Measure("tasks lost", lab.ask(LOST, effective=EFFECTIVE, asked=lab.asked), "", 0),
        Measure("effects doubled", lab.ask(DOUBLED, **leaves), "", 0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Random harm to workers and server.")
    parser.add_argument("--faults", type=int, default=10_000, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    asked = parser.parse_args()
    with running_server() as server:
        told = harm(server, asked.faults, asked.seed, lambda line: print(line, file=sys.stderr))
    print_table(told, as_json=asked.json)
    sys.exit(any(measure.holds is False for measure in told))


if __name__ == "__main__":
    main()
