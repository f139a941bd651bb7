"""A claim costs the same whatever stands beside what it takes: pages looked at, never milliseconds."""

from collections.abc import Callable, Generator
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from fixtures.claimers import KNOWN, Foreign, Hosted
from fixtures.people import FixedClock, insert_account
from fixtures.plans import explained
from fixtures.worker import Echo
from psycopg.conninfo import make_conninfo

from pipeline.worker.claims import store
from pipeline.worker.claims.types import Lane
from pipeline.worker.line import Line

MOST = 20
FEW, MANY = 1_000, 20_000
INSERT = """INSERT INTO tasks
    (account_id, kind, payload, max_attempts, due, not_before, host, status, outcome, finished_at)
  SELECT account.id, %(kind)s, '{}', 3, %(due)s,
    CASE WHEN %(due)s THEN timestamptz '-infinity' ELSE timestamptz '2100-01-01Z' END,
    %(host)s, %(status)s, %(outcome)s::text, CASE WHEN %(outcome)s::text = 'done' THEN now() END
  FROM (SELECT id FROM accounts ORDER BY id LIMIT %(accounts)s) AS account, generate_series(1, %(rows)s)"""
FINISH = """UPDATE tasks SET status = 'done', outcome = 'done', finished_at = now()
  WHERE account_id = %s AND id < %s"""

Put = Callable[..., None]


@pytest.fixture
def put(owner_url: str, empty_database: None) -> Generator[Put]:
    """Inserts rows, split over the first accounts."""
    accounts = 10
    for number in range(accounts):
        insert_account(owner_url, f"p{number}@example.org")
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET synchronous_commit = off")

        def insert(rows: int, *, accounts: int = accounts, **columns: object) -> None:
            row = {
                "kind": Echo.KIND,
                "due": True,
                "host": None,
                "status": "pending",
                "outcome": None,
            } | columns
            connection.execute(INSERT, {**row, "rows": rows // accounts, "accounts": accounts})
            connection.execute("VACUUM (ANALYZE) tasks")

        yield insert


@pytest.fixture
def url(owner_url: str) -> str:
    """Plans as a worker's line does."""
    return make_conninfo(owner_url, options=Line(owner_url)._options)


@pytest.fixture
async def lanes(login_url: str, clock: FixedClock):
    line = Line(login_url)
    yield lambda: store.survey(line, KNOWN, "default", clock.now(), start=0, most=64)
    await line.close()


def cost_of_survey(url: str, clock: FixedClock) -> int:
    return explained(
        url,
        store.SURVEY,
        generic=True,
        kinds=KNOWN,
        egress_group="default",
        now=clock.now(),
        start=0,
        most=64,
    ).blocks


def cost_of_claim(url: str, clock: FixedClock, lanes: list[Lane], afters: list[int] | None = None) -> int:
    return explained(
        url, store.STEP, generic=True, worker=UUID(int=1), longest=timedelta(seconds=5),
        ended_ids=[], ended_seqs=[], outcomes=[], kinds=[lane.kind for lane in lanes],
        priorities=[lane.priority for lane in lanes], lanes=[lane.lane for lane in lanes],
        afters=afters or [lane.head - 1 for lane in lanes], reaches=[MOST * 2] * len(lanes),
        look_at=MOST * 2, most=MOST, lease=timedelta(seconds=15), now=clock.now(),
    ).blocks  # fmt: skip


FRONT: dict[str, dict[str, object]] = {
    "rows whose time has not come": {"due": False},
    "rows of another release's kind": {"kind": Foreign.KIND},
    "rows of a closed host": {"kind": Hosted.KIND, "host": "closed.example.org", "accounts": 1},
    "finished rows": {"status": "done", "outcome": "done"},
}


@pytest.mark.parametrize("columns", FRONT.values(), ids=FRONT)
async def test_rows_that_cannot_be_claimed_cost_nothing(
    put: Put, url: str, owner_url: str, clock: FixedClock, lanes, columns: dict[str, object]
):
    """They stand in front, with lower ids: what is measured first has only the claimable ones."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        put(FEW)
        few = await lanes()
        survey, claim = cost_of_survey(url, clock), cost_of_claim(url, clock, few)
        connection.execute("DELETE FROM tasks")
        connection.execute(
            "INSERT INTO host_budgets (host, egress_group, closed_until)"
            " VALUES ('closed.example.org', 'default', 'infinity')"
        )
    put(MANY, **columns)
    put(FEW)
    found = await lanes()
    assert {(lane.kind, lane.lane) for lane in found} == {(lane.kind, lane.lane) for lane in few}
    assert cost_of_survey(url, clock) <= 2 * survey
    assert cost_of_claim(url, clock, found) <= 2 * claim


async def test_a_hundred_times_the_backlog_costs_no_more_than_twice(
    put: Put, url: str, clock: FixedClock, lanes
):
    put(FEW)
    found = await lanes()
    survey, claim = cost_of_survey(url, clock), cost_of_claim(url, clock, found)
    put(99 * FEW)
    assert cost_of_survey(url, clock) <= 2 * survey
    assert cost_of_claim(url, clock, found) <= 2 * claim


async def test_rows_finished_under_an_old_snapshot_are_not_walked_again(
    put: Put, url: str, owner_url: str, clock: FixedClock, lanes
):
    """They cannot be cleaned up while somebody may still see them; a claim goes on above the last one."""
    put(FEW)
    put(MANY, accounts=1)
    found = await lanes()
    claim = cost_of_claim(url, clock, found)
    with psycopg.connect(owner_url) as reader, psycopg.connect(owner_url, autocommit=True) as writer:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM tasks")
        [(account, last)] = writer.execute(
            "SELECT account_id, max(id) - 100 FROM tasks GROUP BY account_id ORDER BY count(*) DESC LIMIT 1"
        ).fetchall()
        writer.execute(FINISH, (account, last))
        afters = [last if lane.account_id == account else lane.head - 1 for lane in found]
        from_the_start = cost_of_claim(url, clock, found)
        assert cost_of_claim(url, clock, found, afters) <= 2 * claim
        assert from_the_start > 2 * claim, "or the resume point is of no use"
