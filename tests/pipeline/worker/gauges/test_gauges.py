"""The queue's gauges against rows of every state: exact numbers, closed labels, gaps, not old numbers."""

import asyncio
from datetime import timedelta

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.worker import Tasks, until
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from pipeline.worker.gauges import loop
from pipeline.worker.gauges.loop import Gauges
from schema.db import Database

KINDS = ("test.echo.v1", "test.slow.v1")
STATES = {"pending", "running", "parked", "failed"}
ROW = (
    "INSERT INTO tasks (account_id, kind, payload, max_attempts, created_at, {})"
    " VALUES (NULL, %s, '{{}}', 5, %s, {})"
)
PENDING = ROW.format("due, not_before", "true, %s")
SCHEDULED = ROW.format("due, not_before", "false, %s")
RUNNING = ROW.format(
    "status, worker, claim_seq, started_at, lease_expires_at, progress, progress_at",
    "'running', gen_random_uuid(), 1, now() - interval '10 min', now() + %s, '{}', now() - %s",
)
PARKED = ROW.format("status", "%s")
FAILED = ROW.format("status, failure_code, finished_at", "'failed', 'handler_error', now()")
DONE = ROW.format("status, outcome, finished_at", "'done', 'done', now()")


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def gauges(database: Database, clock: FixedClock, registry: CollectorRegistry) -> Gauges:
    return Gauges(database, clock, KINDS, registry)


