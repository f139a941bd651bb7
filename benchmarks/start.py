"""How long until the printed URL answers, from an empty home and again, and how much an installation weighs.

python -m benchmarks.start [--quick] [--json]
"""

import http.client
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.table import Asked, Measure, main

WARM_START_BAR_SECONDS = 3.0
STOP_BAR_SECONDS = 5.0
MEGABYTE = 1024 * 1024
LOCKED = re.compile(r"^([a-z0-9_.-]+)==", re.MULTILINE)


def measure(asked: Asked) -> Sequence[Measure]:
    rounds = 3 if asked.quick else 10
    cold: list[float] = []
    warm: list[float] = []
    stops: list[float] = []
    for _ in range(rounds):
        folder = Path(tempfile.mkdtemp(prefix="jt-"))
        folder.chmod(0o711)  # root's server runs as another user, who has to pass through
        home = folder / "home"
        try:
            for seconds in (cold, warm):
                started, stopped = start_and_stop(home)
                seconds.append(started)
                stops.append(stopped)
        finally:
            shutil.rmtree(folder)
    return [
        Measure("cold start, empty home, median", statistics.median(cold), "s"),
        Measure("cold start, slowest", max(cold), "s"),
        Measure("warm start, median", statistics.median(warm), "s", WARM_START_BAR_SECONDS),
        Measure("warm start, slowest", max(warm), "s"),
        Measure("stop, slowest", max(stops), "s", STOP_BAR_SECONDS),
        Measure("installed environment", environment_bytes() / MEGABYTE, "MB"),
        Measure("load of the machine, one minute", os.getloadavg()[0], ""),
    ]


def start_and_stop(home: Path) -> tuple[float, float]:
    """Seconds from the command to the first answer of its URL, and from Ctrl-C to the end."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "backend", "up"],
        env={**os.environ, "JOBTRAIL_HOME": str(home), "JOBTRAIL_HTTP_PORT": "0"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        if not found:
            sys.exit("jobtrail up printed no URL; it says why above")
        visit(found[0])
        started = time.perf_counter() - began
    finally:
        asked = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.wait()
    return started, time.perf_counter() - asked


def visit(url: str) -> None:
    """Ask for the page as a browser does; whatever it says to a stranger, the server must be well."""
    parts = urlsplit(url)
    assert parts.hostname
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.request("GET", parts.path or "/", headers={"Accept": "text/html"})
    status = connection.getresponse().status
    connection.close()
    if status >= 500:
        sys.exit(f"{url} answered {status}")


def environment_bytes() -> int:
    """What the locked runtime packages take on disk; what only development needs is not counted."""
    lock = Path(__file__).parents[1] / "requirements.lock"
    wanted = {normal(name) for name in LOCKED.findall(lock.read_text())}
    site = Path(sysconfig.get_paths()["purelib"])
    files = {
        Path(str(file.locate()))
        for package in distributions(path=[str(site)])
        if normal(package.metadata["Name"]) in wanted
        for file in package.files or ()
    }
    return sum(path.stat().st_size for path in files if path.is_file())


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main("Cold start, warm start and size of an installation.", measure)
