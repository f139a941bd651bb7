"""Reading a board once to see what a pull would do; nothing of it is written.

Somebody waits: a board of many pages is read for a minute and a half and shown as far as that goes.
"""

import asyncio
import time
from datetime import datetime

import msgspec

from pipeline.previews.rules import preview_of
from pipeline.previews.types import Preview
from pipeline.sources.find import PageUnread, board_behind
from pipeline.sources.registry import ADAPTERS, NotABoard, Place, PlatformForbidsReading
from pipeline.sources.types import Answer, Evidence, Fetch, FetchFailed, PullProblem, Validators

MOST_SECONDS = 90.0


class _Brief:
    """Satisfies `Fetch`: asks for nothing more once the time is over."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._until: float | None = None
        self.is_over = False

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        if self._until is None:
            self._until = time.monotonic() + MOST_SECONDS
        elif time.monotonic() >= self._until:
            self.is_over = True
            raise FetchFailed("timeout", "a preview reads no longer")
        return await self._fetch(url, json=json, known=known)


async def looked_at(
    asked: Place, fetch: Fetch, *, company: str | None, now: datetime
) -> tuple[Place, Preview]:
    """The board behind `asked`, which may be a page that shows it, and what a pull of it would do."""
    try:
        place = await board_behind(asked, fetch, now)
    except PageUnread as refusal:
        return asked, _without_board(refusal.detail, refusal.problem)
    except PlatformForbidsReading as refusal:
        return asked, _without_board(refusal.detail, "policy_forbid")
    except NotABoard as refusal:
        return asked, _without_board(refusal.detail, None)
    return place, await previewed(place, fetch, company=company, now=now)


def _without_board(refusal: str, problem: PullProblem | None) -> Preview:
    evidence = Evidence(problem=problem)
    return Preview(coverage="failed", evidence=evidence, listings=0, admitted=0, refusal=refusal)


async def previewed(place: Place, fetch: Fetch, *, company: str | None, now: datetime) -> Preview:
    """A board that cannot be read is a preview too: its coverage says so."""
    brief = _Brief(fetch)
    reading = await ADAPTERS[place.platform].read(place.board, brief)
    is_cut = brief.is_over and bool(reading.listings)
    if is_cut:
        # Its host is without fault: nothing was asked of it any more.
        evidence = msgspec.structs.replace(reading.evidence, problem=None, status=None)
        reading = msgspec.structs.replace(reading, evidence=evidence)
    found = await asyncio.to_thread(preview_of, place, reading, company=company, now=now)
    return msgspec.structs.replace(found, is_cut=is_cut)
