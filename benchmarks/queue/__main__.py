"""The queue beside procrastinate, pgqueuer, graphile-worker and a plain loop, in one run on one server.

python -m benchmarks.queue [--quick] [--json]

The server is made for the run: fsync on, shared_buffers 1 GB, max_wal_size 4 GB, everything else as it comes.
Peers are installed into a private folder in the user's cache. `--quick` tells only what does not depend on
the machine, with our own rate and the plain loop's. Lines of progress go to standard error.
"""

import os
import sys
from collections.abc import Sequence

from benchmarks.queue import bars, commits, rounds
from benchmarks.queue.children import install
from benchmarks.queue.claims import Claims, claims, states
from benchmarks.queue.faults import faults
from benchmarks.queue.recovery import Recovered, again_after_kill, cut_connections, drained_after, restart
from benchmarks.queue.server import Server, running_server
from benchmarks.queue.systems import JOBTRAIL, OURS, PLAIN, System, prepare, systems
from benchmarks.table import Asked, Measure, main

FAULTS = 10_000
HARMS = {"connections cut": cut_connections, "server restarted": restart}


def measure(asked: Asked) -> Sequence[Measure]:
    found, missing = systems(with_peers=not asked.quick)
    for line in missing:
        print(line, file=sys.stderr)
    with running_server() as server:
        commits.prepare(server)
        for system in found:
            prepare(server, system)
            install(server, system)
        told = quick(server, found) if asked.quick else full(server, found)
    return [*told, Measure("load of the machine, one minute", os.getloadavg()[0], "")]


def quick(server: Server, found: Sequence[System]) -> list[Measure]:
    results = rounds.Results()
    rounds.run(server, rounds.quick(server, found), 1, results)
    claimed = claimed_in(server, [of(found, JOBTRAIL)], is_quick=True)
    late = faults(server, of(found, JOBTRAIL), FAULTS // 10)
    return [
        *bars.rates(results),
        *bars.costs(results, with_cpu=False),
        *bars.claiming(claimed),
        *bars.ending_late(late),
    ]


def full(server: Server, found: Sequence[System]) -> list[Measure]:
    results = rounds.Results()
    rounds.run(server, rounds.full(server, found), rounds.REPETITIONS, results)
    claimed = claimed_in(server, [of(found, name) for name in (*OURS, PLAIN)], is_quick=False)
    recovered, again = recovery(server, of(found, JOBTRAIL))
    late = faults(server, of(found, JOBTRAIL), FAULTS)
    return [
        *bars.rates(results),
        *bars.against(results),
        *bars.costs(results, with_cpu=True),
        *bars.asking(results),
        *bars.claiming(claimed),
        *bars.recovering(recovered, again),
        *bars.ending_late(late),
        *bars.machine(results),
    ]


def claimed_in(server: Server, chosen: Sequence[System], *, is_quick: bool) -> dict[str, dict[str, Claims]]:
    claimed: dict[str, dict[str, Claims]] = {}
    takes = 2 if is_quick else rounds.REPETITIONS
    for system in chosen:
        claimed[system.name] = {}
        for state in states(quick=is_quick):
            print(f"{system.name}, claims: {state.name}", file=sys.stderr)
            claimed[system.name][state.name] = claims(server, system, state, takes)
    return claimed


def recovery(server: Server, system: System) -> tuple[dict[str, list[Recovered]], list[float]]:
    recovered: dict[str, list[Recovered]] = {name: [] for name in HARMS}
    for _ in range(rounds.REPETITIONS):
        for name, harm in HARMS.items():
            print(name, file=sys.stderr)
            recovered[name].append(drained_after(server, system, harm))
    print("workers killed", file=sys.stderr)
    return recovered, again_after_kill(server, system)


def of(found: Sequence[System], name: str) -> System:
    return next(system for system in found if system.name == name)


if __name__ == "__main__":
    main("The task queue beside others on one PostgreSQL.", measure)
