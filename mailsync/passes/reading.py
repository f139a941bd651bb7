"""One pass: batches that are read outside any transaction and then each committed as a whole, or not at all.

A batch commits its readings, the version that read each message, and the work for the matcher. A message
about which somebody else decided meanwhile is left for the next round. So a pass that is killed anywhere and
started again ends where one that ran through ends, and with nothing to do it reads nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from mailsync.archive.store import own_addresses
from mailsync.classify.rules import classify
from mailsync.classify.store import append, hold_messages
from mailsync.messages.kept import StoredMessage, message_of
from mailsync.messages.store import mark_examined
from mailsync.messages.types import Examined
from mailsync.passes import store
from mailsync.passes.rules import Before, Summary, Verdict, Wanted, verdict
from mailsync.passes.turn.store import hold, release, take
from schema.clock import Clock
from schema.db import Database, Unit
from schema.ids import AccountId, MessageId
from schema.live import announce
from schema.queue import enqueue
from schema.tasks import MatchAccount

BATCH = 50
"""Messages in one transaction: read well within the lease even where each takes its longest."""
PAGE = 20_000
"""Ids looked up at a time."""

Report = Callable[[int, int], Awaitable[None]]


async def read_again(
    database: Database, clock: Clock, account_id: AccountId, wanted: Wanted, name: str, report: Report
) -> Summary:
    """One pass over an account, called `name` to whoever finds the turn taken. Raises `HeldElsewhere`.

    A dry pass needs no turn: it writes nothing.
    """
    this = _Pass(database, clock, account_id, wanted, report)
    if wanted.is_dry:
        return await this.run()
    async with this.turn(name):
        return await this.run()


@dataclass
class _Pass:
    database: Database
    clock: Clock
    account_id: AccountId
    wanted: Wanted
    report: Report
    holder: UUID = field(default_factory=uuid4)
    done: Summary = field(default_factory=Summary)
    total: int = 0
    own: frozenset[str] = frozenset()
    has_appended: bool = False

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncGenerator[None, None]:
        async with self.database.as_account(self.account_id) as unit:
            await take(unit, self.holder, name)
        try:
            yield
        finally:
            async with self.database.as_account(self.account_id) as unit:
                await release(unit, self.holder)

    async def run(self) -> Summary:
        """Rounds over what waits: one, or as many as leave less behind than there was."""
        async with self.database.as_account(self.account_id) as unit:
            self.own = await own_addresses(unit)
        left = await self._left()
        while left and not self._is_full():
            before, self.total = left, self.done.examined + left
            await self._round()
            left = await self._left()
            if not self.wanted.until_done or self.wanted.is_dry or left >= before:
                break
        await self._ask_for_a_match()
        return await self._summary(left)

    async def _round(self) -> None:
        before: MessageId | None = None
        while not self._is_full():
            async with self.database.as_account(self.account_id) as unit:
                page = await store.waiting(
                    unit, self.wanted.version, recheck=self.wanted.recheck, before=before, limit=PAGE
                )
            if not page:
                return
            before = page[-1]
            while page and not self._is_full():
                batch, page = page[: self._room()], page[self._room() :]
                await self._batch(batch)

    async def _batch(self, message_ids: Sequence[MessageId]) -> None:
        async with self.database.as_account(self.account_id) as unit:
            rows = await store.stored(unit, message_ids)
            before = await store.standing(unit, message_ids)
        verdicts = await asyncio.to_thread(verdicts_of, rows, before, self.wanted, self.own)
        if not self.wanted.is_dry:
            async with self.database.as_account(self.account_id) as unit:
                verdicts = await self._commit(unit, verdicts)
        self.done = self.done.with_batch(verdicts)
        await self.report(self.done.examined, self.total)

    async def _commit(self, unit: Unit, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Those that still stand: what was said meanwhile counts."""
        await hold(unit, self.holder)
        ids = [each.message_id for each in verdicts]
        held = frozenset(await hold_messages(unit, ids))
        now_seen = await store.standing(unit, ids)
        touched = await store.touched_by_person(unit, ids)
        standing = [
            # What a person had a say in stays whole.
            each.kept_whole() if each.message_id in touched else each
            for each in verdicts
            if each.message_id in held and now_seen[each.message_id].reading_id == each.seen_id
        ]
        readings = {each.message_id: said for each in standing if (said := each.kept_reading) is not None}
        await append(unit, readings, now=self.clock.now(), asking=self.wanted.with_model)
        await mark_examined(unit, [_examined(each, self.wanted.version) for each in standing])
        if readings:
            self.has_appended = True
            await _ask_for_a_match(unit)
            announce(unit, "mail")
        return standing

    async def _ask_for_a_match(self) -> None:
        """Once more behind the last batch: a match that began meanwhile may have passed its messages."""
        if self.has_appended:
            async with self.database.as_account(self.account_id) as unit:
                await _ask_for_a_match(unit)

    async def _left(self) -> int:
        async with self.database.as_account(self.account_id) as unit:
            return await store.waiting_count(unit, self.wanted.version, recheck=self.wanted.recheck)

    async def _summary(self, left: int) -> Summary:
        async with self.database.as_account(self.account_id) as unit:
            still_open = await store.open_count(unit)
        return Summary(
            examined=self.done.examined,
            decided=self.done.decided,
            changed=self.done.changed,
            dropped=self.done.dropped,
            left=left,
            still_open=still_open,
        )

    def _room(self) -> int:
        most = self.wanted.most
        return BATCH if most is None else min(BATCH, most - self.done.examined)

    def _is_full(self) -> bool:
        return self.wanted.most is not None and self.done.examined >= self.wanted.most


def verdicts_of(
    rows: Sequence[StoredMessage],
    before: dict[MessageId, Before],
    wanted: Wanted,
    own: frozenset[str],
) -> list[Verdict]:
    found: list[Verdict] = []
    for row in rows:
        message = message_of(row)
        # What was not kept for its own sake is read by rules alone: what it says alone is not the question.
        reader = wanted.reader if row.kept_because is None else classify
        found.append(verdict(row.id, message, before[row.id], reader(message, own)))
    return found


def _examined(each: Verdict, version: int) -> Examined:
    return Examined(
        id=each.message_id,
        examined_version=version,
        from_owner=each.is_own,
        dropped_reason=each.dropped_reason,
    )


async def _ask_for_a_match(unit: Unit) -> None:
    if not await store.a_match_waits(unit, MatchAccount.KIND):
        await enqueue(unit, MatchAccount())
