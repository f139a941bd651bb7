"""Floors, and what each kind of file may reach for. The order of the floors is import-linter's contract."""

import subprocess
import sys
from pathlib import Path

import pytest
from house.source_files import ROOT, imported, product

IMPURE = {"psycopg", "psycopg_pool", "httpx2", "litestar", "schema.db", "schema.queue", "schema.clock", "os"}
OUTSIDE_CLIENTS = {"httpx2", "openai", "googleapiclient", "google_auth_oauthlib"}


def top(name: str) -> str:
    return name.partition(".")[0]


def test_floors_keep_their_order():
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", [path for path in product() if path.name == "rules.py"], ids=str)
def test_rules_are_pure(path: Path):
    reached = {name for name in imported(path) if name in IMPURE or top(name) in IMPURE}
    assert not reached, f"{path} decides, and may not reach {reached}"


def test_only_client_files_talk_to_outside_services():
    offenders = {
        str(path): names
        for path in product()
        if path.name != "client.py" and (names := {n for n in imported(path) if top(n) in OUTSIDE_CLIENTS})
    }
    assert not offenders


def test_http_stays_in_routes_and_the_roof():
    offenders = [
        str(path)
        for path in product()
        if path.parts[0] != "backend"
        and path.name not in {"routes.py", "guard.py"}
        and any(top(name) == "litestar" for name in imported(path))
    ]
    assert not offenders
