"""Real processes and their monitors' ports: ready, not ready for each reason, and never a private word."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import get_args

import msgspec
import psycopg
import pytest
from fixtures.cutting import CUT_PROGRAMS_OF
from fixtures.database import at
from fixtures.installation import Installation, free_port, visit, wait_until
from fixtures.monitors import get, readiness, scrape
from house.source_files import ROOT
from psycopg import sql

from backend.handlers import handlers
from backend.processes.monitor import ProcessName
from pipeline.worker.measures import How
from schema.failures import FAILURES
from schema.settings import Settings

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]

PROGRAM = """
import asyncio, sys, time
import backend.processes.worker as process
from pipeline.worker.types import Done, Permanent
from schema.tasks import ImportMail, MatchAccount, PullDueSources, PullSource
async def sweep(run, payload):
    return Done()
async def stand(run, payload):
    time.sleep(3600)
async def fail(run, payload):
    raise Permanent("archive_unreadable", "canary")
async def wait(run, payload):
    await asyncio.sleep(3600)
process.handlers = lambda settings: {
    PullDueSources: sweep, PullSource: stand, ImportMail: fail, MatchAccount: wait
}
process.run_worker(None)
"""
INSERT = (
    "INSERT INTO tasks (account_id, kind, payload, max_attempts, host, dedupe_key)"
    " VALUES (%s, %s, %s::jsonb, 5, %s, %s)"
)


class Solo:
    """One process against the test's database, with its monitors' port open."""

    def __init__(self, name: ProcessName, url: str, home: Path, *words: str, **settings: str) -> None:
        self.port = free_port()
        self.http_port = free_port()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        environment = {
            "JOBTRAIL_HOME": str(home),
            "JOBTRAIL_DATABASE_URL": url,
            "JOBTRAIL_HTTP_PORT": str(self.http_port),
            f"JOBTRAIL_MONITOR_{name.upper()}_PORT": str(self.port),
            "PYTHONPATH": os.pathsep.join(sys.path),
            **settings,
        }
        ours = {key: value for key, value in os.environ.items() if not key.startswith("JOBTRAIL_")}
        self.process = subprocess.Popen(
            [sys.executable, "-P", *(words or ("-m", "backend", name))],
            env={**ours, **environment},
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            cwd=home,
        )

    def is_alive(self) -> bool:
        assert self.process.poll() is None, self.said()
        return visit(f"http://127.0.0.1:{self.port}", "/livez") == 200

    def standing(self) -> tuple[int, set[str]]:
        assert self.process.poll() is None, self.said()
        return readiness(self.port)

    def becomes(self, status: int, *wrong: str) -> None:
        wait_until(lambda: self.standing() == (status, set(wrong)), f"{status} for {wrong}")

    def said(self) -> bytes:
        self._said.seek(0)
        return self._said.read()

    def end(self) -> None:
        """Whatever state it is in."""
        self.process.kill()
        self.process.wait()
        self._said.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def all_three(login_url: str, empty_database: None, tmp_path: Path):
    """One process of each name, each in a home of its own."""
    with ExitStack() as stack:
        started: list[Solo] = []
        for name in get_args(ProcessName):
            (tmp_path / name).mkdir()
            started.append(Solo(name, login_url, tmp_path / name))
            stack.callback(started[-1].end)
        for solo in started:
            wait_until(solo.is_alive, "a process that is alive")
        yield started


@pytest.fixture
def worker(login_url: str, empty_database: None, home: Path):
    """A worker whose handlers stand still, fail, or wait."""
    settings = {"JOBTRAIL_WORKER_GRACE_SECONDS": "2"}
    with ended(Solo("worker", login_url, home, "-c", PROGRAM, **settings)) as solo:
        yield solo


@contextmanager
def ended(solo: Solo) -> Generator[Solo, None, None]:
    """Leaves nothing behind, whatever the test found."""
    try:
        wait_until(solo.is_alive, "a process that is alive")
        yield solo
    finally:
        solo.end()


def owned(owner_url: str, statement: str, *params: object) -> None:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(statement, params)  # pyright: ignore


def runs(owner_url: str, kind: str) -> bool:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        found = connection.execute("SELECT FROM tasks WHERE kind = %s AND status = 'running'", (kind,))
        return found.fetchone() is not None


def test_each_process_is_ready_unless_its_database_does_not_fit(
    all_three: list[Solo], owner_url: str, server_url: str, database_name: str
):
    def become(status: int, *wrong: str) -> None:
        for each in all_three:
            each.becomes(status, *wrong)

    become(200)
    last = "(SELECT max(number) FROM schema_migrations)"
    owned(owner_url, f"UPDATE schema_migrations SET number = -number WHERE number = {last}")
    try:
        become(503, "schema")
    finally:
        owned(owner_url, "UPDATE schema_migrations SET number = -number WHERE number < 0")
    become(200)
    gate = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {{}}").format(sql.Identifier(database_name))
    gate = gate.as_string()
    owned(server_url, gate.format("false"))
    try:
        owned(server_url, CUT_PROGRAMS_OF, database_name)
        for each in all_three:
            wait_until(partial(knows_no_database, each), "a dead database noticed")
            assert get(each.port, "/livez")[0] == 200
            assert scrape(each.port).names
    finally:
        owned(server_url, gate.format("true"))
    become(200)


def knows_no_database(solo: Solo) -> bool:
    return {"database", "role", "schema"} <= solo.standing()[1]


def test_a_process_with_a_role_that_sees_everything_is_not_ready(
    server_url: str, database_name: str, empty_database: None, home: Path
):
    with ended(Solo("mailsync", at(server_url, database_name), home)) as solo:
        solo.becomes(503, "role")


def test_a_handler_that_blocks_the_loop_is_seen_from_outside(worker: Solo, owner_url: str):
    worker.becomes(200)
    owned(owner_url, INSERT, None, "source.pull.v1", '{"source_id": 1}', None, None)
    wait_until(lambda: runs(owner_url, "source.pull.v1"), "a claim")
    wait_until(lambda: worker.standing()[0] == 503, "a frozen loop noticed", seconds=5)
    assert "loop" in worker.standing()[1]
    assert get(worker.port, "/livez")[0] == 200
    assert (scrape(worker.port).value("jobtrail_worker_claimed_total") or 0) >= 1


def test_a_stop_is_told_at_once_before_the_grace(worker: Solo, owner_url: str, account: int):
    owned(owner_url, INSERT, account, "match.account.v1", "{}", None, None)
    wait_until(lambda: runs(owner_url, "match.account.v1"), "a claim")
    worker.becomes(200)
    worker.process.send_signal(signal.SIGTERM)
    worker.becomes(503, "work")
    assert worker.process.poll() is None
    assert worker.process.wait(30) == 0


def test_failing_tasks_change_nothing_and_no_private_word_is_told(
    worker: Solo, owner_url: str, other_account: int
):
    for number in range(5):
        canary = f"canary-{number}"
        payload = msgspec.json.encode({"import_id": number}).decode()
        owned(owner_url, INSERT, other_account, "mail.import.v1", payload, f"{canary}.example", canary)
    owned(owner_url, INSERT, other_account, "mail.import.v1", '{"canary": "canary"}', None, None)
    owned(owner_url, INSERT, None, "canary.match.v9", '{"canary": "canary"}', None, None)
    owned(owner_url, "UPDATE accounts SET email = 'canary@canary.example', display_name = 'canary'")
    failures = {"kind": "mail.import.v1", "code": "archive_unreadable"}

    def all_failed() -> bool:
        return scrape(worker.port).value("jobtrail_worker_failed_attempts_total", **failures) == 5

    wait_until(all_failed, "five failures")
    worker.becomes(200)
    page = scrape(worker.port)
    assert b"canary" not in page.raw
    assert b"canary" not in worker.said()


def test_a_workers_labels_are_the_closed_sets_and_every_kind_is_there(
    login_url: str, empty_database: None, home: Path
):
    kinds = {payload.KIND for payload in handlers(Settings())}
    with ended(Solo("worker", login_url, home)) as solo:
        solo.becomes(200)
        wait_until(lambda: "jobtrail_worker_pending" in scrape(solo.port).names, "the first count")
        page = scrape(solo.port)
        labels = page.labels()
        assert labels.pop("release")
        assert labels == {
            "kind": kinds,
            "how": set(get_args(How)),
            "code": set(FAILURES),
            "state": {"pending", "running", "parked", "failed"},
            "process": {"worker"},
        }
        assert {name for name in page.names if name.startswith("jobtrail_worker_")} == WORKER_NAMES
        told = (ROOT / "docs/operations.md").read_text()
        assert not [family.name for family in page.families if f"`{documented(family.name)}" not in told]
        # Not the pending ones: a clock ticks when its process starts, and may have asked for something.
        assert {page.value("jobtrail_worker_parked", kind=kind) for kind in kinds} == {0}


def documented(name: str) -> str:
    return "process_*" if name.startswith("process_") else name


WORKER_NAMES = {
    f"jobtrail_worker_{name}"
    for name in (
        "claimed_total", "claim_seconds_bucket", "claim_seconds_count", "claim_seconds_sum", "reaped_total",
        "lost_total", "run_seconds_bucket", "run_seconds_count", "run_seconds_sum", "ended_total",
        "failed_attempts_total", "pending", "scheduled", "running", "parked", "failed", "unsupported",
        "oldest_due_age_seconds", "oldest_progress_age_seconds", "gauges_stale",
    )
}  # fmt: skip


def test_the_api_tells_the_same_numbers_on_both_of_its_ports(
    login_url: str, empty_database: None, home: Path
):
    with ended(Solo("api", login_url, home)) as solo:
        solo.becomes(200)
        for path in ("/livez", "/readyz", "/metrics"):
            assert get(solo.http_port, path)[0] == 200
        inner = scrape(solo.port)
        assert inner.value(
            "jobtrail_http_requests_total", method="GET", route="/readyz", status="200"
        ) == scrape(solo.http_port).value(
            "jobtrail_http_requests_total", method="GET", route="/readyz", status="200"
        )
        assert inner.value("jobtrail_live_listeners") == 0


def test_a_port_that_is_taken_ends_the_start_in_one_line(login_url: str, empty_database: None, home: Path):
    with ended(Solo("mailsync", login_url, home)) as solo:
        again = subprocess.run(
            [sys.executable, "-P", "-m", "backend", "mailsync"],
            env={
                "PATH": os.environ["PATH"],
                "JOBTRAIL_HOME": str(home),
                "JOBTRAIL_DATABASE_URL": login_url,
                "JOBTRAIL_MONITOR_MAILSYNC_PORT": str(solo.port),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=home,
        )
        assert again.returncode == 1
        assert again.stderr.count("\n") == 1
        assert "JOBTRAIL_MONITOR_MAILSYNC_PORT" in again.stderr


def test_the_three_of_one_installation_have_a_port_each(installation: Installation):
    ports = {name: free_port() for name in get_args(ProcessName)}
    for name, port in ports.items():
        installation.settings[f"JOBTRAIL_MONITOR_{name.upper()}_PORT"] = str(port)
    installation.start()
    installation.family()
    for name, port in ports.items():
        wait_until(lambda port=port: visit(f"http://127.0.0.1:{port}", "/readyz") == 200, f"{name} ready")
        assert scrape(port).labels()["process"] == {name}
    assert installation.stop() == 0
    assert "Traceback" not in installation.errors()
