"""Reading a board once to see what a pull would do; nothing of it is written."""

import asyncio
from datetime import datetime

from pipeline.previews.rules import preview_of
from pipeline.previews.types import Preview
from pipeline.sources.registry import ADAPTERS, Place
from pipeline.sources.types import Fetch


async def previewed(place: Place, fetch: Fetch, *, company: str | None, now: datetime) -> Preview:
    """A board that cannot be read is a preview too: its coverage says so."""
    reading = await ADAPTERS[place.platform].read(place.board, fetch)
    return await asyncio.to_thread(preview_of, place, reading, company=company, now=now)
