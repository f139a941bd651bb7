"""What the queue's own statements read when a million finished rows and 100,000 due ones stand around.

Each is planned twice: for its parameters, and for any, as the server may plan a prepared statement.
"""

from collections.abc import Callable

import psycopg
import pytest
from fixtures.backlog import KINDS, NOW, RUNNING
from fixtures.plans import Plan, explained

from pipeline.worker.upkeep import store
from pipeline.worker.upkeep.rules import KEPT

CUTOFF = NOW - KEPT
Explain = Callable[..., Plan]


@pytest.fixture(params=["custom", "generic"])
def explain(request: pytest.FixtureRequest, backlog_url: str) -> Explain:
    def made(statement, **params) -> Plan:
        plan = explained(backlog_url, statement, generic=request.param == "generic", **params)
        assert "tasks" not in plan.whole_reads, str(plan)
        print(statement.name, plan)
        return plan

    return made


def ids(backlog_url: str, condition: str, limit: int) -> list[int]:
    with psycopg.connect(backlog_url) as connection:
        query = f"SELECT id, claim_seq, worker FROM tasks WHERE {condition} ORDER BY id LIMIT {limit}"
        return [row[0] for row in connection.execute(query).fetchall()]  # pyright: ignore


def test_lost_tasks_are_found_by_their_leases(explain: Explain):
    plan = explain(store.LOST, passed_over=[], at_once=100)
    assert plan.most_sorted() == 0, str(plan)
    assert plan.read("tasks") <= 100, str(plan)


def test_taking_back_reads_the_rows_it_takes(explain: Explain, backlog_url: str):
    lost = ids(backlog_url, "status = 'running' AND lease_expires_at < now()", 100)
    plan = explain(
        store.TAKE_BACK,
        ids=lost,
        claim_seqs=[1] * 100,
        failed=[False] * 100,
        not_before=[None] * 100,
    )
    assert plan.most_sorted() == 0, str(plan)
    assert plan.read("tasks") <= RUNNING, str(plan)


def test_promoting_reads_what_it_promotes(explain: Explain):
    plan = explain(store.PROMOTE, prelude=store.IN_ORDER, kinds=KINDS, now=NOW, at_once=1_000)
    assert plan.most_sorted() <= len(KINDS) * 1_000, str(plan)
    assert plan.read("tasks") <= (len(KINDS) + 2) * 1_000, str(plan)


def test_the_next_due_row_is_the_head_of_each_kind(explain: Explain):
    plan = explain(store.NEXT_DUE, kinds=KINDS)
    assert plan.most_sorted() == 0, str(plan)
    assert plan.read("tasks") <= len(KINDS), str(plan)


def test_retention_reads_a_stretch_of_the_primary_key(explain: Explain):
    plan = explain(store.STRETCH, after=500_000, cutoff=CUTOFF)
    assert plan.most_sorted() == 0, str(plan)
    assert plan.read("tasks") == 1_000, str(plan)


def test_forgetting_reads_the_rows_it_forgets_and_what_could_need_them(explain: Explain, backlog_url: str):
    plan = explain(store.FORGET, ids=ids(backlog_url, "status = 'done'", 100), cutoff=CUTOFF)
    assert plan.most_sorted() <= 100, str(plan)
    assert plan.read("tasks") <= 200, str(plan)


def test_forgetting_workers_reads_running_tasks_only(explain: Explain):
    plan = explain(store.FORGET_WORKERS)
    assert plan.read("tasks") <= RUNNING, str(plan)
