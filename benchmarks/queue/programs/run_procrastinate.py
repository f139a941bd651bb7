"""procrastinate as its documentation sets it up: the psycopg connector with its own pool."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from procrastinate import App, PsycopgConnector
from procrastinate.tasks import Task
from telling import Client, Options, Told, main


class ProcrastinateClient:
    def __init__(self, task: Task) -> None:
        self._task = task

    async def one(self, sent_ns: int) -> None:
        await self._task.defer_async(sent=sent_ns)

    async def many(self, count: int) -> None:
        await self._task.batch_defer_async(*({"sent": 0} for _ in range(count)))


class Procrastinate:
    async def install(self, url: str) -> None:
        app, _ = made(url, Told())
        async with app.open_async():
            await app.schema_manager.apply_schema_async()

    async def work(self, url: str, options: Options, told: Told, stop: asyncio.Event) -> None:
        app, _ = made(url, told)
        concurrency = int(options["concurrency"])
        async with app.open_async():
            working = asyncio.create_task(
                app.run_worker_async(concurrency=concurrency, install_signal_handlers=False)
            )
            await stop.wait()
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    @asynccontextmanager
    async def client(self, url: str, options: Options) -> AsyncGenerator[Client, None]:
        del options
        app, task = made(url, Told())
        async with app.open_async():
            yield ProcrastinateClient(task)


def made(url: str, told: Told) -> tuple[App, Task]:
    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    app = App(connector=PsycopgConnector(conninfo=url))

    @app.task(name="nothing")
    async def nothing(sent: int) -> None:
        told.handled(sent)

    return app, nothing


if __name__ == "__main__":
    main(Procrastinate())
