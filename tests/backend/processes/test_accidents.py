"""Processes killed one by one under a running installation: the rest runs on, what was killed comes back."""

import concurrent.futures
import os
import signal
import threading
import time
from pathlib import Path

import psycopg
import pytest
from fixtures.installation import Installation, is_well, visit, wait_until

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


def kill(running: Installation, name: str) -> int:
    """Kill a child; the process id of the one started in its place."""
    killed = running.family()[name]
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: running.pid(name) not in {0, killed}, f"a new {name}")
    return running.pid(name)


@pytest.mark.parametrize("name", ["api", "worker", "mailsync"])
def test_a_killed_child_is_started_again_and_the_rest_runs_on(running: Installation, name: str):
    before = running.family()
    kill(running, name)
    after = running.family()
    assert {other for other in after if after[other] != before[other]} == {name}
    assert is_well(running.url)
    assert f"{name} was killed by SIGKILL" in running.errors()


def test_a_request_during_the_restart_of_the_api_waits_and_is_answered(running: Installation):
    os.kill(running.family()["api"], signal.SIGKILL)
    assert is_well(running.url)


def test_a_killed_postgres_keeps_every_committed_row_and_its_users_run_on(running: Installation):
    with running.connect() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT generate_series(1, 1000) AS n")
    before = running.family()
    kill(running, "postgres")
    wait_until(lambda: kept(running) == 1000, "the rows to be there again")
    assert is_well(running.url)
    after = running.family()
    assert {name for name in after if after[name] != before[name]} == {"postgres"}


def kept(running: Installation) -> int:
    try:
        with running.connect() as connection:
            row = connection.execute("SELECT count(*) FROM kept").fetchone()
    except psycopg.OperationalError:
        return 0
    return row[0] if row else 0


def test_postgres_killed_under_load_costs_refusals_and_no_faults(running: Installation):
    before = running.family()
    statuses: list[int] = []
    stop = threading.Event()

    def keep_visiting() -> None:
        while not stop.is_set():
            statuses.append(visit(running.url))

    with concurrent.futures.ThreadPoolExecutor(4) as visitors:
        visits = [visitors.submit(keep_visiting) for _ in range(4)]
        try:
            for _ in range(2):
                kill(running, "postgres")
                wait_until(lambda: is_well(running.url), "a page again")
        finally:
            stop.set()
        for each in visits:
            each.result()
    assert set(statuses) <= {200, 303, 503}
    assert running.pid("api") == before["api"]


def test_a_second_up_is_told_who_holds_the_home(running: Installation):
    second = running.command("up")
    assert second.returncode == 75
    assert f"process {running.supervisor} (make run, or jobtrail up, since" in second.stderr
    assert second.stderr.count("\n") == 1


def cpu_seconds(pid: int) -> float:
    """Processor time a process has used, user and system, as the kernel counts it."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def test_the_supervisor_rests_while_nothing_happens(running: Installation):
    running.family()
    before, awake = cpu_seconds(running.supervisor), time.monotonic()
    wait_until(lambda: time.monotonic() - awake > 3, "three quiet seconds")
    assert cpu_seconds(running.supervisor) - before < 0.15
