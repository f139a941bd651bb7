"""Reading a board once to see what a pull would do; nothing of it is written.

Somebody waits: a board of many pages is read for a minute and a half and shown as far as that goes.
"""

import asyncio
import time
from datetime import datetime

from pipeline.previews.rules import preview_of
from pipeline.previews.types import Preview
from pipeline.sources.registry import ADAPTERS, Place
from pipeline.sources.types import Answer, Fetch, FetchFailed, Validators

MOST_SECONDS = 90.0


class _Brief:
    """Satisfies `Fetch`: asks for nothing more once the time is over."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._until: float | None = None

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        if self._until is None:
            self._until = time.monotonic() + MOST_SECONDS
        elif time.monotonic() >= self._until:
            raise FetchFailed("timeout", "a preview reads no longer")
        return await self._fetch(url, json=json, known=known)


async def previewed(place: Place, fetch: Fetch, *, company: str | None, now: datetime) -> Preview:
    """A board that cannot be read is a preview too: its coverage says so."""
    reading = await ADAPTERS[place.platform].read(place.board, _Brief(fetch))
    return await asyncio.to_thread(preview_of, place, reading, company=company, now=now)
