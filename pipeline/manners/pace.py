"""Taking turns at a host: waits for the next free start within the caller's patience, and says how it went.

A turn is a moment, not a lock: who dies with it loses it, and the next start is where it would have been. A
start that comes late could be too close to the next one, so it is given up for another turn that allows more
lateness: the pace holds on a busy machine and with a far database too.
"""

import asyncio
from datetime import UTC, datetime, timedelta

import structlog

from pipeline.manners import store
from pipeline.manners.rules import MOST_UNDER_WAY, first_slack
from pipeline.manners.types import NEITHER, Turn, Verdict
from pipeline.sources.types import FetchFailed
from schema.db import Database

log = structlog.get_logger()

_LOOK_SECONDS = 0.1
# Long waits look again shortly before their start: meanwhile the host may have asked to be left alone.
_LONG_WAIT_SECONDS = 0.25
_LEAST_SLACK = timedelta(milliseconds=5)
_BUSY_PAUSE = timedelta(seconds=5)


class Pace:
    """The turns of one fetcher. `flight` is how long a request can be under way at most."""

    def __init__(self, db: Database, *, patience: timedelta, flight: timedelta) -> None:
        self._db = db
        self._patience = patience
        self._flight = flight

    async def turn(self, host: str, least: timedelta, *, is_known: bool) -> Turn:
        """Returns at the start that was granted; the request is to be sent at once.

        Raises `FetchFailed("host_blocked")` with the time of the next start when that is too far.
        """
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._patience.total_seconds()
        slack = first_slack(least)
        while True:
            asked_at = loop.time()
            taken = await store.take(
                self._db,
                host,
                least=least,
                is_known=is_known,
                slack=slack,
                flight=self._flight,
                patience=timedelta(seconds=max(0.0, give_up_at - asked_at)),
            )
            if taken is None:
                await self._wait_for_room(host, give_up_at)
                continue
            turn, wait = taken
            if await self._is_in_time(turn, asked_at, wait.total_seconds(), slack):
                return turn
            slack = 2 * max(slack, _LEAST_SLACK)

    async def over(self, turn: Turn, verdict: Verdict) -> None:
        reported = await store.report(self._db, turn, verdict)
        if reported is not None and verdict.outcome == "refused":
            log.info(
                "host refused",
                host=turn.host,
                spacing_seconds=reported.spacing.total_seconds(),
                blocked_until=reported.blocked_until and reported.blocked_until.isoformat(),
            )

    async def _is_in_time(self, turn: Turn, asked_at: float, wait: float, slack: timedelta) -> bool:
        """Sleeps until the start; False, and the turn given back, when it was missed."""
        try:
            started_late = await self._slept(turn.host, asked_at, wait)
        except BaseException:
            await self.over(turn, NEITHER)
            raise
        if not slack or started_late <= slack.total_seconds():
            return True
        await self.over(turn, NEITHER)
        return False

    async def _slept(self, host: str, asked_at: float, wait: float) -> float:
        """Seconds the start is late, at most: the server's moment lies between the asking and its answer."""
        loop = asyncio.get_running_loop()
        start_at = loop.time() + wait
        if wait > _LONG_WAIT_SECONDS:
            await asyncio.sleep(start_at - _LOOK_SECONDS - loop.time())
            standing = await store.standing(self._db, host)
            if standing is not None and standing.is_blocked:
                raise FetchFailed("host_blocked", "it asks to be left alone", until=standing.free_at)
        await asyncio.sleep(start_at - loop.time())
        return loop.time() - asked_at - max(wait, 0.0)

    async def _wait_for_room(self, host: str, give_up_at: float) -> None:
        """Until another try can help. Raises when none can within the patience that is left."""
        standing = await store.standing(self._db, host)
        if standing is None:
            return
        left = give_up_at - asyncio.get_running_loop().time()
        if standing.wait.total_seconds() > left:
            raise FetchFailed("host_blocked", "its turn is too far", until=standing.free_at)
        if standing.under_way >= MOST_UNDER_WAY:
            if left <= 0:
                raise FetchFailed("host_blocked", "others ask it", until=datetime.now(UTC) + _BUSY_PAUSE)
            await asyncio.sleep(min(_LOOK_SECONDS, left))
