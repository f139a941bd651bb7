"""What the operator's pages read when a million finished rows and 100,000 due ones stand around."""

import pytest
from fixtures.backlog import APART, KINDS, RUNNING
from fixtures.plans import explained

from backend.operations.store import KIND_COUNTS, MOST, OPEN_KINDS
from schema.requests import UNDER_WAY


@pytest.mark.parametrize("generic", [False, True])
def test_counting_reads_no_more_than_it_may_tell_of_each_kind(backlog_url: str, generic: bool):
    plan = explained(backlog_url, KIND_COUNTS, generic=generic, kinds=KINDS, most=MOST)
    assert "tasks" not in plan.whole_reads, str(plan)
    assert plan.most_sorted() <= len(KINDS), str(plan)
    assert plan.read("tasks") <= len(KINDS) * (3 * (MOST + 1) + RUNNING + APART + 1), str(plan)


@pytest.mark.parametrize("generic", [False, True])
def test_open_kinds_are_found_by_steps_from_kind_to_kind(backlog_url: str, generic: bool):
    plan = explained(backlog_url, OPEN_KINDS, generic=generic)
    assert "tasks" not in plan.whole_reads, str(plan)
    assert plan.read("tasks") <= RUNNING + 4 * (len(KINDS) + 3), str(plan)


@pytest.mark.parametrize("generic", [False, True])
def test_work_under_way_is_found_by_its_key(backlog_url: str, generic: bool):
    plan = explained(backlog_url, UNDER_WAY, generic=generic, keys=[f"source:{n}" for n in range(40)])
    assert plan.indexes() == {"tasks_dedupe"}, str(plan)
    assert plan.read("tasks") == 0, str(plan)
