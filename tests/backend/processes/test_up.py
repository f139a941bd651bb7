"""`jobtrail up` as a person meets it: real processes, real signals, real accidents."""

import concurrent.futures
import hashlib
import http.client
import os
import signal
import socket
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from fixtures.installation import Installation, is_alive, wait_until

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


def visit(url: str, path: str = "/") -> int:
    """The status a browser gets there; 0 when nothing speaks HTTP."""
    parts = urlsplit(url)
    assert parts.hostname
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    try:
        connection.request("GET", path, headers={"Accept": "text/html"})
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def is_well(url: str) -> bool:
    return 200 <= visit(url) < 400


def test_from_an_empty_home_to_a_url_and_back(installation: Installation):
    url = installation.start()
    assert is_well(url)
    family = installation.family()
    assert installation.stop() == 0
    assert not [name for name, pid in family.items() if is_alive(pid)]
    assert visit(url) == 0


def test_it_prints_one_line_and_no_traceback(installation: Installation):
    installation.start()
    installation.family()
    process = installation._process
    assert process is not None
    assert process.stdout
    installation._process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert installation.stop() == 0
    assert rest == ""
    assert "Traceback" not in installation.errors()


def test_an_ordinary_user_can_do_it_too(ordinary_installation: Installation):
    assert is_well(ordinary_installation.start())
    family = ordinary_installation.family()
    owner = ordinary_installation.user.pw_uid if ordinary_installation.user else os.geteuid()
    assert {Path(f"/proc/{pid}").stat().st_uid for pid in family.values()} == {owner}
    assert ordinary_installation.stop(signal.SIGTERM) == 0


def test_what_was_stored_is_there_after_the_next_start(installation: Installation):
    installation.start()
    with installation.connect() as connection:
        connection.execute("CREATE TABLE kept (n int)")
    assert installation.stop(signal.SIGTERM) == 0
    installation.start()
    with installation.connect() as connection:
        connection.execute("SELECT n FROM kept")
    assert installation.stop() == 0


@pytest.mark.parametrize("name", ["api", "worker", "mailsync"])
def test_a_killed_child_is_started_again_and_the_rest_runs_on(installation: Installation, name: str):
    url = installation.start()
    before = installation.family()
    os.kill(before[name], signal.SIGKILL)
    wait_until(lambda: installation.pid(name) not in {0, before[name]}, f"a new {name}")
    after = installation.family()
    assert {other for other in after if after[other] != before[other]} == {name}
    assert is_well(url)
    assert f"{name} was killed by SIGKILL" in installation.errors()
    assert installation.stop() == 0


def test_a_request_during_the_restart_of_the_api_waits_and_is_answered(installation: Installation):
    url = installation.start()
    os.kill(installation.pid("api"), signal.SIGKILL)
    assert is_well(url)
    assert installation.stop() == 0


def test_a_killed_postgres_is_started_again_and_the_rest_runs_on(installation: Installation):
    url = installation.start()
    before = installation.family()
    os.kill(before["postgres"], signal.SIGKILL)
    wait_until(lambda: installation.pid("postgres") not in {0, before["postgres"]}, "a new server")
    wait_until(lambda: can_connect(installation), "the new server to let us in")
    after = installation.family()
    assert {other for other in after if after[other] != before[other]} <= {"postgres", "worker", "mailsync"}
    assert is_well(url)
    assert installation.stop() == 0


def test_postgres_killed_under_load_costs_refusals_and_no_faults(installation: Installation):
    url = installation.start()
    before = installation.family()
    statuses: list[int] = []
    with concurrent.futures.ThreadPoolExecutor(4) as visitors:
        stop = threading.Event()

        def keep_visiting() -> None:
            while not stop.is_set():
                statuses.append(visit(url))

        visits = [visitors.submit(keep_visiting) for _ in range(4)]
        for _ in range(3):
            killed = installation.pid("postgres")
            os.kill(killed, signal.SIGKILL)
            wait_until(lambda killed=killed: installation.pid("postgres") not in {0, killed}, "a new server")
            wait_until(lambda: is_well(url), "a page again")
        stop.set()
        for each in visits:
            each.result()
    assert set(statuses) <= {200, 303, 503}
    assert installation.pid("api") == before["api"]
    assert installation.stop() == 0