def samples(registry: CollectorRegistry) -> dict[tuple[str, str], float]:
    """(name without prefix, label's value) to the number."""
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {
        (sample.name.removeprefix("jobtrail_worker_"), "".join(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


async def test_an_empty_queue_shows_every_registered_kind_at_zero(
    gauges: Gauges, registry: CollectorRegistry
):
    await gauges.ask()
    found = samples(registry)
    assert set(found.values()) == {0}
    names = {name for name, _ in found}
    assert names == {
        "gauges_stale", "unsupported", "pending", "scheduled", "running", "parked", "failed",
        "oldest_due_age_seconds", "oldest_progress_age_seconds",
    }  # fmt: skip
    assert {label for name, label in found if name == "unsupported"} == STATES
    for name in names - {"gauges_stale", "unsupported"}:
        assert {label for other, label in found if other == name} == set(KINDS)


async def test_each_task_is_counted_where_it_stands(
    gauges: Gauges, registry: CollectorRegistry, tasks: Tasks, clock: FixedClock
):
    now = clock.now()
    echo, slow = KINDS
    await tasks.fetch(PENDING, echo, now - timedelta(hours=1), now - timedelta(seconds=40))
    await tasks.fetch(PENDING, echo, now - timedelta(seconds=90), "-infinity")
    await tasks.fetch(SCHEDULED, echo, now - timedelta(hours=1), now + timedelta(hours=1))
    await tasks.fetch(SCHEDULED, slow, now - timedelta(hours=1), now - timedelta(seconds=30))
    for silent in (20, 300):
        await tasks.fetch(RUNNING, slow, now, timedelta(minutes=1), timedelta(seconds=silent))
    await tasks.fetch(PARKED, echo, now, "waiting")
    await tasks.fetch(PARKED, echo, now, "awaiting_batch")
    await tasks.fetch(FAILED, slow, now)
    await tasks.fetch(DONE, slow, now)
    await gauges.ask()
    found = samples(registry)
    assert found.pop(("oldest_progress_age_seconds", slow)) == pytest.approx(300, abs=30)
    assert {key: value for key, value in found.items() if value} == {
        ("pending", echo): 2,
        ("oldest_due_age_seconds", echo): 90,
        ("scheduled", echo): 1,
        ("pending", slow): 1,  # its time has come, though the sweep has not been here yet
        ("oldest_due_age_seconds", slow): 30,
        ("running", slow): 2,
        ("parked", echo): 2,
        ("failed", slow): 1,
    }


async def test_an_expired_lease_is_work_that_waits(
    gauges: Gauges, registry: CollectorRegistry, tasks: Tasks, clock: FixedClock
):
    await tasks.fetch(RUNNING, KINDS[0], clock.now(), timedelta(seconds=-75), timedelta(0))
    await gauges.ask()
    assert samples(registry)["oldest_due_age_seconds", KINDS[0]] == pytest.approx(75, abs=30)


async def test_kinds_of_another_release_are_counted_without_their_names(
    gauges: Gauges, registry: CollectorRegistry, tasks: Tasks, clock: FixedClock
):
    now = clock.now()
    for number in range(3):
        await tasks.fetch(PENDING, f"canary{number}.match.v9", now, now)
    await tasks.fetch(SCHEDULED, "canary.match.v9", now, now + timedelta(hours=1))
    await tasks.fetch(RUNNING, "canary.match.v9", now, timedelta(minutes=1), timedelta(0))
    await tasks.fetch(PARKED, "canary.match.v9", now, "waiting")
    await tasks.fetch(FAILED, "canary.match.v9", now)
    await gauges.ask()
    found = samples(registry)
    assert {state: found["unsupported", state] for state in STATES} == {
        "pending": 4, "running": 1, "parked": 1, "failed": 1,
    }  # fmt: skip
    assert b"canary" not in generate_latest(registry)


async def test_an_unknown_kind_is_told_once_for_each_change(gauges: Gauges, tasks: Tasks, clock: FixedClock):
    async def logged() -> list[tuple[str, int | None]]:
        with capture_logs() as logs:
            await gauges.ask()
        return [(line["log_level"], line.get("tasks")) for line in logs]

    assert await logged() == []
    await tasks.fetch(PENDING, "mail.match.v9", clock.now(), clock.now())
    assert await logged() == [("error", 1)]
    assert await logged() == []
    await tasks.fetch(PENDING, "mail.match.v9", clock.now(), clock.now())
    assert await logged() == [("error", 2)]
    await tasks.fetch("DELETE FROM tasks")
    assert await logged() == [("warning", None)]
    assert await logged() == []


async def test_gauges_vanish_while_the_queue_cannot_be_counted_and_come_back(
    gauges: Gauges, registry: CollectorRegistry, tasks: Tasks
):
    assert samples(registry) == {("gauges_stale", ""): 1}
    await gauges.ask()
    await tasks.fetch("ALTER TABLE tasks RENAME TO elsewhere")
    try:
        with capture_logs() as logs:
            await gauges.ask()
            await gauges.ask()
    finally:
        await tasks.fetch("ALTER TABLE elsewhere RENAME TO tasks")
    assert samples(registry) == {("gauges_stale", ""): 1}
    assert [line["log_level"] for line in logs] == ["warning"]
    await gauges.ask()
    assert samples(registry)["gauges_stale", ""] == 0
    assert ("pending", KINDS[0]) in samples(registry)


async def test_an_answer_nobody_renewed_is_withdrawn_by_its_age(
    gauges: Gauges, registry: CollectorRegistry, monkeypatch: pytest.MonkeyPatch
):
    await gauges.ask()
    monkeypatch.setattr(loop, "OLDEST_SECONDS", 0.0)
    assert samples(registry) == {("gauges_stale", ""): 1}


async def test_a_lock_on_the_queue_does_not_hold_the_count_for_long(
    gauges: Gauges, registry: CollectorRegistry, owner_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(loop, "LONGEST_SECONDS", 0.2)
    async with await psycopg.AsyncConnection.connect(owner_url) as blocker:
        await blocker.execute("LOCK tasks")
        await gauges.ask()
        assert samples(registry) == {("gauges_stale", ""): 1}
    await gauges.ask()
    assert samples(registry)["gauges_stale", ""] == 0


async def test_the_loop_keeps_the_numbers_fresh(
    database: Database, clock: FixedClock, registry: CollectorRegistry, tasks: Tasks
):
    gauges = Gauges(database, clock, KINDS, registry, every_seconds=0.02)

    async def shows(number: int) -> bool | None:
        return samples(registry).get(("pending", KINDS[0])) == number or None

    running = asyncio.create_task(gauges.run())
    try:
        await until(lambda: shows(0), 5, "the first answer")
        await tasks.fetch(PENDING, KINDS[0], clock.now(), clock.now())
        await until(lambda: shows(1), 5, "a new one")
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
