"""python -m benchmarks.matching [--quick] [--json]

The handler of `match.account.v1` on a real PostgreSQL of its own: 600 messages beside 10 to 10,000
applications, all decisions anew, and a whole mailbox matched once more. In one process, so on one core beside
the server's.
"""

import asyncio
import os
import resource
import time
from collections.abc import Sequence

from benchmarks.installation import installed
from benchmarks.matching.filling import filled, mark_stale, outcomes
from benchmarks.table import Asked, Measure, main
from matcher.evidence.tasks import match_account
from pipeline.worker.types import TaskRun
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.live import TaskProgress
from schema.settings import Settings
from schema.tasks import MatchAccount

MESSAGES = 600
SIZES = (10, 100, 1_000, 10_000)
ROUNDS = 5
QUICK_ROUNDS = 3
MAILBOX = 60_000
QUICK_MAILBOX = 3_000
GROWTH_BAR = 1.5
RATE_BAR = 200.0
WHOLE_BAR_SECONDS = 360.0


def measure(asked: Asked) -> Sequence[Measure]:
    with installed() as usable:
        return asyncio.run(measured(usable, asked))


async def measured(settings: Settings, asked: Asked) -> list[Measure]:
    async with Database.opened(settings.database) as database:
        growth = await beside_many(
            database, settings.database.owner_url, QUICK_ROUNDS if asked.quick else ROUNDS
        )
        again = await whole_mailbox(database, settings.database.owner_url, asked)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return [
        *growth,
        *again,
        Measure("peak memory of the matcher", peak_mb, "MB"),
        Measure("load of the machine, one minute", os.getloadavg()[0], ""),
    ]


async def beside_many(database: Database, owner_url: str, rounds: int) -> list[Measure]:
    """The best of some rounds over all sizes: what else runs on the machine only ever adds."""
    accounts = {
        size: filled(owner_url, applications=size, written_about=SIZES[0], messages=MESSAGES)
        for size in SIZES
    }
    for account in accounts.values():
        await run(database, account)
        require(outcomes(owner_url, account), {"attached": MESSAGES * 2 // 3, "asks": MESSAGES // 3})
    cost_ms = dict.fromkeys(SIZES, float("inf"))
    for size, account in [each for _ in range(rounds) for each in accounts.items()]:
        mark_stale(owner_url, account)
        cost_ms[size] = min(cost_ms[size], 1000 * await run(database, account) / MESSAGES)
    told = [Measure(f"a message beside {size:,} applications", cost, "ms") for size, cost in cost_ms.items()]
    growth = cost_ms[SIZES[-1]] / cost_ms[SIZES[0]]
    return [*told, Measure(f"{SIZES[-1]:,} applications to {SIZES[0]}", growth, "times", GROWTH_BAR)]


async def whole_mailbox(database: Database, owner_url: str, asked: Asked) -> list[Measure]:
    messages = QUICK_MAILBOX if asked.quick else MAILBOX
    account = filled(owner_url, applications=1_000, written_about=1_000, messages=messages)
    first = await run(database, account)
    mark_stale(owner_url, account)
    again = await run(database, account)
    require(outcomes(owner_url, account), {"attached": messages * 2 // 3, "asks": messages // 3})
    bar = None if asked.quick else WHOLE_BAR_SECONDS
    return [
        Measure("matched for the first time", messages / first, "messages/s", RATE_BAR, at_least=True),
        Measure("matched again", messages / again, "messages/s", RATE_BAR, at_least=True),
        Measure(f"{messages:,} messages matched again", again, "s", bar),
    ]


async def run(database: Database, account: AccountId) -> float:
    """Seconds of one run of the handler."""
    task = TaskRun(
        db=database, clock=SystemClock(), task_id=TaskId(0), account_id=account, attempt=1, report=nothing
    )
    began = time.perf_counter()
    await match_account(task, MatchAccount())
    return time.perf_counter() - began


async def nothing(_: TaskProgress) -> None:
    """Nobody watches."""


def require(found: dict[str, int], wanted: dict[str, int]) -> None:
    if found != wanted:
        raise SystemExit(f"matched {found} instead of {wanted}; no figure is told")


if __name__ == "__main__":
    main("Matching: cost per message beside many applications, and a whole mailbox.", measure)