def can_connect(installation: Installation) -> bool:
    try:
        installation.connect().close()
    except psycopg.OperationalError:
        return False
    return True


def test_children_end_with_a_killed_supervisor_and_the_next_start_recovers(installation: Installation):
    installation.settings["JOBTRAIL_HTTP_PORT"] = str(free_port())
    installation.start()
    family = installation.family()
    orphan = family.pop("postgres")
    os.kill(installation.supervisor, signal.SIGKILL)
    assert installation.stop() == -signal.SIGKILL
    assert is_alive(orphan)
    url = installation.start()
    wait_until(lambda: not [pid for pid in family.values() if is_alive(pid)], "the old children to end")
    assert is_well(url)
    assert not is_alive(orphan)
    assert installation.stop() == 0


def test_a_second_up_is_told_who_holds_the_home(installation: Installation):
    installation.start()
    second = installation.command("up")
    assert second.returncode == 75
    assert f"process {installation.supervisor} (jobtrail up, since" in second.stderr
    assert second.stderr.count("\n") == 1
    assert installation.stop() == 0


def test_a_start_that_others_can_reach_prints_a_one_time_token_that_a_restart_keeps(
    installation: Installation,
):
    installation.settings["JOBTRAIL_HTTP_HOST"] = "0.0.0.0"
    url = installation.start()
    token = parse_qs(urlsplit(url).query)["token"][0]
    expected = hashlib.sha256(token.encode()).hexdigest()
    killed = installation.pid("api")
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: installation.pid("api") not in {0, killed}, "a new api")
    port = urlsplit(url).port
    wait_until(lambda: is_well(f"http://127.0.0.1:{port}"), "a page again")
    with installation.connect() as connection:
        row = connection.execute("SELECT owner_token_hash FROM installation").fetchone()
    assert row == (expected,)
    assert installation.stop() == 0


def test_a_taken_port_is_said_at_once_and_nothing_is_made(installation: Installation):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        installation.settings["JOBTRAIL_HTTP_PORT"] = str(taken.getsockname()[1])
        done = installation.command("up")
    assert done.returncode == 1
    assert f"port {taken_port(installation)} on 127.0.0.1 is taken" in done.stderr
    assert "JOBTRAIL_HTTP_PORT" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (installation.home / "postgres").exists()


def taken_port(installation: Installation) -> str:
    return installation.settings["JOBTRAIL_HTTP_PORT"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def test_a_home_one_may_not_write_to_is_named(ordinary_installation: Installation, short_folder: Path):
    closed = short_folder / "closed"
    closed.mkdir(mode=0o555)
    ordinary_installation.home = closed / "home"
    done = ordinary_installation.command("up")
    assert done.returncode == 1
    assert f"cannot write to the folder {closed}/home: Permission denied" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_data_folder_of_another_major_version_is_named(installation: Installation):
    installation.start()
    assert installation.stop() == 0
    version = installation.home / "postgres/data/PG_VERSION"
    version.write_text("17\n")
    done = installation.command("up")
    assert done.returncode == 1
    assert "was made by PostgreSQL 17, and this Jobtrail brings 18" in done.stderr
    assert version.read_text() == "17\n"
    version.write_text("18\n")


def test_a_wrong_setting_is_named_before_anything_starts(installation: Installation):
    installation.settings["JOBTRAIL_HTTP_PORT"] = "eighty"
    done = installation.command("up")
    assert done.returncode == 2
    assert "JOBTRAIL_HTTP_PORT='eighty'" in done.stderr
    assert not installation.home.exists()


def test_a_database_that_does_not_answer_is_named(installation: Installation, short_folder: Path):
    installation.settings["JOBTRAIL_DATABASE_URL"] = f"postgresql://jobtrail@/x?host={short_folder}"
    done = installation.command("up")
    assert done.returncode == 1
    assert "the database cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
