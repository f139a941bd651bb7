"""Leases live as long as their worker beats; what cannot be kept is told lost, in time and once."""

import threading
import time
from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest
from fixtures.queue_rows import Rows
from fixtures.worker import Tasks, until
from msgspec.structs import replace

from pipeline.worker.claims.types import Fence
from pipeline.worker.heartbeat import Heartbeat
from pipeline.worker.store import WorkerRow
from schema.settings import DatabaseSettings

ME, OTHER = UUID(int=1), UUID(int=2)
LEASE = 30.0
ROW = WorkerRow(
    id=ME, name="here:1", release="test", digest="", egress_group="default", kinds=["test.echo.v1"], slots=4
)


@pytest.fixture
def lost() -> list[Fence]:
    return []


@pytest.fixture
def heartbeat(database_settings: DatabaseSettings, lost: list[Fence]) -> Iterator[Heartbeat]:
    made = Heartbeat(database_settings, ROW, LEASE, lost.append)
    yield made
    made._disconnect()


async def running(rows: Rows, **columns: object) -> Fence:
    held = {"worker": ME, "claim_seq": 3} | columns
    return Fence(await rows.insert("running", **held), ME, 3)


async def seconds_left(tasks: Tasks, fence: Fence) -> float:
    rows = await tasks.fetch(
        "SELECT extract(epoch FROM lease_expires_at - clock_timestamp())::float FROM tasks WHERE id = %s",
        fence.id,
    )
    return rows[0][0]


async def test_a_beat_renews_what_is_held_and_shows_the_worker(
    heartbeat: Heartbeat, rows: Rows, tasks: Tasks, lost: list[Fence]
):
    held, dropped = await running(rows), await running(rows)
    heartbeat.hold([held, dropped], time.monotonic())
    heartbeat.drop(dropped)
    assert heartbeat._beat()
    assert LEASE - 5 < await seconds_left(tasks, held) <= LEASE
    assert await seconds_left(tasks, dropped) > 1e6, "left as it was"
    assert await tasks.fetch("SELECT id, name, stopped_at FROM workers") == [(ME, "here:1", None)]
    assert lost == []


async def test_what_is_not_this_workers_any_more_is_told_lost_once(
    heartbeat: Heartbeat, rows: Rows, tasks: Tasks, lost: list[Fence]
):
    gone = [
        await running(rows, claim_seq=4),
        await running(rows, worker=OTHER),
        await running(rows, lease_expires_at="2001-01-01Z"),
        Fence(await rows.insert("cancelled"), ME, 3),
    ]
    held = await running(rows)
    heartbeat.hold([*gone, held], time.monotonic())
    heartbeat._beat()
    heartbeat._beat()
    assert lost == gone
    assert heartbeat.held_ids == [held.id]


async def test_a_row_somebody_holds_keeps_no_other_from_being_renewed(
    heartbeat: Heartbeat, rows: Rows, tasks: Tasks, owner_url: str, lost: list[Fence]
):
    locked, free = await running(rows), await running(rows)
    heartbeat.hold([locked, free], time.monotonic())
    with psycopg.connect(owner_url) as holder:
        holder.execute("SELECT FROM tasks WHERE id = %s FOR UPDATE", (locked.id,))
        began = time.monotonic()
        assert heartbeat._beat()
        assert time.monotonic() - began < 1
    assert await seconds_left(tasks, free) <= LEASE
    assert lost == []
    heartbeat._beat()
    assert await seconds_left(tasks, locked) <= LEASE


def test_a_lease_that_may_be_over_is_told_lost_without_asking_the_server(
    heartbeat: Heartbeat, lost: list[Fence]
):
    old, young = Fence(1, ME, 3), Fence(2, ME, 3)
    heartbeat.hold([old], time.monotonic() - LEASE)
    heartbeat.hold([young], time.monotonic() - LEASE / 2)
    heartbeat.lose_overdue()
    heartbeat.lose_overdue()
    assert (lost, heartbeat.held_ids) == ([old], [young.id])


def test_nothing_is_started_on_less_than_a_third_of_its_lease(heartbeat: Heartbeat):
    fence = Fence(1, ME, 3)
    assert not heartbeat.is_safe(fence), "it does not hold it"
    heartbeat.hold([fence], time.monotonic() - LEASE / 2)
    assert heartbeat.is_safe(fence)
    assert not heartbeat.is_safe(Fence(1, ME, 2))
    heartbeat.hold([fence], time.monotonic() - LEASE * 0.7)
    assert not heartbeat.is_safe(fence)


def test_a_newer_claim_of_the_same_task_ends_the_older_one(heartbeat: Heartbeat, lost: list[Fence]):
    older, newer = Fence(1, ME, 3), Fence(1, ME, 4)
    heartbeat.hold([older], time.monotonic())
    heartbeat.hold([newer], time.monotonic())
    heartbeat.drop(older)
    assert (lost, heartbeat.held_ids) == ([older], [1])


async def test_a_server_that_is_away_costs_no_lease_before_its_time(
    database_settings: DatabaseSettings, lost: list[Fence]
):
    away = replace(database_settings, url="postgresql://jobtrail@/none?host=/nonexistent")
    heartbeat = Heartbeat(away, ROW, LEASE, lost.append)
    heartbeat.hold([Fence(1, ME, 3)], time.monotonic())
    assert not heartbeat._beat()
    assert (lost, heartbeat.held_ids) == ([], [1])


async def test_no_fault_in_one_beat_ends_the_others(
    database_settings: DatabaseSettings, empty_database: None, monkeypatch: pytest.MonkeyPatch
):
    faults = iter([RuntimeError("a fault"), OSError("no more files"), ValueError("another")])
    beats: list[threading.Thread] = []
    real = Heartbeat._renew

    def faulty(self: Heartbeat, held: list[Fence]) -> dict[int, bool]:
        if fault := next(faults, None):
            raise fault
        beats.append(threading.current_thread())
        return real(self, held)

    monkeypatch.setattr(Heartbeat, "_renew", faulty)
    heartbeat = Heartbeat(database_settings, ROW, 0.3, lambda _: None)
    heartbeat.start()

    async def beaten():
        return beats or None

    try:
        await until(beaten, 5, "it beats again")
    finally:
        heartbeat.stop()
