import os
from pathlib import Path

import pytest

from backend.processes.refusals import CannotStart
from backend.processes.server_folder import (
    last_complaint,
    make_folders,
    open_log,
    read_pid_file,
    server_folders,
)

RUNNING = "4242\n/home/postgres/data\n1764400000\n5432\n/home/postgres/run\n\n  123  456\nready   \n"


def test_the_socket_lies_in_the_home_when_its_path_is_short():
    folders = server_folders(Path("/var/lib/jobtrail"))
    assert folders.socket == Path("/var/lib/jobtrail/postgres/run")


def test_a_long_home_gets_a_short_socket_folder_that_is_always_the_same():
    home = Path("/home") / ("x" * 120)
    socket = server_folders(home).socket
    assert len(str(socket)) < 60
    assert socket == server_folders(home).socket
    assert socket != server_folders(home / "other").socket


@pytest.mark.parametrize(
    "text", ["", "42", "42\n/data\n", "forty\na\nb\nc\nd\n", "42\na\nb\nc\n\n", "-1\na\nb\nc\nd\n"]
)
def test_a_half_written_pid_file_says_nothing(tmp_path: Path, text: str):
    (tmp_path / "postmaster.pid").write_text(text)
    assert read_pid_file(tmp_path) is None


def test_a_pid_file_says_where_to_knock(tmp_path: Path):
    (tmp_path / "postmaster.pid").write_text(RUNNING)
    pid_file = read_pid_file(tmp_path)
    assert pid_file is not None
    assert (pid_file.pid, pid_file.socket, pid_file.status) == (4242, Path("/home/postgres/run"), "ready")


def test_an_absent_pid_file_says_nothing(tmp_path: Path):
    assert read_pid_file(tmp_path) is None


def test_a_socket_folder_that_somebody_else_prepared_is_refused(tmp_path: Path):
    folders = server_folders(tmp_path)
    folders.base.mkdir(mode=0o700)
    (tmp_path / "elsewhere").mkdir()
    folders.socket.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotStart, match=str(folders.socket)):
        make_folders(folders, None)


def test_the_last_fatal_line_of_this_run_is_told_without_its_prefix(tmp_path: Path):
    log = tmp_path / "postgres.log"
    log.write_text("2026-11-29 [1] FATAL:  an old one\n")
    since = log.stat().st_size
    assert last_complaint(log, since) == ""
    with log.open("a") as file:
        file.write("2026-11-29 [2] PANIC:  could not write to file: No space left on device\n")
        file.write("2026-11-29 [3] FATAL:  the database system is starting up\n")
        file.write("2026-11-29 [2] LOG:  database system is shut down\n")
    assert last_complaint(log, since) == "could not write to file: No space left on device"


def test_a_log_grown_large_is_put_aside_once(tmp_path: Path):
    log = tmp_path / "postgres.log"
    log.write_bytes(b"x" * (5 * 1024 * 1024))
    os.close(open_log(log))
    assert log.stat().st_size == 0
    assert (tmp_path / "postgres.log.1").stat().st_size == 5 * 1024 * 1024
