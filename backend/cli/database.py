"""Opens the database for one command: the running one, or one started for as long as the command takes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec.structs import replace

from backend.processes.database import usable_database
from schema import logs
from schema.db import Database
from schema.migrate import require_current
from schema.settings import Settings, load

ResultT = TypeVar("ResultT")
Act = Callable[[Database, Settings], Awaitable[ResultT]]


def on_database(doing: str, act: Act[ResultT]) -> ResultT:
    """What `act` answers; `doing` is how the command is called, for whoever finds the installation held."""
    settings = load()
    quiet = "warning" if settings.log.level == "info" else settings.log.level
    logs.configure(replace(settings.log, level=quiet))
    with usable_database(settings, doing) as usable:
        require_current(usable.database.url)
        return asyncio.run(_acted(usable, act))


async def _acted(settings: Settings, act: Act[ResultT]) -> ResultT:
    async with Database.opened(settings.database) as database:
        return await act(database, settings)
