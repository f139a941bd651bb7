"""Tells other processes that something changed: NOTIFY, always after the commit, never inside a transaction.

A NOTIFY inside a transaction makes every commit of the server wait its turn. So a unit only remembers what it
has to tell; after its commit the teller sends it: at once when it has been quiet, else some ms later,
equal messages once. A message is a hint: when the process dies before it is sent, nothing is lost but time,
because every reader also looks by itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import structlog

from schema.errors import Unavailable
from schema.faults import told

log = structlog.get_logger()

Message = tuple[str, str]
"""Channel and payload; PostgreSQL takes payloads below 8,000 bytes."""
TELL = (
    "SELECT pg_notify(channel, payload)"
    " FROM unnest(%(channels)s::text[], %(payloads)s::text[]) AS m (channel, payload)"
)
_PAUSE_SECONDS = 0.005
_MOST_WAITING = 5_000


class Teller:
    """`tell` from the event loop; `send` writes the messages to the server and may fail."""

    def __init__(self, send: Callable[[list[Message]], Awaitable[None]]) -> None:
        self._send = send
        self._waiting: dict[Message, None] = {}
        self._sending: asyncio.Task[None] | None = None

    def tell(self, messages: Iterable[Message]) -> None:
        self._waiting.update(dict.fromkeys(messages))
        while len(self._waiting) > _MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        if self._waiting and (self._sending is None or self._sending.done()):
            self._sending = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Send what waits, so that a command that ends right after its commit is heard."""
        if self._sending is not None:
            await self._sending

    async def _run(self) -> None:
        while self._waiting:
            messages = list(self._waiting)
            self._waiting.clear()
            try:
                await self._send(messages)
            except Unavailable as error:
                log.info("changes could not be told", messages=len(messages), error=told(error))
            await asyncio.sleep(_PAUSE_SECONDS)
