"""A hundred faults of every kind at random; `python -m benchmarks.queue.harm` makes thousands."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parents[4]


class Told(msgspec.Struct):
    name: str
    value: float
    holds: bool | None


@pytest.mark.process
def test_a_hundred_faults_at_random_leave_nothing_stale_lost_or_doubled():
    command = [sys.executable, "-m", "benchmarks.queue.harm", "--faults", "100", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [msgspec.json.decode(line, type=Told) for line in done.stdout.splitlines()]
    assert [measure.holds for measure in told].count(True) == 3
    assert next(measure.value for measure in told if measure.name == "tasks") > 100
