"""The tasks table says its own state machine: impossible rows are refused, each by a named rule."""

import itertools

import psycopg
import pytest

NOW = "now()"
LEASE = {"worker": "gen_random_uuid()", "lease_expires_at": NOW}
CLAIMED = {"claim_seq": "1", "attempts": "1", "started_at": NOW}
STATES: dict[str, dict[str, str]] = {
    "pending": {},
    "running": {**LEASE, **CLAIMED},
    "waiting": CLAIMED,
    "awaiting_batch": CLAIMED,
    "done": {**CLAIMED, "finished_at": NOW, "outcome": "'ok'"},
    "failed": {**CLAIMED, "finished_at": NOW, "failure_code": "'handler_error'"},
    "cancelled": {"finished_at": NOW},
}
MARKS: dict[str, dict[str, str]] = {
    "a lease": LEASE,
    "an outcome": {"outcome": "'ok'"},
    "a failure code": {"failure_code": "'handler_error'"},
    "an end": {"finished_at": NOW},
}
BELONGS = {
    "a lease": {"running"},
    "an outcome": {"done"},
    "a failure code": {"failed"},
    "an end": {"done", "failed", "cancelled"},
}
MISSHAPEN = {
    "kind without version": {"kind": "'mail.import'"},
    "kind in capitals": {"kind": "'Mail.Import.v1'"},
    "payload that is a list": {"payload": "'[]'"},
    "negative attempts": {"attempts": "-1"},
    "no attempts allowed": {"max_attempts": "0"},
    "negative claim number": {"claim_seq": "-1"},
    "empty dedupe key": {"dedupe_key": "''"},
    "priority out of range": {"priority": "1001"},
    "unknown status": {"status": "'sleeping'"},
    "outcome in prose": {**STATES["done"], "status": "'done'", "outcome": "'All good!'"},
    "failure in prose": {**STATES["failed"], "status": "'failed'", "failure_code": "'It broke'"},
    "progress that is a number": {"progress": "'5'", "progress_at": NOW},
    "progress without its time": {"progress": "'{}'"},
    "half a replay": {"actor": "'ada'", "reason": "'again'"},
    "running but never claimed": {"status": "'running'", **LEASE},
}


@pytest.fixture
def connection(owner_url: str, empty_database: None):
    with psycopg.connect(owner_url, autocommit=True) as opened:
        yield opened


def insert(connection: psycopg.Connection, **columns: str) -> None:
    row = {"kind": "'mail.import.v1'", "payload": "'{}'", "max_attempts": "3"} | columns
    names, values = ", ".join(row), ", ".join(row.values())
    connection.execute(f"INSERT INTO tasks ({names}) VALUES ({values})")  # pyright: ignore


@pytest.mark.parametrize("status", STATES)
def test_every_state_has_a_possible_row(connection: psycopg.Connection, status: str):
    insert(connection, status=f"'{status}'", **STATES[status])


@pytest.mark.parametrize(
    ("status", "mark"),
    [(status, mark) for status, mark in itertools.product(STATES, MARKS) if status not in BELONGS[mark]],
)
def test_a_mark_of_another_state_is_refused(connection: psycopg.Connection, status: str, mark: str):
    with pytest.raises(psycopg.errors.CheckViolation):
        insert(connection, status=f"'{status}'", **(STATES[status] | MARKS[mark]))


@pytest.mark.parametrize(
    ("status", "mark"), [(status, mark) for mark, statuses in BELONGS.items() for status in sorted(statuses)]
)
def test_a_missing_mark_of_its_own_state_is_refused(connection: psycopg.Connection, status: str, mark: str):
    columns = {name: value for name, value in STATES[status].items() if name not in MARKS[mark]}
    with pytest.raises(psycopg.errors.CheckViolation):
        insert(connection, status=f"'{status}'", **columns)


@pytest.mark.parametrize("columns", MISSHAPEN.values(), ids=MISSHAPEN)
def test_a_misshapen_row_is_refused(connection: psycopg.Connection, columns: dict[str, str]):
    with pytest.raises(psycopg.errors.CheckViolation):
        insert(connection, **columns)


def test_a_lineage_has_one_unfinished_member_and_none_after_success(connection: psycopg.Connection):
    insert(connection, status="'failed'", **STATES["failed"])
    replay = {"replay_of_id": "(SELECT min(id) FROM tasks)", "root_id": "(SELECT min(id) FROM tasks)",
              "actor": "'ada'", "reason": "'mended'"}  # fmt: skip
    insert(connection, **replay)
    with pytest.raises(psycopg.errors.UniqueViolation):
        insert(connection, **replay)
    done = ", ".join(f"{name} = {value}" for name, value in STATES["done"].items())
    connection.execute(f"UPDATE tasks SET status = 'done', {done} WHERE root_id IS NOT NULL")  # pyright: ignore
    with pytest.raises(psycopg.errors.UniqueViolation):
        insert(connection, **replay)
