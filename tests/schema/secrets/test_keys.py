"""The key file: private from its first instant, made once, refused when others can read it."""

import base64
import json
import os
import threading
from pathlib import Path

import pytest
from fixtures.people import FixedClock

from schema.errors import HeldElsewhere
from schema.secrets.keys import KeyRing, KeysFixed, KeysUnusable, add_current, ensure, rotating
from schema.settings import HomeSettings


@pytest.fixture
def home(tmp_path: Path) -> HomeSettings:
    return HomeSettings(home=str(tmp_path))


def test_the_first_start_makes_a_private_file(home: HomeSettings, clock: FixedClock):
    ring = ensure(home, clock)
    assert home.keys().stat().st_mode & 0o777 == 0o600
    written = json.loads(home.keys().read_text())
    assert written["current"] == ring.keys().current
    assert len(base64.b64decode(written["keys"][written["current"]])) == 32
    assert [path.name for path in home.keys().parent.iterdir()] == ["keys.json"]


def test_the_second_start_keeps_it(home: HomeSettings, clock: FixedClock):
    first = ensure(home, clock).keys()
    assert ensure(home, clock).keys().key(first.current) == first.key(first.current)


def test_processes_starting_together_make_one_file(home: HomeSettings, clock: FixedClock):
    found: list[str] = []
    barrier = threading.Barrier(8)

    def start() -> None:
        barrier.wait()
        found.append(ensure(home, clock).keys().current)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 8


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_others_can_read_is_refused(home: HomeSettings, clock: FixedClock, mode: int):
    ring = ensure(home, clock)
    home.keys().chmod(mode)
    with pytest.raises(KeysUnusable, match="chmod 600"):
        ring.keys()


def test_a_missing_file_is_refused_without_making_one(home: HomeSettings):
    with pytest.raises(KeysUnusable, match="cannot be read"):
        KeyRing(home).keys()
    assert not home.keys().exists()


@pytest.mark.parametrize(
    "content",
    ["", "not json", "{}", '{"current": "a", "keys": {}}', '{"current": "a", "keys": {"a": "c2hvcnQ="}}'],
)
def test_a_file_that_holds_no_keys_is_refused_by_name(home: HomeSettings, content: str):
    home.keys().write_text(content)
    home.keys().chmod(0o600)
    with pytest.raises(KeysUnusable, match=r"keys\.json"):
        KeyRing(home).keys()


def test_a_changed_file_is_noticed_by_a_running_process(home: HomeSettings, clock: FixedClock):
    ring, other = ensure(home, clock), KeyRing(home)
    before = other.keys().current
    add_current(ring, clock, keep=set())
    assert other.keys().current != before
    assert other.keys().key(before)


def test_keys_come_from_the_environment(tmp_path: Path, clock: FixedClock):
    text = json.dumps({"current": "k", "keys": {"k": base64.b64encode(b"x" * 32).decode()}})
    ring = ensure(HomeSettings(home=str(tmp_path), keys_json=text), clock)
    assert ring.keys().key("k") == b"x" * 32
    assert not list(tmp_path.iterdir())
    with pytest.raises(KeysFixed):
        add_current(ring, clock, keep=set())


def test_one_rotation_at_a_time(home: HomeSettings, clock: FixedClock):
    ring = ensure(home, clock)
    with rotating(ring), pytest.raises(HeldElsewhere), rotating(KeyRing(home)):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, clock: FixedClock):
    tmp_path.chmod(0o500)
    with pytest.raises(KeysUnusable, match="cannot be written"):
        ensure(HomeSettings(home=str(tmp_path)), clock)
