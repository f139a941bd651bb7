"""What counting the queue reads beside a million finished rows: all unfinished or failed ones, by index."""

import pytest
from fixtures.backlog import APART, DUE, FAILED, KINDS, NOW, RUNNING, SCHEDULED
from fixtures.plans import explained

from pipeline.worker.gauges import store


@pytest.mark.parametrize("generic", [False, True])
def test_counting_reads_each_unfinished_row_once_and_no_finished_one(backlog_url: str, generic: bool):
    plan = explained(
        backlog_url, store.BACKLOG, generic=generic, prelude=store.MODESTLY, kinds=KINDS, now=NOW
    )
    assert not plan.whole_reads, str(plan)
    assert plan.most_sorted() <= 100, str(plan)
    assert plan.read("tasks") == DUE + SCHEDULED + RUNNING + APART + FAILED, str(plan)
    assert plan.indexes() == {
        "tasks_ready",
        "tasks_scheduled",
        "tasks_leases",
        "tasks_apart",
        "tasks_failed",
    }, str(plan)
