"""The rows of the table, each with its bar: ratios within one run, and figures that know no machine."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.queue.claims import BASE, Claims
from benchmarks.queue.faults import Faults
from benchmarks.queue.recovery import Recovered
from benchmarks.queue.rounds import Results
from benchmarks.queue.systems import ACCOUNTED, GRAPHILE, JOBTRAIL, PGQUEUER, PLAIN, PROCRASTINATE
from benchmarks.table import Measure

NAMES = (JOBTRAIL, ACCOUNTED, PLAIN, PGQUEUER, PROCRASTINATE, GRAPHILE)
PROFILES = ("default", "tuned", "one at a time")
PROCESSES = (1, 2, 4)
COMMITS_DEFAULT, COMMITS_TUNED, WAL_BYTES = 0.15, 0.03, 600.0
CLIENT_US, SERVER_US = 100.0, 80.0
AGAINST = (
    ("default", 1, PGQUEUER, 3.0),
    ("default", 1, GRAPHILE, 4.0),
    ("tuned", 1, PGQUEUER, 2.0),
    ("tuned", 1, GRAPHILE, 0.6),
    ("tuned", 1, PLAIN, 0.6),
    ("tuned", 4, PGQUEUER, 3.0),
    ("tuned", 4, GRAPHILE, 1.0),
)
"""Profile, processes, whom our rate is set against, and the least it may be of theirs."""
ASKING = (("single", PLAIN, 0.85), ("single", PGQUEUER, 1.3), ("bulk", PLAIN, 0.7))
P50_AGAINST_PLAIN, P95_MS = 1.5, 10.0
CLAIM_AGAINST_BASE = 2.0
DRAINED_SECONDS, AGAIN_SECONDS = 5.0, 30.0


def rates(results: Results) -> Iterator[Measure]:
    """Tasks a second of every system, then ours against theirs."""
    yield from _commit_limits(results)
    for profile in PROFILES:
        for processes in PROCESSES:
            for name in NAMES:
                if ("drain", name, profile, str(processes)) in results:
                    rate = results.drain(name, profile, processes).rate
                    yield Measure(f"{name}, {profile}, {_of(processes)}", rate, "tasks/s")


def against(results: Results) -> Iterator[Measure]:
    for profile, processes, name, least in AGAINST:
        if ("drain", name, profile, str(processes)) in results:
            ours, theirs = (results.drain(each, profile, processes).rate for each in (JOBTRAIL, name))
            label = f"{profile}, {_of(processes)}: against {name}"
            yield Measure(label, ours / theirs, "times", least, at_least=True)
    four = results.drain(JOBTRAIL, "tuned", 4).rate / results.number("commits", "8")
    yield Measure("tuned, 4 processes: against commits of 8 clients", four, "times", 2.0, at_least=True)
    one = results.drain(JOBTRAIL, "one at a time").rate / results.number("commits", "1")
    yield Measure("one at a time: against commits of 1 client", one, "times", 0.4, at_least=True)


def costs(results: Results, *, with_cpu: bool) -> Iterator[Measure]:
    """What a task costs, of every system; only ours are held to the bars."""
    for name in NAMES:
        for profile, most in (("default", COMMITS_DEFAULT), ("tuned", COMMITS_TUNED)):
            if ("drain", name, profile, "1") not in results:
                continue
            found, is_ours = results.drain(name, profile), name == JOBTRAIL
            label = f"{name}, {profile}: "
            yield Measure(f"{label}commits a task", found.commits, "", most if is_ours else None)
            yield Measure(f"{label}log a task", found.wal_bytes, "bytes", WAL_BYTES if is_ours else None)
            held = is_ours and with_cpu and profile == "tuned"
            yield Measure(f"{label}workers a task", found.client_us, "us", CLIENT_US if held else None)
            yield Measure(f"{label}server a task", found.server_us, "us", SERVER_US if held else None)


def asking(results: Results) -> Iterator[Measure]:
    """Enqueueing, and the way from there to the start of the handler."""
    for what, unit in (("single", "tasks/s"), ("bulk", "rows/s")):
        for name in NAMES:
            if (what, name) in results:
                yield Measure(f"{name}, enqueue {what}", results.number(what, name), unit)
    for what, name, least in ASKING:
        if (what, name) in results:
            ratio = results.number(what, JOBTRAIL) / results.number(what, name)
            yield Measure(f"enqueue {what}: against {name}", ratio, "times", least, at_least=True)
    with_, without = (results.number("eight", f"{word} wake-ups") for word in ("with", "without"))
    yield Measure("8 clients enqueue, with wake-ups", with_, "tasks/s")
    yield Measure("8 clients enqueue: against none", with_ / without, "times", 0.9, at_least=True)
    yield from _starts(results)


def _starts(results: Results) -> Iterator[Measure]:
    for name in NAMES:
        if ("start", name) in results:
            p50, p95 = results.pair("start", name)
            yield Measure(f"{name}, enqueue to start, p50", p50, "ms")
            yield Measure(f"{name}, enqueue to start, p95", p95, "ms", P95_MS if name == JOBTRAIL else None)
    ours, plain = (results.pair("start", name)[0] for name in (JOBTRAIL, PLAIN))
    yield Measure("enqueue to start, p50: against plain", ours / plain, "times", P50_AGAINST_PLAIN)


def claiming(found: Mapping[str, Mapping[str, Claims]]) -> Iterator[Measure]:
    """By system and state; ours are held to a multiple of the state with few rows."""
    for name, states in found.items():
        base, is_ours = states[BASE], name == JOBTRAIL
        for state, claims in states.items():
            yield Measure(f"{name}, claim: {state}", claims.claim, "ms")
            if claims.anew is not None:
                yield Measure(f"{name}, claim after a look: {state}", claims.anew, "ms")
            if state != BASE:
                bar = CLAIM_AGAINST_BASE if is_ours else None
                yield Measure(f"{name}, claim: {state}: against few", claims.claim / base.claim, "times", bar)


def recovering(found: Mapping[str, Sequence[Recovered]], again: Sequence[float]) -> Iterator[Measure]:
    for name, times in found.items():
        seconds = statistics.median(one.seconds for one in times)
        yield Measure(f"{name}: drained after", seconds, "s", DRAINED_SECONDS)
        yield Measure(f"{name}: tasks left behind", max(one.left for one in times), "tasks", 0)
    yield Measure("workers killed: all their tasks run again", max(again), "s", AGAIN_SECONDS)


def ending_late(found: Faults) -> Iterator[Measure]:
    yield Measure(f"{found.made:,} faults: stale ends taken", found.stale, "ends", 0)
    yield Measure(f"{found.made:,} faults: good ends refused", found.refused, "ends", 0)


def machine(results: Results) -> Iterator[Measure]:
    """What the same commit limit was before every cell: far apart, the run was disturbed."""
    yield Measure("commit limit before each, lowest", min(results.calibrations), "commits/s")
    yield Measure("commit limit before each, median", statistics.median(results.calibrations), "commits/s")
    yield Measure("commit limit before each, highest", max(results.calibrations), "commits/s")


def _commit_limits(results: Results) -> Iterator[Measure]:
    for clients in (1, 2, 4, 8):
        if ("commits", str(clients)) in results:
            rate = results.number("commits", str(clients))
            yield Measure(f"commit limit, {clients} client{'s' * (clients > 1)}", rate, "commits/s")


def _of(processes: int) -> str:
    return f"{processes} process{'es' * (processes > 1)}"
