"""The queue and its workers in words: standing still, which release should run, who waits for what."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec
import pytest

from backend.http.words import TASK_EVENTS
from backend.operations.rules import (
    TaskLooks,
    sentence,
    verdicts,
    what_it_does,
    why_failed,
    works_on,
)
from pipeline.worker.operations.fleet.store import Member, RunningTask, WorkerLine, WorkerState
from schema.failures import FAILURES
from schema.ids import TaskId
from schema.tasks import CATALOGUE

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ALIVE = WorkerLine(
    id=UUID(int=1),
    name="box-1",
    release="0.2.0",
    digest="",
    egress_group="default",
    kinds=[],
    slots=4,
    started_at=NOW,
    last_seen_at=NOW,
    stopped_at=None,
    state="alive",
)


def worker(
    name: str = "box-1", release: str = "0.2.0", state: WorkerState = "alive", digest: str = ""
) -> Member:
    line = msgspec.structs.replace(ALIVE, name=name, release=release, state=state, digest=digest)
    return Member(worker=line, tasks=[])


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([], ["bad: No worker is alive. What is asked for is kept until one starts: run `jobtrail worker`."]),
        (
            [worker(state="silent"), worker(state="stopped")],
            ["bad: No worker is alive. What is asked for is kept until one starts: run `jobtrail worker`."],
        ),
        ([worker()], ["good: One worker is alive and runs 0.2.0, the release of this server."]),
        (
            [worker(), worker("box-2"), worker("old", "0.1.0", "stopped")],
            ["good: All 2 workers alive run 0.2.0, the release of this server."],
        ),
        (
            [worker(), worker("box-2", "0.1.0")],
            ["warn: box-2 runs release 0.1.0; this server is 0.2.0. Start it again with 0.2.0."],
        ),
        (
            [worker(digest="sha256:a"), worker("box-2", digest="sha256:b"), worker("box-3")],
            ["warn: Release 0.2.0 runs from 2 different images; one is not what was rolled out."],
        ),
    ],
)
def test_the_fleet_is_judged_by_the_release_of_this_server(members: list[Member], said: list[str]):
    assert [f"{each.tone}: {each.text}" for each in verdicts(members, "0.2.0")] == said


@pytest.mark.parametrize(
    ("started", "moved", "since"),
    [(10, None, None), (90, None, 90), (900, 30, None), (900, 60, 60), (90, 300, 90), (None, None, None)],
)
def test_a_task_stands_still_when_nothing_moved_for_a_minute(
    started: int | None, moved: int | None, since: int | None
):
    def ago(seconds: int | None) -> datetime | None:
        return None if seconds is None else NOW - timedelta(seconds=seconds)

    task = RunningTask(
        worker=None,
        id=TaskId(1),
        account_id=None,
        kind="test.echo.v1",
        attempts=1,
        started_at=ago(started),
        progress_at=ago(moved),
    )
    assert TaskLooks(now=NOW).still_since(task) == ago(since)


def test_every_kind_says_what_it_does_in_one_sentence():
    for kind in CATALOGUE:
        if not kind.startswith("test."):
            assert (what_it_does(kind) or "").endswith("."), kind
    assert what_it_does("foreign.kind.v7") is None


def test_codes_are_told_by_the_registers_own_sentence():
    assert why_failed("lease_expired") == FAILURES["lease_expired"]
    assert why_failed("of_another_release") == "This release does not know that code."


def test_ids_of_the_payload_are_named_and_nothing_else():
    assert works_on('{"import_id": 5, "posting_batch_id": 7, "word": "secret"}') == [
        "import 5",
        "posting batch 7",
    ]


def test_a_refusal_reads_as_a_sentence():
    assert sentence("task 3 is done already") == "Task 3 is done already."


def test_every_event_of_the_log_has_its_phrase(owner_url: str):
    import re

    import psycopg

    with psycopg.connect(owner_url) as connection:
        row = connection.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'task_events_event_check'"
        ).fetchone()
    assert row
    assert set(re.findall(r"'(\w+)'::text", row[0])) == set(TASK_EVENTS)
