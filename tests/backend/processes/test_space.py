from pathlib import Path

import pytest

from backend.processes import space
from backend.processes.space import SpaceWatch


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Set `free[0]` to what the disk has left."""
    left = [10**9]
    monkeypatch.setattr(space, "free_bytes", lambda _: left[0])
    monkeypatch.setattr(space, "_EVERY_SECONDS", 0.0)
    return left


def test_a_disk_running_full_is_said_once_and_its_end_once(free: list[int]):
    told: list[str] = []
    watch = SpaceWatch(Path("/data"), told.append)
    for left in (10**9, 10**6, 10**6, 10**9, 10**9):
        free[0] = left
        watch.look()
    assert len(told) == 2
    assert "only 0 MB are free on the disk of /data" in told[0]
    assert "space again" in told[1]


def test_the_disk_is_looked_at_now_and_then_only(monkeypatch: pytest.MonkeyPatch):
    looks: list[Path] = []

    def count(folder: Path) -> int:
        looks.append(folder)
        return 10**9

    monkeypatch.setattr(space, "free_bytes", count)
    watch = SpaceWatch(Path("/data"), print)
    for _ in range(5):
        watch.look()
    assert len(looks) == 1
