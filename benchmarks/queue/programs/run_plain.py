"""The plainest queue there is: a table, a SKIP LOCKED loop, no contract. What the others are measured by.

Handlers run inline; no lease, no retry, no heartbeat. Woken by a notification sent with the insert.
"""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import psycopg
from psycopg.types.json import Jsonb
from stopwatch import Stopwatch
from telling import Client, Options, Told, main

KINDS = ["test.nothing.v1"]
TABLE = """
CREATE TABLE plain_tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  dedupe_key text,
  priority smallint NOT NULL DEFAULT 100,
  status text NOT NULL DEFAULT 'pending',
  not_before timestamptz NOT NULL DEFAULT '-infinity',
  host text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX plain_ready ON plain_tasks (priority, id) WHERE status = 'pending';
CREATE UNIQUE INDEX plain_dedupe ON plain_tasks (dedupe_key)
  WHERE dedupe_key IS NOT NULL AND status IN ('pending', 'running');
"""
CLAIM = """WITH taken AS MATERIALIZED (
  SELECT id FROM plain_tasks
  WHERE status = 'pending' AND kind = ANY(%(kinds)s) AND not_before <= now()
    AND (host IS NULL OR host <> ALL(%(closed)s))
  ORDER BY priority, id LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
UPDATE plain_tasks SET status = 'running', started_at = clock_timestamp()
FROM taken WHERE plain_tasks.id = taken.id RETURNING plain_tasks.id, payload"""
FINISH = "UPDATE plain_tasks SET status = 'done', finished_at = clock_timestamp() WHERE id = ANY(%s)"
INSERT = """INSERT INTO plain_tasks (kind, payload, dedupe_key) VALUES (%s, %s, %s)
ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL AND status IN ('pending', 'running') DO NOTHING"""
BULK = """INSERT INTO plain_tasks (kind, payload, dedupe_key)
SELECT %(kind)s, payload, key FROM unnest(%(payloads)s::jsonb[], %(keys)s::text[]) AS row (payload, key)
ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL AND status IN ('pending', 'running') DO NOTHING"""
POLL_SECONDS = 1.0
DRAIN_BATCH = 500


class PlainClient:
    def __init__(self, connection: psycopg.AsyncConnection, *, wakes: bool) -> None:
        self._connection = connection
        self._wakes = wakes

    async def one(self, sent_ns: int) -> None:
        if not self._wakes:
            await self._insert(sent_ns)
            return
        async with self._connection.transaction():
            await self._insert(sent_ns)
            await self._connection.execute("NOTIFY plain")

    async def _insert(self, sent_ns: int) -> None:
        await self._connection.execute(INSERT, (KINDS[0], Jsonb({"sent": sent_ns}), None))

    async def many(self, count: int) -> None:
        key = time.monotonic_ns()
        keys = [f"{key}:{number}" for number in range(count)]
        payloads = [Jsonb({"sent": 0})] * count
        await self._connection.execute(BULK, {"kind": KINDS[0], "payloads": payloads, "keys": keys})


class Plain:
    async def install(self, url: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(TABLE)

    async def work(self, url: str, options: Options, told: Told, stop: asyncio.Event) -> None:
        stopped = threading.Event()
        working = asyncio.create_task(asyncio.to_thread(work, url, int(options["batch"]), told, stopped))
        await stop.wait()
        stopped.set()
        await working

    async def claims(self, url: str, options: Options, go: Callable[[], None]) -> dict[str, float]:
        closed, batch = list(options["closed_hosts"]), int(options["batch"])
        with psycopg.connect(url, autocommit=True, prepare_threshold=0) as connection:
            watch = Stopwatch(connection.info.backend_pid)
            go()
            for _ in range(int(options["drain"]) // DRAIN_BATCH):
                timed_claim(connection, watch, closed, DRAIN_BATCH)
            for rounds in (int(options["warming"]), int(options["rounds"])):
                watch = Stopwatch(connection.info.backend_pid)
                for _ in range(rounds):
                    timed_claim(connection, watch, closed, batch)
        return {"claim_ms": watch.mean_ms()}

    @asynccontextmanager
    async def client(self, url: str, options: Options) -> AsyncGenerator[Client, None]:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=0) as one:
            yield PlainClient(one, wakes=bool(options.get("wakes")))


def work(url: str, batch: int, told: Told, stopped: threading.Event) -> None:
    with psycopg.connect(url, autocommit=True, prepare_threshold=0) as connection:
        connection.execute("LISTEN plain")
        while not stopped.is_set():
            rows = connection.execute(CLAIM, {"kinds": KINDS, "closed": [], "batch": batch}).fetchall()
            for _, payload in rows:
                told.handled(payload["sent"])
            if rows:
                connection.execute(FINISH, ([task_id for task_id, _ in rows],))
            else:
                list(connection.notifies(timeout=POLL_SECONDS, stop_after=1))


def timed_claim(connection: psycopg.Connection, watch: Stopwatch, closed: list[str], batch: int) -> None:
    """What a claim took is finished outside the time."""
    with watch.running():
        asked = {"kinds": KINDS, "closed": closed, "batch": batch}
        rows = connection.execute(CLAIM, asked).fetchall()
    if len(rows) != batch:
        raise SystemExit(f"claimed {len(rows)} of {batch}")
    connection.execute(FINISH, ([task_id for task_id, _ in rows],))


if __name__ == "__main__":
    main(Plain())
