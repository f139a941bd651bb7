"""The systems that are measured: how each is started, filled, emptied and counted, and its two profiles.

`default` is what a person gets who sets nothing; `tuned` is set for throughput of short tasks.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.queue.payload import ACCOUNTS, Nothing
from benchmarks.queue.peers import CannotInstall, node_for_peers, python_for_peers
from benchmarks.queue.server import Server

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
JOBTRAIL, ACCOUNTED, PLAIN, PGQUEUER, PROCRASTINATE, GRAPHILE = (
    "jobtrail", "jobtrail_accounts", "plain", "pgqueuer", "procrastinate", "graphile",
)  # fmt: skip
OURS = (JOBTRAIL, ACCOUNTED)


@dataclass(frozen=True)
class Profile:
    """`tasks` for one process: enough for seconds of work, few enough that it comes to an end."""

    options: Mapping[str, object]
    tasks: int

    def tasks_for(self, processes: int) -> int:
        """Two cores take no more at once than two processes bring."""
        return self.tasks * min(processes, 2)


@dataclass(frozen=True)
class System:
    """`unfinished` counts what is not done; `seed` fills by SQL, else the system's own bulk enqueue does."""

    name: str
    command: tuple[str, ...]
    unfinished: str
    empty: str
    profiles: Mapping[str, Profile]
    seed: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def database(self) -> str:
        return f"bench_{self.name}"


def systems(*, with_peers: bool) -> tuple[list[System], list[str]]:
    """Those that can be measured here, and for each that cannot a line that says why."""
    found, missing = [jobtrail(), accounted(), plain()], []
    if not with_peers:
        return found, missing
    try:
        python = str(python_for_peers())
        found += [pgqueuer(python), procrastinate(python)]
    except CannotInstall as error:
        missing.append(f"pgqueuer and procrastinate could not be installed and are not measured: {error}")
    try:
        found.append(graphile(*node_for_peers()))
    except CannotInstall as error:
        missing.append(f"graphile-worker could not be installed and is not measured: {error}")
    return found, missing


def prepare(server: Server, system: System) -> None:
    with server.connect("postgres") as connection:
        connection.execute(f"CREATE DATABASE {system.database}")


def jobtrail() -> System:
    return System(
        name=JOBTRAIL,
        command=(sys.executable, str(PROGRAMS / "run_jobtrail.py")),
        environment={"PYTHONPATH": str(ROOT)},
        unfinished="SELECT count(*) FROM tasks WHERE status IN ('pending', 'running')",
        empty="TRUNCATE tasks, task_events, workers CASCADE",
        seed=f"""INSERT INTO tasks (kind, payload, max_attempts)
          SELECT '{Nothing.KIND}', '{{}}', 5 FROM generate_series(1, %(count)s) AS number""",
        profiles={
            "default": Profile({"worker": {}}, 30_000),
            "tuned": Profile({"worker": {"slots": 50, "look_ahead": 350}}, 60_000),
            "one at a time": Profile({"worker": {"slots": 1, "look_ahead": 0}}, 3_000),
        },
    )


def accounted() -> System:
    """The same with tasks of fifty accounts, which no other system knows: claims hold to a cap of three an
    account over all workers, so that no more than 150 tasks are in hand at any time."""
    return replace(
        jobtrail(),
        name=ACCOUNTED,
        seed=f"""INSERT INTO tasks (account_id, kind, payload, max_attempts)
          SELECT 1 + number %% {ACCOUNTS}, '{Nothing.KIND}', '{{}}', 5
          FROM generate_series(1, %(count)s) AS number""",
        profiles={
            "default": Profile({"worker": {}}, 15_000),
            "tuned": Profile({"worker": {"slots": 50, "look_ahead": 350}}, 20_000),
        },
    )


def plain() -> System:
    return System(
        name=PLAIN,
        command=(sys.executable, str(PROGRAMS / "run_plain.py")),
        unfinished="SELECT count(*) FROM plain_tasks WHERE status IN ('pending', 'running')",
        empty="TRUNCATE plain_tasks",
        seed="""INSERT INTO plain_tasks (kind, payload)
          SELECT 'test.nothing.v1', '{"sent": 0}' FROM generate_series(1, %(count)s)""",
        profiles={
            "default": Profile({"batch": 1}, 2_500),
            "tuned": Profile({"batch": 100}, 80_000),
        },
    )


def pgqueuer(python: str) -> System:
    return System(
        name=PGQUEUER,
        command=(python, str(PROGRAMS / "run_pgqueuer.py")),
        unfinished="SELECT count(*) FROM pgqueuer",
        empty="TRUNCATE pgqueuer, pgqueuer_log, pgqueuer_statistics",
        profiles={
            "default": Profile({"batch": 10}, 10_000),
            "tuned": Profile({"batch": 100}, 25_000),
        },
    )


def procrastinate(python: str) -> System:
    return System(
        name=PROCRASTINATE,
        command=(python, str(PROGRAMS / "run_procrastinate.py")),
        unfinished="SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')",
        empty="TRUNCATE procrastinate_jobs, procrastinate_events, procrastinate_workers CASCADE",
        profiles={
            "default": Profile({"concurrency": 1}, 1_200),
            "tuned": Profile({"concurrency": 20}, 1_200),
        },
    )


def graphile(node: str, folder: Path) -> System:
    """Ten jobs at a time is what its documentation starts with; its library's own default is one."""
    batched = {"localQueue": {"size": 500}, "completeJobBatchDelay": 0, "failJobBatchDelay": 0}
    return System(
        name=GRAPHILE,
        command=(node, str(linked(folder))),
        unfinished="SELECT count(*) FROM graphile_worker._private_jobs",
        empty="TRUNCATE graphile_worker._private_jobs",
        profiles={
            "default": Profile({"worker": {"concurrentJobs": 10}}, 6_000),
            "tuned": Profile({"worker": {"concurrentJobs": 24, **batched}}, 60_000),
        },
    )


def linked(folder: Path) -> Path:
    """The program beside its packages, where alone Node looks for them."""
    target = folder / "run_graphile.mjs"
    target.write_text((PROGRAMS / target.name).read_text())
    return target
