"""Taking turns at a host: waits for the next free start within the caller's patience, and says how it went.

A turn is a moment, not a lock: who dies with it loses it, and the next start is where it would have been. A
start that comes late could be too close to the next one, so it is given up for another turn that allows more
lateness: the pace holds on a busy machine and with a far database too. Half of the slack between two turns is
for lateness here, half for what the way to the host adds.
"""

import asyncio
from datetime import datetime, timedelta

import structlog

from pipeline.manners import store
from pipeline.manners.rules import MOST_UNDER_WAY, first_slack
from pipeline.manners.types import NEITHER, Flight, Verdict
from pipeline.sources.types import FetchFailed
from schema.db import Database

log = structlog.get_logger()

_LOOK_SECONDS = 0.1
# Connecting begins so long before the start, and nobody keeps an idle connection for longer without need.
_LEAD_SECONDS = 0.5
# Long waits look again shortly before their start: meanwhile the host may have asked to be left alone.
_LONG_WAIT_SECONDS = 0.25
_LEAST_SLACK = timedelta(milliseconds=5)
_BUSY_PAUSE = timedelta(seconds=5)


class Pace:
    """The turns of one fetcher. `longest` is how long a request can take once it was sent."""

    def __init__(self, db: Database, *, patience: timedelta, longest: timedelta) -> None:
        self._db = db
        self._patience = patience
        self._longest = longest

    async def boarded(self, host: str, least: timedelta, *, is_known: bool) -> "Passage":
        """Returns with room for one more request, when its start is near: it is time to connect.

        Raises `FetchFailed("host_blocked")` with the time of the next start when that is too far.
        """
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._patience.total_seconds()
        while True:
            boarded = await store.board(
                self._db,
                host,
                least=least,
                is_known=is_known,
                flight=2 * self._patience + self._longest,
                patience=timedelta(seconds=max(0.0, give_up_at - loop.time())),
            )
            if boarded is not None:
                break
            await self._wait_for_room(host, give_up_at)
        passage = Passage(self._db, boarded[0], self._patience, first_slack(least))
        try:
            await asyncio.sleep(boarded[1].total_seconds() - _LEAD_SECONDS)
        except BaseException:
            await passage.over(NEITHER)
            raise
        return passage

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
                raise FetchFailed("host_blocked", "others ask it", until=standing.now + _BUSY_PAUSE)
            await asyncio.sleep(min(_LOOK_SECONDS, left))


class Passage:
    """One request on its way: `start` when its connection stands, `over` when it is."""

    def __init__(self, db: Database, flight: Flight, patience: timedelta, slack: timedelta) -> None:
        self._db = db
        self._flight = flight
        self._patience = patience
        self._slack = slack
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Returns at the start that was granted; the request is to be sent at once."""
        loop = asyncio.get_running_loop()
        slack = self._slack
        while True:
            asked_at = loop.time()
            taken = await store.take(self._db, self._flight.host, slack=slack, patience=self._patience)
            if taken is None:
                raise await self._refusal("its turn is too far")
            self._started_at = taken.started_at
            late = await self._slept(taken, asked_at)
            if not slack or late <= slack.total_seconds() / 2:
                return
            slack = 2 * max(slack, _LEAST_SLACK)

    async def over(self, verdict: Verdict) -> None:
        reported = await store.report(self._db, self._flight, self._started_at, verdict)
        if reported is not None and verdict.outcome == "refused":
            log.info(
                "host refused",
                host=self._flight.host,
                spacing_seconds=reported.spacing.total_seconds(),
                blocked_until=reported.blocked_until and reported.blocked_until.isoformat(),
            )

    async def _slept(self, taken: store.Taken, asked_at: float) -> float:
        """Seconds the start is late, at most: the server's moment lies between the asking and its answer."""
        loop = asyncio.get_running_loop()
        wait = taken.wait.total_seconds()
        start_at = loop.time() + wait
        if wait > _LONG_WAIT_SECONDS:
            await asyncio.sleep(start_at - _LOOK_SECONDS - loop.time())
            standing = await store.standing(self._db, self._flight.host)
            if standing and standing.blocked_until and standing.blocked_until > taken.started_at:
                raise await self._refusal("it asks to be left alone")
        await asyncio.sleep(start_at - loop.time())
        return loop.time() - asked_at - wait

    async def _refusal(self, why: str) -> FetchFailed:
        standing = await store.standing(self._db, self._flight.host)
        return FetchFailed("host_blocked", why, until=standing and standing.free_at)
