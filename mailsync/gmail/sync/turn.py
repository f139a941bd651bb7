"""One turn: step after step until the mailbox is in step, or something stands in the way. Decides the order.

First the changes, then what leads to mail that is worth most; between two fetches of that, the list of
everything grows by a page. What stands in the way is written down with a code and a time, never waited for.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from mailsync.gmail.answers.rules import GmailTrouble
from mailsync.gmail.consent.client import ConsentFailed
from mailsync.gmail.consent.grants import GrantLost
from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.mailbox import store as mailbox
from mailsync.gmail.mailbox.store import Box
from mailsync.gmail.sync.fetching import fetch_portion
from mailsync.gmail.sync.rules import backoff_seconds, require_reader
from mailsync.gmail.sync.session import Pace, Paused, Session, Surroundings
from mailsync.gmail.sync.steps import history_page, list_page, present_walk, take_baseline
from mailsync.gmail.turns.store import Turn, TurnLost, close_turn, hold, release
from mailsync.gmail.types import AGAIN, HIRING, MailboxState
from mailsync.gmail.walks.rules import Walk, comes_first
from schema.errors import Missing, Refusal, Unavailable
from schema.live import announce

log = structlog.get_logger()
IsOver = Callable[[], bool]


class Steps:
    """What a turn remembers between its steps; everything that must last stands in the database."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._pace = Pace()
        self._next_poll = 0.0
        self._listed_last = False

    async def step(self) -> bool:
        """Do the next thing; False when the mailbox is in step."""
        session = self._session
        found = await session.look()
        if found.phase == "starting":
            await take_baseline(session, found)
            return True
        if time.monotonic() >= self._next_poll and self._may_poll(found):
            if not await history_page(session, found):
                self._next_poll = time.monotonic() + session.settings.poll_seconds
            return True
        return await self._walk_or_fetch(found)

    def _may_poll(self, found: Box) -> bool:
        """Once Gmail did not know a cursor it had just given, it is asked again only hourly."""
        if found.history_refusals < 2 or found.relisted_at is None:  # noqa: PLR2004 - the second time in a row
            return True
        passed = (self._session.around.clock.now() - found.relisted_at).total_seconds()
        return not 0 <= passed < self._session.settings.relist_seconds

    async def _walk_or_fetch(self, found: Box) -> bool:
        walk = present_walk(self._session, found)
        if walk is None:
            return await self._fetch(found, AGAIN) or await self._rest(found)
        if await self._lists_now(found, walk):
            await list_page(self._session, found, walk)
            self._listed_last = True
            return True
        self._listed_last = False
        return await self._fetch(found, HIRING) or True

    async def _lists_now(self, found: Box, walk: Walk) -> bool:
        return comes_first(walk) or not self._listed_last or not await self._any_wanted(found, HIRING)

    async def _fetch(self, found: Box, most_rank: int) -> bool:
        if not await self._any_wanted(found, most_rank):
            return False
        return await fetch_portion(self._session, found, self._pace, most_rank=most_rank)

    async def _any_wanted(self, found: Box, most_rank: int) -> bool:
        async with self._session.around.db.as_account(self._session.turn.account_id) as unit:
            return await ledger.any_wanted(unit, found.mailbox_id, most_rank=most_rank)

    async def _rest(self, found: Box) -> bool:
        """Nothing is left to do at the moment."""
        async with self._session.commit() as unit:
            waits = await ledger.any_wanted(unit, found.mailbox_id)
            news = await mailbox.set_phase(unit, found.mailbox_id, "fetching" if waits else "in_step")
            await mailbox.is_well(unit, found.mailbox_id)
            if news:
                announce(unit, "mail")
        return False


async def run_turn(around: Surroundings, turn: Turn, is_over: IsOver) -> None:
    """Sync one mailbox for as long as there is something to do, then give the turn back."""
    rests: float | None = None
    try:
        rests = await _session(around, turn, is_over)
    except asyncio.CancelledError:
        rests = 0.0
        raise
    except Unavailable:
        raise
    except Refusal as refusal:
        rests = await _troubled(around, turn, refusal.code)
    except Exception:
        rests = await _troubled(around, turn, "program_fault")
        raise
    finally:
        if rests is not None:
            with suppress(Unavailable):
                async with around.db.as_fleet() as unit:
                    await release(unit, turn, seconds=rests)


