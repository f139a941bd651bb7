"""What finding lanes and claiming from them reads when a million finished and 100,000 due rows stand around.

Planned for its parameters and for any, with the server's own settings and with those of a worker's line.
"""

from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from fixtures.backlog import KINDS, NOW
from fixtures.plans import Plan, explained
from psycopg.conninfo import make_conninfo

from pipeline.worker.claims import store
from pipeline.worker.line import Line
from schema.query import Query

MOST = 20
LANES = """SELECT kind, priority, lane, min(id) - 1 FROM tasks
  WHERE status = 'pending' AND due AND kind = ANY(%s) GROUP BY kind, priority, lane ORDER BY lane, kind"""


@pytest.fixture(params=["custom", "generic"])
def is_generic(request: pytest.FixtureRequest) -> bool:
    return request.param == "generic"


@pytest.fixture(params=["server", "line"])
def url(request: pytest.FixtureRequest, backlog_url: str) -> str:
    if request.param == "server":
        return backlog_url
    return make_conninfo(backlog_url, options=Line(backlog_url)._options)


@pytest.fixture(scope="module")
def lanes(backlog_url: str) -> list[tuple[str, int, int, int]]:
    with psycopg.connect(backlog_url) as connection:
        return connection.execute(LANES, [KINDS]).fetchall()  # pyright: ignore


def read(url: str, statement: Query, *, is_generic: bool, **params: object) -> Plan:
    plan = explained(url, statement, generic=is_generic, **params)
    print(statement.name, plan)
    assert "tasks" not in plan.whole_reads, str(plan)
    return plan


def test_a_survey_reads_the_first_row_of_each_lane(url: str, lanes, is_generic: bool):
    plan = read(
        url,
        store.SURVEY,
        is_generic=is_generic,
        kinds=KINDS,
        egress_group="default",
        now=NOW,
        start=0,
        most=64,
    )
    levels = len({(kind, priority) for kind, priority, _, _ in lanes})
    assert plan.most_sorted() == 0, str(plan)
    assert plan.read("tasks") <= len(lanes) + 2 * levels, str(plan)
    assert plan.indexes() <= {"tasks_ready", "host_budgets_pkey"}, str(plan)


def test_a_claim_reads_and_sorts_what_it_looks_at(url: str, lanes, is_generic: bool):
    asked = lanes[:10]
    ended = list(range(1, MOST + 1))
    plan = read(
        url, store.STEP, is_generic=is_generic, worker=UUID(int=1), longest=timedelta(seconds=5),
        ended_ids=ended, ended_seqs=[1] * MOST, outcomes=["done"] * MOST,
        kinds=[lane[0] for lane in asked], priorities=[lane[1] for lane in asked],
        lanes=[lane[2] for lane in asked], afters=[lane[3] for lane in asked], reaches=[MOST * 2] * 10,
        look_at=MOST * 2, most=MOST, lease=timedelta(seconds=15), now=NOW,
    )  # fmt: skip
    picked = len(asked) * MOST * 2
    assert plan.most_sorted() <= picked, str(plan)
    # the ended ones, those picked, each of those locked and each of those written
    assert plan.read("tasks") <= MOST + picked + MOST * 2 + MOST, str(plan)
    assert plan.indexes() <= {"tasks_ready", "tasks_pkey"}, str(plan)


def test_a_claim_of_the_last_rows_of_a_lane_reads_none_of_the_others(url: str, lanes, is_generic: bool):
    kind, priority, lane, _ = lanes[0]
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT max(id) - 1 FROM tasks WHERE status = 'pending' AND due AND kind = %s AND priority = %s"
            " AND lane = %s",
            (kind, priority, lane),
        ).fetchone()
    assert row
    plan = read(
        url, store.STEP, is_generic=is_generic, worker=UUID(int=1), longest=timedelta(seconds=5),
        ended_ids=[], ended_seqs=[], outcomes=[], kinds=[kind], priorities=[priority], lanes=[lane],
        afters=[row[0]], reaches=[2], look_at=2, most=1, lease=timedelta(seconds=15), now=NOW,
    )  # fmt: skip
    assert plan.read("tasks") <= 3, str(plan)


@pytest.mark.parametrize("name", ["USAGE", "ADOPT"])
def test_what_runs_is_found_without_the_rest(url: str, is_generic: bool, name: str):
    more: dict[str, dict[str, object]] = {
        "USAGE": {"scopes": ["account 1", "host host1.example.org"]},
        "ADOPT": {"worker": UUID(int=1), "known": [], "lease": timedelta(seconds=15)},
    }
    plan = read(url, getattr(store, name), is_generic=is_generic, **more[name])
    assert plan.most_sorted() <= 400, str(plan)
    assert plan.read("tasks") <= 2 * 400, str(plan)
