"""One turn at one mailbox: its fence, its quota, its token, its threads. No decisions about mail here.

Everything that is committed goes through `commit`, which holds the turn first. Everything asked of Gmail goes
through `ask`, which pays before and outside any unit. Waiting that takes longer ends the turn instead.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec

from mailsync.gmail.answers.rules import DAY_PAUSE, GmailTrouble
from mailsync.gmail.client import GmailClient
from mailsync.gmail.consent.grants import Grants
from mailsync.gmail.mailbox.store import Box, box
from mailsync.gmail.quota import store as quota
from mailsync.gmail.quota.store import Bucket
from mailsync.gmail.turns.store import Turn, TurnLost, close_turn, hold
from mailsync.gmail.types import Who
from schema.clock import Clock
from schema.db import Database, Unit
from schema.settings import GmailSettings

THREADS = 4
_LONGEST_WAIT_SECONDS = 20.0
_PROMPT_SECONDS = 0.01
ResultT = TypeVar("ResultT")


class Paused(Exception):
    """Nothing can be asked of Google for a while; the turn ends and comes again."""

    def __init__(self, code: str, seconds: float) -> None:
        super().__init__(code)
        self.code = code
        self.seconds = seconds


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What all sessions of a process share."""

    db: Database
    clock: Clock
    settings: GmailSettings
    grants: Grants
    queries: list[str]
    make_client: Callable[[], GmailClient]
    random: Callable[[], float] = random.Random().random  # noqa: S311 - spreads retries, guards nothing


class Session:
    def __init__(self, around: Surroundings, turn: Turn, found: Box, buckets: list[Bucket]) -> None:
        self.around = around
        self.turn = turn
        self.batch = around.settings.batch_size
        self.tokens_refused = 0
        self.replays = 0
        self.client = around.make_client()
        self._found = found
        self._buckets = buckets
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="gmail")

    @classmethod
    @asynccontextmanager
    async def opened(cls, around: Surroundings, turn: Turn) -> AsyncGenerator["Session", None]:
        """Raises `TurnLost` when there is nothing to sync."""
        async with around.db.as_account(turn.account_id) as unit:
            found = await box(unit, turn.mailbox_id)
            if found.state != "connected":
                # Woken while somebody disconnected it.
                async with unit.in_fleet():
                    await close_turn(unit, turn.who)
        if found.state != "connected":
            raise TurnLost
        client = await around.grants.require_client()
        settings = around.settings
        buckets = quota.buckets(
            client.client_id,
            found.address,
            user_minute=settings.user_units_minute,
            project_minute=settings.project_units_minute,
        )
        async with around.db.as_fleet() as unit:
            await quota.make(unit, buckets)
            refusals = await quota.recent_refusals(unit, buckets[0])
        session = cls(around, turn, found, buckets)
        session.batch = max(1, settings.batch_size >> refusals)
        session.client.require_a_way()
        try:
            yield session
        finally:
            session.close()

    @property
    def who(self) -> Who:
        return self.turn.who

    @property
    def settings(self) -> GmailSettings:
        return self.around.settings

    @asynccontextmanager
    async def commit(self) -> AsyncGenerator[Unit, None]:
        """A unit of the account in which the turn is held until its end. Raises `TurnLost`."""
        async with self.around.db.as_account(self.turn.account_id) as unit:
            async with unit.in_fleet():
                await hold(unit, self.turn, lease=self.settings.lease_seconds)
            yield unit

    async def look(self) -> Box:
        """The mailbox as it stands. Raises `TurnLost` when it is not to be synced any more."""
        async with self.around.db.as_account(self.turn.account_id) as unit:
            self._found = await box(unit, self.turn.mailbox_id)
        if self._found.state != "connected":
            raise TurnLost
        return self._found

    async def keep_hold(self) -> None:
        """Renew the lease again and again, for as long as something takes. Raises `TurnLost`."""
        while True:
            await asyncio.sleep(self.settings.lease_seconds / 3)
            async with self.around.db.as_fleet() as unit:
                await hold(unit, self.turn, lease=self.settings.lease_seconds)

    async def probe(self) -> None:
        """Ask for a new token when the grant was not seen working for long. Raises `GrantLost`."""
        now = self.around.clock.now()
        checked = self._found.grant_checked_at
        is_old = checked is None or abs((now - checked).total_seconds()) >= self.settings.probe_seconds
        await self.around.grants.access_token(self.who, self._found, anew=is_old)

    async def spend(self, units: float) -> None:
        """Pay, waiting for it when that is short. Raises `Paused`."""
        while True:
            async with self.around.db.as_fleet() as unit:
                wait = await quota.take(unit, self._buckets, units)
            if wait <= 0:
                return
            if wait > _LONGEST_WAIT_SECONDS:
                raise Paused("quota_exhausted", wait)
            await asyncio.sleep(wait + _PROMPT_SECONDS)

    async def ask(self, units: float, question: Callable[[str], ResultT]) -> ResultT:
        """The answer to `question`, which runs in a thread and gets the token.

        Raises `GmailTrouble`, or `Paused` when Google refused for its rate.
        """
        await self.spend(units)
        return await self.send(question)

    async def send(self, question: Callable[[str], ResultT]) -> ResultT:
        """The same for what is paid for already. A token that is refused is made anew once."""
        try:
            return await self._with_token(question, anew=False)
        except GmailTrouble as error:
            if error.kind == "token":
                return await self._with_token(question, anew=True)
            if error.kind in {"rate", "day"}:
                await self.slow_down(error)
            raise

    async def renew_token(self) -> None:
        """Raises `GrantLost` when Google gives none any more."""
        await self.around.grants.access_token(self.who, self._found, anew=True)

    async def _with_token(self, question: Callable[[str], ResultT], *, anew: bool) -> ResultT:
        token = await self.around.grants.access_token(self.who, self._found, anew=anew)
        return await self.in_thread(question, token)

    async def slow_down(self, error: GmailTrouble) -> None:
        """Close a bucket for as long as Google asks; portions are smaller for a while. Raises `Paused`."""
        daily = error.kind == "day"
        after = error.after or (DAY_PAUSE if daily else None)
        jitter = self.around.random()
        bucket = self._buckets[1] if daily else self._buckets[0]
        async with self.around.db.as_fleet() as unit:
            asked = None if after is None else after.total_seconds()
            wait = await quota.refused(unit, bucket, asked=asked, jitter=jitter)
        raise Paused(error.code, wait)

    async def in_thread(self, call: Callable[..., ResultT], *arguments: object) -> ResultT:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)

    def close(self) -> None:
        # A thread that still waits for Google ends by its own time-out; nobody hears of it any more.
        self._threads.shutdown(wait=False, cancel_futures=True)
        self.client.close()


class Pace:
    """Messages a minute over the last minute; None until that says something."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, int]] = []

    def add(self, count: int) -> float | None:
        now = time.monotonic()
        self._marks = [mark for mark in self._marks if mark[0] > now - 60.0]
        self._marks.append((now, count))
        first = self._marks[0][0]
        if now - first < 5.0:  # noqa: PLR2004 - seconds
            return None
        # What the first mark counts was done before it.
        done = sum(each for _, each in self._marks[1:])
        return done / (now - first) * 60.0 if done else None
