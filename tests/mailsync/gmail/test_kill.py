"""A daemon killed at each place where it commits, or is about to: the next one ends in the same state."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from fixtures.hatchery import Child, Hatchery
from fixtures.mail_daemon import Options, places
from fixtures.mailroom import Mailroom, job_mail, other_mail
from fixtures.worker import until
from msgspec.structs import replace

from schema.settings import DatabaseSettings

pytestmark = pytest.mark.process
FIRST = [point for point in places() if not point.startswith(("gap", "history"))]
LATER = [
    point
    for point in places()
    if point.startswith(("history", "fetch", "turn", "lease")) and "begun, not committed" not in point
]
GAP = [point for point in places() if point.startswith("gap")]


class Daemons:
    """Starts daemons, and leaves none behind."""

    def __init__(self, room: Mailroom, hatchery: Hatchery, url: str, home: Path) -> None:
        self._room = room
        self._hatchery = hatchery
        self._home = home
        gmail = replace(room.settings, lease_seconds=4.0)
        self._plain = Options(url=url, home=str(home), log="", gmail=gmail)
        self.children: list[Child] = []

    def start(self, **changed: object) -> Child:
        log = self._home / f"daemon{len(self.children)}.log"
        log.touch()
        child = self._hatchery.start(replace(self._plain, log=str(log), **changed))
        self.children.append(child)
        return child

    async def dies_at(self, point: str, passed: int = 1) -> None:
        child = self.start(points={point: passed})
        assert await child.ended(30, f"{point} was passed") == -signal.SIGKILL, child.last_words()
        # As if the lease had run out meanwhile: waiting for it would show nothing more.
        self._room.rows("UPDATE gmail_turns SET lease_until = now() WHERE holder IS NOT NULL RETURNING 1")

    async def in_step(self, count: int, seconds: float = 30) -> None:
        """Until every id is read and nobody is at it."""
        sql = (
            "SELECT count(*) FILTER (WHERE g.state NOT IN ('wanted', 'gone')), count(*) FILTER (WHERE"
            " g.state = 'wanted'), bool_and(m.phase = 'in_step') FROM gmail_messages g"
            " JOIN gmail_mailboxes m USING (account_id, mailbox_id)"
        )

        async def is_so() -> bool | None:
            return await asyncio.to_thread(self._room.rows, sql) == [(count, 0, True)] or None

        words = "\n".join(child.last_words() for child in self.children)
        await until(is_so, seconds, f"in step: {self._room.rows(sql)}\n{words}")

    async def reached(self, sql: str) -> None:
        async def is_so() -> bool | None:
            return await asyncio.to_thread(self._room.rows, f"SELECT {sql}") == [(True,)] or None

        await until(is_so, 20, sql)

    async def end(self) -> None:
        for child in self.children:
            child.kill()
        for child in self.children:
            await child.ended()


@pytest.fixture
async def daemons(
    mailroom: Mailroom, mail_hatchery: Hatchery, database_settings: DatabaseSettings, tmp_path: Path
) -> AsyncGenerator[Daemons, None]:
    made = Daemons(mailroom, mail_hatchery, database_settings.url, tmp_path)
    yield made
    await made.end()


def at_most_one_portion_twice(room: Mailroom) -> None:
    """Only what was in flight when the process was killed may have been sent a second time."""
    twice = room.fetched_twice()
    assert len(twice) <= room.settings.batch_size
    assert set(twice.values()) <= {2}


def complete(room: Mailroom) -> None:
    at_most_one_portion_twice(room)
    room.control.forget_calls()
    present = {
        key for key, labels in room.control.mailbox().items() if not {"DRAFT", "SPAM", "TRASH"} & set(labels)
    }
    known = room.ledger()
    assert {key for key, state in known.items() if state in {"stored", "not_kept"}} >= present
    kept = [row[0] for row in room.rows("SELECT subject FROM messages ORDER BY subject")]
    assert len(kept) == len(set(kept))
    assert room.rows("SELECT count(*) FROM readings GROUP BY message_id HAVING count(*) > 1") == []


@pytest.mark.parametrize("point", FIRST)
async def test_the_first_sync_survives_a_kill(mailroom: Mailroom, daemons: Daemons, point: str):
    mailroom.deliver(14)
    mailroom.deliver(10, other_mail)
    await mailroom.connect()
    passed = 2 if point.startswith(("list", "fetch")) else 1
    await daemons.dies_at(point, passed)
    daemons.start()
    await daemons.in_step(24)
    complete(mailroom)
    assert mailroom.rows("SELECT count(*) FROM messages") == [(14,)]


@pytest.mark.parametrize("point", LATER)
async def test_an_incremental_sync_survives_a_kill(mailroom: Mailroom, daemons: Daemons, point: str):
    mailroom.deliver(6)
    await mailroom.connect()
    await mailroom.sync()
    old = list(mailroom.control.mailbox())
    mailroom.deliver(9, first=6)
    mailroom.control.delete(old[0])
    mailroom.rows("UPDATE gmail_turns SET due_at = now() RETURNING 1")
    await daemons.dies_at(point)
    daemons.start()
    await daemons.in_step(14)
    complete(mailroom)


@pytest.mark.parametrize("point", GAP)
async def test_a_gap_in_the_history_survives_a_kill(mailroom: Mailroom, daemons: Daemons, point: str):
    mailroom.deliver(6)
    await mailroom.connect()
    await mailroom.sync()
    old = list(mailroom.control.mailbox())
    mailroom.deliver(7, first=6)
    mailroom.control.delete(old[0])
    mailroom.control.expire_history()
    mailroom.rows("UPDATE gmail_turns SET due_at = now() RETURNING 1")
    await daemons.dies_at(point)
    daemons.start()
    await daemons.in_step(12)
    complete(mailroom)
    assert mailroom.rows("SELECT filled_at IS NOT NULL FROM gmail_gaps") == [(True,)]


async def test_two_daemons_on_machines_whose_clocks_disagree_read_each_message_once(
    mailroom: Mailroom, daemons: Daemons
):
    mailroom.deliver(60)
    await mailroom.connect()
    for hours in (-30.0, 30.0):
        daemons.start(hours_off=hours)
    await daemons.in_step(60)
    mailroom.deliver(5, job_mail, 60)
    await daemons.in_step(65)
    mailroom.is_complete()


async def test_a_mailbox_goes_to_another_daemon_when_its_own_dies(mailroom: Mailroom, daemons: Daemons):
    mailroom.deliver(40)
    await mailroom.connect()
    first = daemons.start()
    await daemons.reached("count(*) >= 8 FROM messages")
    daemons.start()
    first.kill()
    await daemons.in_step(40)
    complete(mailroom)
