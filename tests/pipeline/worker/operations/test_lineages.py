"""Whatever operators and workers do to lineages: never two runs at a time, never one after a good one."""

from dataclasses import dataclass, field
from typing import Literal

import psycopg
from fixtures.queue_rows import BY, KIND, KINDS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.worker.operations import rules, store
from pipeline.worker.operations.archive import archive
from pipeline.worker.operations.cancel import cancel
from pipeline.worker.operations.refusals import TaskRefused
from pipeline.worker.operations.replay import replay
from pipeline.worker.operations.types import Source
from schema.db import Database
from schema.ids import TaskId

Act = Literal["ask", "replay", "force", "done", "failed", "cancel", "archive"]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(("ask", "replay", "force", "failed", "failed", "done", "cancel", "archive")),
        st.integers(0, 5),
    ),
    min_size=12,
    max_size=30,
)
END = (
    "UPDATE tasks SET status = %(to)s, finished_at = now(),"
    " outcome = CASE WHEN %(to)s = 'done' THEN 'done' END,"
    " failure_code = CASE WHEN %(to)s = 'failed' THEN 'handler_error' END"
    " WHERE id = %(id)s AND status = 'pending'"
)
OFFENCES = """
WITH run AS (SELECT id, coalesce(root_id, id) AS root, status FROM tasks)
SELECT root, array_agg(id || ' ' || status ORDER BY id) FROM run GROUP BY root
HAVING count(*) FILTER (WHERE status IN ('pending', 'done')) > 1
  OR max(id) > min(id) FILTER (WHERE status = 'done')
UNION ALL
SELECT lineage, ARRAY['half archived'] FROM task_archive WHERE lineage IN (SELECT root FROM run)"""


@dataclass
class Queue:
    """A few lineages, and the acts on them by number."""

    database: Database
    owner: psycopg.AsyncConnection
    asked: list[TaskId] = field(default_factory=list)
    replayed: int = 0
    refused: int = 0

    async def act(self, act: Act, number: int) -> None:
        if act == "ask" or not self.asked:
            self.asked.append(await self._ask(number))
            return
        target = self.asked[-1 - number % len(self.asked)]
        match act:
            case "replay" | "force":
                await self._again(act, target)
            case "done" | "failed":
                await self.owner.execute(END, {"to": act, "id": target})
            case "cancel" | "archive":
                await self._close(act, target)

    async def _ask(self, number: int) -> TaskId:
        key = f"k{number}" if number < 2 else None
        cursor = await self.owner.execute(
            "INSERT INTO tasks (kind, payload, max_attempts, dedupe_key, status, failure_code, finished_at)"
            " VALUES (%s, '{}', 3, %s, 'failed', 'handler_error', now()) RETURNING id",
            (KIND, key),
        )
        row = await cursor.fetchone()
        assert row
        return TaskId(row[0])

    async def _again(self, act: Act, target: TaskId) -> None:
        """`force` leaves every check out: then the schema alone decides."""
        try:
            async with self.database.as_fleet() as unit:
                if act == "replay":
                    new: TaskId | None = await replay(unit, target, kinds=KINDS, **BY)
                else:
                    new = await store.insert_replay(unit, _source(target), rules.signed("ben", "by force"))
        except TaskRefused:
            new = None
        if new is None:
            self.refused += 1
            return
        self.replayed += 1
        self.asked.append(new)

    async def _close(self, act: Act, target: TaskId) -> None:
        try:
            async with self.database.as_fleet() as unit:
                await (cancel if act == "cancel" else archive)(unit, target, **BY)
        except TaskRefused:
            self.refused += 1

    async def offences(self) -> list[tuple[object, ...]]:
        cursor = await self.owner.execute(OFFENCES)
        return await cursor.fetchall()


def _source(task_id: TaskId) -> Source:
    return Source(id=task_id, account_id=None, kind=KIND, status="failed", root_id=task_id, dedupe_key=None)


tried = {"replayed": 0, "refused": 0}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
async def test_no_order_of_acts_makes_a_second_run_or_one_after_a_good_one(
    database: Database, owner_url: str, acts: list[tuple[Act, int]]
):
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as owner:
        await owner.execute("DELETE FROM tasks")
        await owner.execute("DELETE FROM task_archive")
        queue = Queue(database, owner)
        for act, number in acts:
            await queue.act(act, number)
            assert not await queue.offences()
    tried["replayed"] += queue.replayed
    tried["refused"] += queue.refused


def test_the_acts_above_met_replays_and_refusals():
    assert tried["replayed"] > 20
    assert tried["refused"] > 20
