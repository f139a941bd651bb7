"""`jobtrail up` from an empty home to its end, and again: real processes, real signals."""

import hashlib
import http.client
import os
import signal
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from fixtures.installation import Installation, become_owner, free_port, is_alive, is_well, visit, wait_until

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


def test_from_an_empty_home_to_a_url_and_back_and_again(installation: Installation):
    url = installation.start()
    assert is_well(url)
    family = installation.family()
    with installation.connect() as connection:
        connection.execute("CREATE TABLE kept (n int)")
    assert installation.stop() == 0
    assert not [name for name, pid in family.items() if is_alive(pid)]
    assert visit(url) == 0
    installation.start()
    with installation.connect() as connection:
        connection.execute("SELECT n FROM kept")
    assert installation.stop(signal.SIGTERM) == 0


def test_an_ordinary_user_gets_one_line_and_no_traceback(ordinary_installation: Installation):
    assert is_well(ordinary_installation.start())
    family = ordinary_installation.family()
    owner = ordinary_installation.user.pw_uid if ordinary_installation.user else os.geteuid()
    assert {Path(f"/proc/{pid}").stat().st_uid for pid in family.values()} == {owner}
    assert ordinary_installation.stop() == 0
    assert ordinary_installation.rest == ""
    logs = ordinary_installation.home / "log"
    assert {each.name for each in logs.iterdir()} >= {"postgres.log", "api.log"}
    assert {each.stat().st_mode & 0o077 for each in (logs, *logs.iterdir())} == {0}
    assert "Traceback" not in ordinary_installation.errors()


def test_an_open_page_does_not_hold_up_the_end(installation: Installation):
    url = installation.start()
    parts = urlsplit(url)
    stream = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=20)
    stream.request("GET", "/live", headers={"Cookie": become_owner(url)})
    answer = stream.getresponse()
    assert answer.status == 200
    assert answer.readline() == b"retry: 2000\n"
    began = time.monotonic()
    assert installation.stop() == 0
    assert time.monotonic() - began < 8
    assert "Traceback" not in installation.errors()
    stream.close()


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
    assert is_well(f"http://127.0.0.1:{urlsplit(url).port}")
    with installation.connect() as connection:
        row = connection.execute("SELECT owner_token_hash FROM installation").fetchone()
    assert row == (expected,)
    assert installation.stop() == 0
