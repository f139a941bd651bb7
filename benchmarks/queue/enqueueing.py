"""How fast work is asked for, and how soon an idle worker starts it."""

import statistics
from collections.abc import Mapping

from benchmarks.queue.children import bulk, children
from benchmarks.queue.drains import empty
from benchmarks.queue.server import Server
from benchmarks.queue.systems import System

CLIENTS = 8
RATE = 33
SETTLING = 5
"""The first few start while connections are still being made."""


def single(
    server: Server, system: System, seconds: float, options: Mapping[str, object], clients: int = 1
) -> float:
    """Tasks a second, each committed by itself, by that many processes at once."""
    empty(server, system)
    with children(server, system, "single", {"seconds": seconds, **options}, clients) as found:
        for client in found:
            client.go()
        reports = [client.wait_for_report() for client in found]
    return sum(report["count"] / report["seconds"] for report in reports)


def many(server: Server, system: System, count: int) -> float:
    """Rows a second in statements of a thousand."""
    empty(server, system)
    return bulk(server, system, count)


def starts(server: Server, system: System, count: int) -> tuple[float, float]:
    """Milliseconds from before the call that asks to the start of the handler: median and 95th percentile."""
    empty(server, system)
    options = system.profiles["default"].options
    with (
        children(server, system, "work", options) as (worker,),
        children(server, system, "paced", {"count": count + SETTLING, "rate": RATE, "wakes": True}) as (
            sender,
        ),
    ):
        worker.go()
        sender.go()
        sender.wait_for_report()
        worker.stop()
        delays = worker.delays_ms[SETTLING:]
        if len(delays) < count * 0.9:
            worker.fail()
    return statistics.median(delays), statistics.quantiles(delays, n=20)[-1]
