"""A start that cannot succeed: one line that says why and what to do, and nothing left behind."""

import os
import socket
from pathlib import Path

import pytest
from fixtures.installation import Installation

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


def refused(installation: Installation, status: int = 1) -> str:
    """What `up` said, in its one line."""
    done = installation.command("up")
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_taken_port_is_said_at_once_and_nothing_is_made(installation: Installation):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        installation.settings["JOBTRAIL_HTTP_PORT"] = port
        said = refused(installation)
    assert f"port {port} on 127.0.0.1 is taken" in said
    assert "JOBTRAIL_HTTP_PORT" in said
    assert not installation.home.exists()
    installation.home.mkdir()
    (installation.home / "lock").touch()
    with socket.create_server(("127.0.0.1", int(port))):
        assert f"port {port} on 127.0.0.1 is taken" in refused(installation)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root hands the server to another user")
def test_a_home_the_servers_user_cannot_reach_is_said_at_once_and_nothing_is_made(
    installation: Installation, short_folder: Path
):
    closed = short_folder / "closed"
    closed.mkdir(mode=0o700)
    installation.home = closed / "home"
    for command in ("up", "migrate"):
        done = installation.command(command)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert f"cannot pass through {closed}." in done.stderr
    assert list(closed.iterdir()) == []
    installation.home.mkdir(mode=0o700)
    closed.chmod(0o711)
    (installation.home / "something").touch()
    assert f"cannot pass through {installation.home}." in refused(installation)
    assert [each.name for each in installation.home.iterdir()] == ["something"]


def test_a_home_one_may_not_write_to_is_named(ordinary_installation: Installation, short_folder: Path):
    closed = short_folder / "closed"
    closed.mkdir(mode=0o555)
    ordinary_installation.home = closed / "home"
    said = refused(ordinary_installation)
    assert f"cannot write to the folder {closed}/home: Permission denied" in said


def test_a_data_folder_of_another_major_version_is_named(installation: Installation):
    assert installation.command("migrate").returncode == 0
    version = installation.home / "postgres/data/PG_VERSION"
    version.write_text("17\n")
    assert "was made by PostgreSQL 17, and this Jobtrail brings 18" in refused(installation)
    assert version.read_text() == "17\n"


def test_a_wrong_setting_is_named_before_anything_starts(installation: Installation):
    installation.settings["JOBTRAIL_HTTP_PORT"] = "eighty"
    assert "JOBTRAIL_HTTP_PORT='eighty'" in refused(installation, status=2)
    assert not installation.home.exists()


def test_a_database_that_does_not_answer_is_named(installation: Installation, short_folder: Path):
    installation.settings["JOBTRAIL_DATABASE_URL"] = f"postgresql://jobtrail@/x?host={short_folder}"
    assert "the database cannot be reached" in refused(installation)


def test_a_key_file_that_others_can_read_is_named(installation: Installation):
    installation.home.mkdir()
    (installation.home / "keys.json").write_text("{}")
    (installation.home / "keys.json").chmod(0o644)
    assert f"chmod 600 {installation.home}/keys.json" in refused(installation)
