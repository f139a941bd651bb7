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
from pipeline.manners.moments import Moments
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
_LOOKS_LEFT = 50
_STILL_WAITING = timedelta(seconds=0.5)
_BUSY_PAUSE = timedelta(seconds=5)


class Pace:
    """The turns of one fetcher. `longest` is how long a request can take once it was sent."""

    def __init__(self, db: Database, *, patience: timedelta, longest: timedelta) -> None:
        self.db = db
        self.patience = patience
        self.moments = Moments()
        self._longest = longest
        self._needed_slack = timedelta()

    async def boarded(self, host: str, least: timedelta, *, is_known: bool) -> "Passage":
        """Returns with room for one more request, when its start is near: it is time to connect.

        Raises `FetchFailed("host_blocked")` with the time of the next start when that is too far.
        """
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self.patience.total_seconds()
        is_waiting = False
        while True:
            asked_at = loop.time()
            boarded = await store.board(
                self.db,
                host,
                least=least,
                is_known=is_known,
                flight=2 * self.patience + self._longest,
                patience=timedelta(seconds=max(0.0, give_up_at - asked_at)),
                is_waiting=is_waiting,
            )
            if boarded is not None:
                break
            await self._wait_for_room(host, give_up_at)
            is_waiting = True
        self.moments.learn(boarded.now, asked_at, loop.time())
        passage = Passage(self, Flight(host=host, ends=boarded.ends), first_slack(least))
        try:
            await asyncio.sleep(self.moments.latest(boarded.free_at) - _LEAD_SECONDS - loop.time())
        except BaseException:
            await passage.over(NEITHER)
            raise
        return passage

    def slack(self, first: timedelta) -> timedelta:
        """What the next turn allows: more than `first` while that was missed lately."""
        return max(first, self._needed_slack) if first else first

    def learn(self, slack: timedelta, *, is_missed: bool) -> None:
        self._needed_slack = 2 * max(slack, _LEAST_SLACK) if is_missed else self._needed_slack * 0.9

    async def _wait_for_room(self, host: str, give_up_at: float) -> None:
        """Until another try can help. Raises when none can within the patience that is left."""
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        standing = await store.wait(self.db, host, _STILL_WAITING)
        if standing is None:
            return
        self.moments.learn(standing.now, asked_at, loop.time())
        if self.moments.earliest(standing.free_at) > give_up_at:
            raise FetchFailed("host_blocked", "its turn is too far", until=standing.free_at)
        if standing.under_way >= MOST_UNDER_WAY:
            left = give_up_at - loop.time()
            if left <= 0:
                raise FetchFailed("host_blocked", "others ask it", until=standing.now + _BUSY_PAUSE)
            # Who has waited longer looks more often, and is served before others.
            await asyncio.sleep(min(_LOOK_SECONDS, left / _LOOKS_LEFT))


class Passage:
    """One request on its way: `start` when its connection stands, `over` when it is."""

    def __init__(self, pace: Pace, flight: Flight, first_slack: timedelta) -> None:
        self._pace = pace
        self._flight = flight
        self._first_slack = first_slack
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Returns at the start that was granted; the request is to be sent at once."""
        missed: store.Taken | None = None
        while True:
            slack = self._pace.slack(self._first_slack)
            taken = await self._taken(slack, missed)
            self._started_at = taken.started_at
            await self._slept(taken)
            late = asyncio.get_running_loop().time() - self._pace.moments.earliest(taken.started_at)
            is_missed = bool(slack) and late > slack.total_seconds() / 2
            self._pace.learn(slack, is_missed=is_missed)
            if not is_missed:
                return
            missed = taken

    async def over(self, verdict: Verdict) -> None:
        reported = await store.report(self._pace.db, self._flight, self._started_at, verdict)
        if reported is not None and verdict.outcome == "refused":
            log.info(
                "host refused",
                host=self._flight.host,
                spacing_seconds=reported.spacing.total_seconds(),
                blocked_until=reported.blocked_until and reported.blocked_until.isoformat(),
            )

    async def _taken(self, slack: timedelta, missed: store.Taken | None) -> store.Taken:
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        taken = await store.take(
            self._pace.db, self._flight.host, slack=slack, patience=self._pace.patience, missed=missed
        )
        if taken is None:
            raise await self._refusal("its turn is too far")
        self._pace.moments.learn(taken.now, asked_at, loop.time())
        return taken

    async def _slept(self, taken: store.Taken) -> None:
        loop = asyncio.get_running_loop()
        if self._pace.moments.latest(taken.started_at) - loop.time() > _LONG_WAIT_SECONDS:
            await asyncio.sleep(self._pace.moments.latest(taken.started_at) - _LOOK_SECONDS - loop.time())
            asked_at = loop.time()
            standing = await store.standing(self._pace.db, self._flight.host)
            if standing is not None:
                self._pace.moments.learn(standing.now, asked_at, loop.time())
                if standing.blocked_until is not None and standing.blocked_until > taken.started_at:
                    raise await self._refusal("it asks to be left alone")
        await asyncio.sleep(self._pace.moments.latest(taken.started_at) - loop.time())

    async def _refusal(self, why: str) -> FetchFailed:
        standing = await store.standing(self._pace.db, self._flight.host)
        return FetchFailed("host_blocked", why, until=standing and standing.free_at)
