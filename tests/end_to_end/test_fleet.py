"""The parts of deploy/ fit the product, and processes started as they say work together on one database."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import psycopg
import pytest
import yaml
from fixtures.database import at
from fixtures.installation import free_port, wait_until
from fixtures.postgres_server import OWNER, PostgresServer
from house.source_files import ROOT

from backend.cli.commands import COMMANDS
from schema.settings import GROUPS

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
PROCESSES = {name: service for name, service in COMPOSE["services"].items() if name != "postgres"}


def known_variables() -> set[str]:
    return {f"{group.PREFIX}{field.upper()}" for _, group in GROUPS for field in group.__struct_fields__}


@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_every_container_runs_a_command_with_settings_that_exist(name: str):
    service = PROCESSES[name]
    assert service["command"][0] in {command.name for command in COMMANDS}
    set_here = {variable for variable in service["environment"] if variable.startswith("JOBTRAIL_")}
    assert set_here <= known_variables()


def test_a_stop_gives_running_tasks_their_grace():
    patience = int(PROCESSES["worker"]["stop_grace_period"].removesuffix("s"))
    grace = dict(GROUPS)["worker"]().grace_seconds  # type: ignore[attr-defined]
    assert patience > 2 * grace


def test_the_image_holds_every_part_of_the_product():
    copied = {
        line.split()[1]
        for line in (DEPLOY / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY")
    }
    assert {"schema", "pipeline", "mailsync", "matcher", "extension_api", "backend"} <= copied


@pytest.fixture(scope="module")
def server() -> Generator[PostgresServer, None, None]:
    with ExitStack() as stack:
        made = PostgresServer()
        stack.callback(made.stop)
        yield made


def process(home: Path, *words: str, **settings: str) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JOBTRAIL_")}
    environment |= {"JOBTRAIL_HOME": str(home)} | settings
    return subprocess.Popen([sys.executable, "-m", "backend", *words], env=environment, cwd=ROOT)


@pytest.mark.process
@pytest.mark.timeout(120)
def test_the_processes_of_the_compose_file_work_together(server: PostgresServer, tmp_path: Path):
    script = {"OWNER_PASSWORD": "owner' secret", "LOGIN_PASSWORD": "login", "POSTGRES_USER": "jobtrail_root"}
    with psycopg.connect(server.url, autocommit=True) as superuser:
        superuser.execute("CREATE ROLE jobtrail_root SUPERUSER LOGIN")
    with psycopg.connect(at(server.url, "postgres", "jobtrail_root"), autocommit=True) as superuser:
        superuser.execute(f"ALTER ROLE {OWNER} RENAME TO made_the_cluster")
    made = subprocess.run(
        ["sh", DEPLOY / "make-database.sh"],
        env=os.environ | script | {"PGHOST": str(server.folder), "PGDATABASE": "postgres"}
        | {"PATH": f"{server.binaries}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    url = f"postgresql://{{}}@/jobtrail?host={server.folder}"
    login = {"JOBTRAIL_DATABASE_URL": url.format("jobtrail")}
    owner = {"JOBTRAIL_DATABASE_OWNER_URL": url.format("jobtrail_owner")}
    assert process(tmp_path, "migrate", **login, **owner).wait(60) == 0
    http, api, worker, mailsync = (free_port() for _ in range(4))
    running = [
        process(tmp_path, "api", **login, JOBTRAIL_HTTP_PORT=str(http), JOBTRAIL_MONITOR_API_PORT=str(api)),
        process(tmp_path, "worker", **login, JOBTRAIL_MONITOR_WORKER_PORT=str(worker)),
        process(tmp_path, "mailsync", **login, JOBTRAIL_MONITOR_MAILSYNC_PORT=str(mailsync)),
    ]
    try:
        for port in (api, worker, mailsync):
            wait_until(lambda port=port: is_ready(port), f"ready at port {port}")
        assert httpx2.get(f"http://127.0.0.1:{http}/livez").status_code == 200
    finally:
        for each in running:
            each.terminate()
        assert [each.wait(30) for each in running] == [0, 0, 0]


def is_ready(port: int) -> bool:
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    except httpx2.TransportError:
        return False
