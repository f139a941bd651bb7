"""pgqueuer as its documentation sets it up: asyncpg, uvloop as its own command runs it, one connection."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg
import uvloop
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.qm import QueueManager
from pgqueuer.queries import Queries
from telling import Client, Options, Told, main

ENTRYPOINT = "nothing"


class PgqueuerClient:
    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def one(self, sent_ns: int) -> None:
        await self._queries.enqueue(ENTRYPOINT, str(sent_ns).encode(), 0)

    async def many(self, count: int) -> None:
        await self._queries.enqueue([ENTRYPOINT] * count, [b"0"] * count, [0] * count)


class Pgqueuer:
    async def install(self, url: str) -> None:
        connection = await asyncpg.connect(url)
        await Queries.from_asyncpg_connection(connection).install()
        await connection.close()

    async def work(self, url: str, options: Options, told: Told, stop: asyncio.Event) -> None:
        connection = await asyncpg.connect(url)
        manager = QueueManager(Queries(AsyncpgDriver(connection)))

        @manager.entrypoint(ENTRYPOINT)
        async def nothing(job: Job) -> None:
            told.handled(int(job.payload or 0))

        async def stop_manager() -> None:
            await stop.wait()
            manager.shutdown.set()

        stopping = asyncio.create_task(stop_manager())
        await manager.run(batch_size=int(options["batch"]))
        await stopping
        await connection.close()

    @asynccontextmanager
    async def client(self, url: str, options: Options) -> AsyncGenerator[Client, None]:
        del options
        connection = await asyncpg.connect(url)
        yield PgqueuerClient(Queries.from_asyncpg_connection(connection))
        await connection.close()


if __name__ == "__main__":
    main(Pgqueuer(), uvloop.run)
