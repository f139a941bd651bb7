"""What one claim costs in every state a queue can be in: against the state with 1,000 rows."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.queue.children import children
from benchmarks.queue.drains import settled
from benchmarks.queue.payload import ACCOUNTS
from benchmarks.queue.server import Server
from benchmarks.queue.systems import ACCOUNTED, OURS, PLAIN, System

BATCH = 10
ROUNDS = 40
WARMING = 5
FEW = 10_000
CLOSED = "closed.example"
BASE = "1,000 pending"
PINNED = "finished under a pinned snapshot"
_TABLES = dict.fromkeys(OURS, "tasks") | {PLAIN: "plain_tasks"}


@dataclass(frozen=True)
class State:
    """`front` rows that a claim cannot take, older than the `pending` ones; `values` make them so.

    With `finished` that many pending rows are drained first, while a snapshot is held.
    """

    name: str
    pending: int
    front: int = 0
    values: Mapping[str, str] = field(default_factory=dict)
    finished: int = 0


def states(*, quick: bool) -> list[State]:
    front = 90_000 if quick else 900_000
    kept = 100_000 if quick else 1_000_000
    behind = 10_000 if quick else 100_000
    finished = 20_000 if quick else 60_000
    found = [
        State(BASE, 1_000),
        State("100,000 pending", 100_000),
        State("1,000,000 pending", 1_000_000),
        State(
            f"{kept:,} finished kept",
            20_000,
            kept,
            {"status": "'done'", "outcome": "'done'", "finished_at": "now()"},
        ),
        State(
            f"{front:,} future rows in front",
            behind,
            front,
            {"not_before": "now() + interval '1 day'", "due": "false"},
        ),
        State(f"{front:,} rows of a foreign kind in front", behind, front, {"kind": "'test.foreign.v1'"}),
        State(f"{front:,} rows of a closed host in front", behind, front, {"host": f"'{CLOSED}'"}),
        State(PINNED, finished + 2_000, finished=finished),
    ]
    return [state for state in found if not quick or state.pending <= 100_000]


@dataclass(frozen=True)
class Claims:
    """Milliseconds of processor time, here and on the server: of a claim, and of one that looks for lanes
    first. A plain loop has no lanes."""

    claim: float
    anew: float | None


def claims(server: Server, system: System, state: State, takes: int) -> Claims:
    """The least of some takes: others on the machine can only make a claim dearer."""
    found = []
    for take in range(takes):
        if not take or state.finished or state.pending < FEW:
            _fill(server, system, state)
        found.append(_taken(server, system, state))
    anew = [each.anew for each in found if each.anew is not None]
    return Claims(min(each.claim for each in found), min(anew) if anew else None)


def _fill(server: Server, system: System, state: State) -> None:
    with settled(server, system) as connection:
        for sql in _filling(system, state):
            connection.execute(sql)


def _taken(server: Server, system: System, state: State) -> Claims:
    options = {"batch": BATCH, "rounds": ROUNDS, "warming": WARMING, "drain": state.finished}
    with (
        _pinned(server, system, held=state.finished > 0),
        children(server, system, "claims", {**options, "closed_hosts": [CLOSED]}) as (child,),
    ):
        child.go()
        report = child.wait_for_report()
    return Claims(report["claim_ms"], report.get("anew_ms"))


@contextmanager
def _pinned(server: Server, system: System, *, held: bool) -> Generator[None, None, None]:
    """A snapshot held for the block, as a long report or a dump holds one."""
    with server.connect(system.database) as connection:
        if held:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            connection.execute(f"SELECT count(*) FROM {_TABLES[system.name]}")
        yield


def _filling(system: System, state: State) -> list[str]:
    """Foreign keys are not checked row by row: these rows are made up, and a million of them are many."""
    rows = [(state.front, state.values), (state.pending, {})]
    filled = [_insert(system, count, values) for count, values in rows if count]
    if system.name in OURS:
        filled.append("DELETE FROM host_budgets")
        filled.append(
            "INSERT INTO host_budgets (host, egress_group, refusals, closed_until)"
            f" VALUES ('{CLOSED}', 'default', 9, now() + interval '1 day')"
        )
    return ["SET session_replication_role = replica", *filled]


def _insert(system: System, count: int, values: Mapping[str, str]) -> str:
    columns = {"kind": "'test.nothing.v1'", "payload": "'{\"sent\": 0}'", **values}
    if system.name in OURS:
        columns["max_attempts"] = "5"
        columns |= {"account_id": f"1 + number % {ACCOUNTS}"} if system.name == ACCOUNTED else {}
    else:
        columns.pop("outcome", None)
        columns.pop("due", None)
    return (
        f"INSERT INTO {_TABLES[system.name]} ({', '.join(columns)})"
        f" SELECT {', '.join(columns.values())} FROM generate_series(1, {count}) AS number"
    )
