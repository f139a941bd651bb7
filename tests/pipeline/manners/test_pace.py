"""The pace of a host, over workers with connections of their own: measured where the requests arrive."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import msgspec
import psycopg
import pytest
from emulators.web import Asked, Reply, Web
from fixtures.asking_process import asking
from fixtures.worker import until

from pipeline.manners import store
from pipeline.manners.fetch import polite_fetcher
from pipeline.manners.pace import Pace, Passage
from pipeline.manners.types import NEITHER, Flight, HostState, Verdict
from pipeline.sources.types import Answer, FetchFailed
from schema.db import Database
from schema.settings import DatabaseSettings, SourceSettings

HOST = "jobs.example"
URL = f"https://{HOST}/board"
SPACING = 0.2
LEAST = timedelta(seconds=SPACING)
SHORT = timedelta(seconds=0.2)
LONG = timedelta(seconds=20)


class Starts:
    """When each request arrived at the host; robots.txt is a request too."""

    def __init__(self, web: Web) -> None:
        self.at: list[float] = []
        self._reply = web.reply
        web.reply = self.reply

    def reply(self, asked: Asked) -> Reply:
        self.at.append(time.monotonic())
        return self._reply(asked)


@pytest.fixture
def settings(web_settings: SourceSettings) -> SourceSettings:
    return msgspec.structs.replace(web_settings, spacing_seconds=SPACING)


@pytest.fixture
async def workers(
    database: Database, database_settings: DatabaseSettings
) -> AsyncGenerator[list[Database], None]:
    alone = msgspec.structs.replace(database_settings, pool_size=1)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Database.opened(alone)) for _ in range(8)]


async def state(database: Database) -> HostState:
    async with database.as_fleet() as unit:
        return (await store.hosts(unit))[0]


async def passage(database: Database, patience: timedelta = LONG) -> Passage:
    pace = Pace(database, patience=patience, longest=timedelta(seconds=1))
    return await pace.boarded(HOST, LEAST, is_known=True)


async def fetched(database: Database, settings: SourceSettings, **options: timedelta) -> Answer:
    async with polite_fetcher(database, settings, **options) as fetch:
        return await fetch(URL)


async def test_eight_workers_share_one_pace_also_when_one_is_killed_in_its_turn(
    web: Web, settings: SourceSettings, workers: list[Database], login_url: str, monkeypatch
):
    held = asyncio.Event()
    loop = asyncio.get_running_loop()

    def site(asked: Asked) -> Reply:
        if asked.path != "/held":
            return Reply(b"{}")
        loop.call_soon_threadsafe(held.set)
        return Reply(never=True)

    web.sites[HOST] = site
    starts, sent = Starts(web), list[float]()
    start = Passage.start

    async def timed(passage: Passage) -> None:
        await start(passage)
        sent.append(time.monotonic())

    monkeypatch.setattr(Passage, "start", timed)
    killed = asking(login_url, web.url, SPACING, f"https://{HOST}/held")
    try:
        await asyncio.wait_for(held.wait(), 20)
    finally:
        killed.kill()
        killed.wait()
    await asyncio.gather(*(fetched(worker, settings) for worker in workers))
    # Here one process is all workers and the host too: what it sees arriving blurs by its own busyness. How
    # exact it is with a process each is measured by `benchmarks.manners`.
    assert len(sent) == 8
    assert min(after - before for before, after in pairwise(sorted(sent))) >= SPACING - 0.001
    assert len(starts.at) == 10
    assert min(after - before for before, after in pairwise(starts.at)) >= SPACING * 0.9
    assert starts.at[-1] - starts.at[2] < 7 * SPACING * 4
    assert [asked.path for asked in web.asked].count("/robots.txt") == 1


async def test_at_most_two_requests_are_under_way_whoever_asks(database: Database):
    first, second = await passage(database), await passage(database)
    with pytest.raises(FetchFailed) as raised:
        await passage(database, SHORT)
    assert raised.value.problem == "host_blocked"
    assert raised.value.until is not None
    waiting = asyncio.ensure_future(passage(database))
    await second.over(NEITHER)
    third = await waiting
    assert (await state(database)).under_way == 2
    await first.over(NEITHER)
    await third.over(NEITHER)
    assert (await state(database)).under_way == 0


async def test_while_somebody_waits_for_room_who_comes_anew_waits_too(database: Database):
    options = {"least": LEAST, "is_known": True, "flight": LONG, "patience": LONG}
    places = [await store.board(database, HOST, **options) for _ in range(2)]
    assert await store.board(database, HOST, **options, is_waiting=True) is None
    assert await store.wait(database, HOST, timedelta(minutes=1)) is not None
    assert places[0] is not None
    await store.report(database, Flight(host=HOST, ends=places[0].ends), None, NEITHER)
    assert await store.board(database, HOST, **options) is None
    assert await store.board(database, HOST, **options, is_waiting=True) is not None


async def test_a_worker_that_died_holds_its_place_no_longer_than_a_request_can_take(
    database: Database, owner_url: str
):
    for _ in range(2):
        await passage(database)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "UPDATE host_paces SET flights = ARRAY[clock_timestamp() - interval '1 ms', flights[2]]"
        )
    await passage(database)


async def test_a_refusal_doubles_success_narrows_and_two_refused_together_double_once(database: Database):
    first, second = await passage(database), await passage(database)
    await first.start()
    await second.start()
    await first.over(Verdict(outcome="refused"))
    await second.over(Verdict(outcome="refused"))
    refused = await state(database)
    assert (refused.spacing, refused.refusals) == (2 * LEAST, 2)
    assert refused.next_start_at - refused.used_at > 2 * LEAST
    spacings: list[timedelta] = []
    for _ in range(8):
        flight = await boarded(database)
        taken = await store.take(database, HOST, slack=timedelta(), patience=timedelta(hours=1))
        assert taken is not None
        await store.report(database, flight, taken.started_at, Verdict(outcome="served"))
        spacings.append((await state(database)).spacing)
    assert spacings[0] == 2 * LEAST * 0.9
    assert spacings == sorted(spacings, reverse=True)
    assert spacings[-1] == LEAST
    assert (await state(database)).refusals == 0


async def boarded(database: Database, least: timedelta = LEAST, *, is_known: bool = True) -> Flight:
    found = await store.board(
        database,
        HOST,
        least=least,
        is_known=is_known,
        flight=timedelta(seconds=1),
        patience=timedelta(hours=1),
    )
    assert found is not None
    return Flight(host=HOST, ends=found.ends)


async def test_refusals_without_a_time_block_ever_longer_and_the_longest_block_stands(database: Database):
    blocks: list[float] = []
    for _ in range(3):
        flight = await boarded(database)
        ours = Verdict(outcome="refused", block=timedelta(seconds=60), is_ours=True)
        reported = await store.report(database, flight, datetime.now(UTC), ours)
        assert reported is not None and reported.blocked_until is not None
        blocks.append((reported.blocked_until - datetime.now(UTC)).total_seconds())
    assert blocks == [pytest.approx(each, abs=5) for each in (60, 120, 240)]
    flight = await boarded(database)
    shorter = await store.report(
        database, flight, None, Verdict(outcome="neither", block=timedelta(seconds=1))
    )
    assert shorter is not None and shorter.blocked_until == reported.blocked_until


async def test_a_host_that_wants_to_be_left_alone_is_left_alone_by_all(
    web: Web, settings: SourceSettings, workers: list[Database], database: Database
):
    web.sites[HOST] = lambda _: Reply(b"{}", 429, headers={"Retry-After": "3600"})
    assert (await fetched(workers[0], settings)).retry_after_seconds == 3600
    failures: list[FetchFailed] = []
    for worker in workers[1:3]:
        with pytest.raises(FetchFailed) as raised:
            await fetched(worker, settings)
        failures.append(raised.value)
    assert {failure.problem for failure in failures} == {"host_blocked"}
    free_at = failures[0].until
    assert free_at is not None and 3590 < (free_at - datetime.now(UTC)).total_seconds() < 3601
    assert len(web.pages()) == 1
    blocked = await state(database)
    assert (blocked.blocked_until, blocked.spacing) == (free_at, 2 * LEAST)


async def test_who_waits_for_its_turn_does_not_ask_after_a_block(database: Database):
    first = await passage(database)
    await first.start()
    second = await passage(database)
    slow = timedelta(seconds=0.6)
    async with database.as_fleet() as unit:
        await unit.connection.execute("UPDATE host_paces SET arrival_at = clock_timestamp() + %s", (slow,))
    waiting = asyncio.ensure_future(second.start())

    async def is_taken() -> bool | None:
        return (await state(database)).next_start_at - datetime.now(UTC) > slow or None

    await until(is_taken, 5, "a turn")
    await first.over(Verdict(outcome="refused", block=timedelta(hours=1)))
    with pytest.raises(FetchFailed) as raised:
        await waiting
    assert raised.value.problem == "host_blocked"


async def test_a_start_that_was_missed_is_given_up_for_one_that_allows_more(database: Database, monkeypatch):
    slacks: list[timedelta] = []
    take = store.take

    async def far(db: Database, host: str, *, slack: timedelta, **options: Any):
        slacks.append(slack)
        taken = await take(db, host, slack=slack, **options)
        await asyncio.sleep(0.03)
        return taken

    monkeypatch.setattr(store, "take", far)
    asked = await passage(database)
    await asked.start()
    assert slacks[:3] == [timedelta(seconds=each) for each in (0.02, 0.04, 0.08)]
    assert slacks[-1] >= 2 * timedelta(seconds=0.03)


async def test_what_a_robots_file_asks_for_is_the_least_and_no_reading_of_one_lowers_it(database: Database):
    await boarded(database, timedelta(seconds=10))
    await boarded(database, is_known=False)
    assert (await state(database)).least_spacing == timedelta(seconds=10)


async def test_a_host_forgotten_meanwhile_is_no_trouble(database: Database, owner_url: str):
    asked = await passage(database)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("DELETE FROM host_paces")
    with pytest.raises(FetchFailed):
        await asked.start()
    await asked.over(NEITHER)