async def _session(around: Surroundings, turn: Turn, is_over: IsOver) -> float | None:
    try:
        async with Session.opened(around, turn) as session:
            return await _kept(session, is_over)
    except (TurnLost, Missing):
        return 0.0


async def _kept(session: Session, is_over: IsOver) -> float | None:
    """The steps, while the lease is renewed; how long the mailbox rests then, None when the turn is lost."""
    work = asyncio.create_task(_steps(session, is_over))
    lease = asyncio.create_task(session.keep_hold())
    try:
        await asyncio.wait((work, lease), return_when=asyncio.FIRST_COMPLETED)
        return await work if work.done() else None
    finally:
        for task in (work, lease):
            task.cancel()
        await asyncio.gather(work, lease, return_exceptions=True)


async def _steps(session: Session, is_over: IsOver) -> float | None:
    try:
        await session.probe()
        await session.in_thread(require_reader)
        steps = Steps(session)
        while not is_over():
            if not await steps.step():
                return session.settings.poll_seconds
    except TurnLost:
        # Not always somebody else's: a person may want something else walked, and then it is due at once.
        return 0.0
    except (Paused, GrantLost, ConsentFailed, GmailTrouble) as error:
        return await _faced(session, error)
    return 0.0


async def _faced(session: Session, error: Paused | GrantLost | ConsentFailed | GmailTrouble) -> float | None:
    """What stood in the way, written down; how long the mailbox rests."""
    if isinstance(error, Paused):
        return await _paused(session, error)
    if isinstance(error, GrantLost):
        return await _lost(session, "grant_lost", "grant_lost")
    if isinstance(error, ConsentFailed):
        return await _troubled(session.around, session.turn, f"consent_{error.kind}")
    if error.kind == "scope":
        return await _lost(session, "scope_declined", error.code)
    return await _troubled(session.around, session.turn, error.code)


async def _paused(session: Session, pause: Paused) -> float:
    """Rest for as long as Google wants, but look at the grant meanwhile."""
    now = session.around.clock.now()
    async with session.commit() as unit:
        until = None if pause.seconds <= 0 else _later(now, pause.seconds)
        await mailbox.has_trouble(
            unit, session.turn.mailbox_id, pause.code, until=until, now=now, counts=False
        )
        announce(unit, "mail")
    return min(pause.seconds, session.settings.probe_seconds)


async def _lost(session: Session, state: MailboxState, code: str) -> None:
    """Nothing is asked any more until a person connects the mailbox anew; data and cursors stay."""
    async with session.commit() as unit:
        found = await mailbox.box(unit, session.turn.mailbox_id)
        if await mailbox.stand(unit, found, state, code=code, now=session.around.clock.now()):
            async with unit.in_fleet():
                await close_turn(unit, session.who)
        announce(unit, "mail")
    session.around.grants.forget(session.who)
    log.warning("a Gmail mailbox has to be connected anew", mailbox_id=session.turn.mailbox_id, state=state)


async def _troubled(around: Surroundings, turn: Turn, code: str) -> float | None:
    """Passing, as far as anybody knows: rest ever longer, and say so. Who lost the turn says nothing."""
    try:
        return await _rested(around, turn, code)
    except (TurnLost, Missing):
        return None


async def _rested(around: Surroundings, turn: Turn, code: str) -> float:
    now = around.clock.now()
    async with around.db.as_account(turn.account_id) as unit:
        async with unit.in_fleet():
            await hold(unit, turn, lease=around.settings.lease_seconds)
        found = await mailbox.box(unit, turn.mailbox_id)
        seconds = backoff_seconds(found.troubles, around.random())
        await mailbox.has_trouble(
            unit, turn.mailbox_id, code, until=_later(now, seconds), now=now, counts=True
        )
        announce(unit, "mail")
    log.warning("a Gmail mailbox could not be synced", mailbox_id=turn.mailbox_id, code=code)
    return seconds


def _later(now: datetime, seconds: float) -> datetime:
    return now + timedelta(seconds=min(seconds, 86_400.0))
