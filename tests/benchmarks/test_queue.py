import json

import pytest

from benchmarks.queue import bars
from benchmarks.queue.claims import BASE, PINNED, Claims, states
from benchmarks.queue.drains import Drain
from benchmarks.queue.faults import Faults
from benchmarks.queue.recovery import Recovered
from benchmarks.queue.rounds import Results
from benchmarks.queue.steady import Row, grown
from benchmarks.queue.systems import GRAPHILE, JOBTRAIL, PGQUEUER, PLAIN, jobtrail, plain
from benchmarks.table import print_table


def drained(rate: float, commits: float = 0.01) -> Drain:
    return Drain(rate=rate, commits=commits, wal_bytes=500, client_us=80, server_us=70)


def results_of(*names: str) -> Results:
    """Ours does 6,000 tasks a second by default and twice that tuned; each other half of it."""
    results = Results()
    for name in names:
        share = 1 if name == JOBTRAIL else 2
        for profile, rate in (("default", 6_000), ("tuned", 12_000), ("one at a time", 1_000)):
            for processes in ("1", "4"):
                results.add(("drain", name, profile, processes), drained(rate / share))
    for clients, rate in (("1", 2_000), ("8", 5_000)):
        results.add(("commits", clients), rate)
    return results


def verdicts(measures: object) -> dict[str, bool | None]:
    return {measure.name: measure.holds for measure in measures}  # pyright: ignore


def test_ours_is_held_to_ratios_within_the_run():
    told = verdicts(bars.against(results_of(JOBTRAIL, PLAIN, PGQUEUER, GRAPHILE)))
    assert told["default, 1 process: against pgqueuer"] is False  # twice, and three times is asked
    assert told["tuned, 1 process: against pgqueuer"] is True
    assert told["tuned, 4 processes: against commits of 8 clients"] is True
    assert told["one at a time: against commits of 1 client"] is True


def test_a_peer_that_could_not_be_installed_has_no_rows_and_no_bars():
    results = results_of(JOBTRAIL, PLAIN)
    told = [*bars.rates(results), *bars.against(results), *bars.costs(results, with_cpu=True)]
    assert not [measure.name for measure in told if PGQUEUER in measure.name or GRAPHILE in measure.name]
    assert "tuned, 1 process: against plain" in verdicts(told)


def test_only_our_own_costs_have_bars():
    results = results_of(JOBTRAIL, PLAIN)
    results.add(("drain", JOBTRAIL, "tuned", "1"), drained(9_000, commits=2.0))
    results.add(("drain", JOBTRAIL, "tuned", "1"), drained(9_000, commits=2.0))
    told = verdicts(bars.costs(results, with_cpu=True))
    assert told["jobtrail, tuned: commits a task"] is False  # the median of three, two of them dear
    assert told["jobtrail, tuned: workers a task"] is True
    assert told["plain, tuned: commits a task"] is None


def test_claims_are_held_to_the_state_with_few_rows():
    found = {JOBTRAIL: {BASE: Claims(2.0, 3.0), PINNED: Claims(5.0, 9.0)}, PLAIN: {BASE: Claims(1.0, None)}}
    told = verdicts(bars.claiming(found))
    assert told[f"jobtrail, claim: {PINNED}: against few"] is False
    assert told[f"plain, claim: {BASE}"] is None


def test_one_task_left_behind_fails():
    told = verdicts(bars.recovering({"connections cut": [Recovered(1.0, 0), Recovered(1.0, 1)]}, [16.0]))
    assert told["connections cut: drained after"] is True
    assert told["connections cut: tasks left behind"] is False


def test_one_stale_end_fails():
    assert set(verdicts(bars.ending_late(Faults(made=10_000))).values()) == {True}
    assert False in verdicts(bars.ending_late(Faults(made=10_000, stale=1))).values()
    assert False in verdicts(bars.ending_late(Faults(made=10_000, refused=1))).values()


def test_every_row_can_be_printed(capsys: pytest.CaptureFixture[str]):
    results = results_of(JOBTRAIL, PLAIN)
    print_table([*bars.rates(results), *bars.costs(results, with_cpu=False)], as_json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["name"] for line in lines} >= {"commit limit, 8 clients", "jobtrail, default, 1 process"}


def test_both_profiles_of_every_system_seed_by_sql_or_by_themselves():
    for system in (jobtrail(), plain()):
        assert {"default", "tuned"} <= system.profiles.keys()
        assert "%(count)s" in system.seed


def test_quick_leaves_the_millions_out():
    rows = max(state.pending + state.front for state in states(quick=True))
    assert rows <= 120_000 < max(state.pending + state.front for state in states(quick=False))


def row(minute: float, *, p95: float = 5.0, dead: int = 500) -> Row:
    return Row(
        minute=minute, done=int(minute * 12_000), waiting=0, dead=dead, table_mb=minute, index_mb=minute,
        vacuums=1, p50_ms=3.0, p95_ms=p95,
    )  # fmt: skip


def test_a_steady_run_that_stays_flat_has_no_complaint():
    assert grown([row(minute) for minute in range(1, 31)]) == []


def test_a_steady_run_says_what_grew():
    late = [row(minute, p95=5.0 if minute < 20 else 9.0, dead=minute * 1_000) for minute in range(1, 31)]
    latency, dead = grown(late)
    assert latency.startswith("latency, p95")
    assert dead.startswith("dead rows")
