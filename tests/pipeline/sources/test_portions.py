"""A long board is written while the rest of it is made: all of it or nothing, and nothing goes on."""

import asyncio
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from typing import Any

import pytest
from fixtures.scripted_boards import ScriptedBoards, shown, whole

from pipeline.sources import portions, settling, tasks
from pipeline.sources.portions import ahead
from pipeline.worker.types import Transient
from schema.settings import SourceSettings
from schema.tasks import PullSource

_SCOPE: ContextVar[str] = ContextVar("scope", default="outside")
CREW = [shown(f"Mate {number}") for number in range(10)]


async def test_the_next_is_made_while_one_is_used_and_in_the_scope_of_whoever_asked():
    made: list[tuple[int, str]] = []
    wanted = asyncio.Event()

    async def items() -> AsyncGenerator[int, None]:
        for number in range(3):
            made.append((number, _SCOPE.get()))
            yield number
            wanted.set()

    async with ahead(items()) as taken:
        assert made == [(0, "outside")]
        _SCOPE.set("inside")
        used: list[int] = []
        async for each in taken:
            wanted.clear()
            used.append(each)
            await wanted.wait()
            assert len(made) == min(each + 2, 3)
    assert used == [0, 1, 2]
    assert {scope for _, scope in made} == {"outside"}


async def test_what_is_being_made_ends_with_the_block_and_its_fault_is_the_users():
    begun, ended = asyncio.Event(), asyncio.Event()

    async def items(*, fails: bool) -> AsyncGenerator[int, None]:
        yield 1
        begun.set()
        try:
            if fails:
                raise KeyError("two")
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with ahead(items(fails=False)) as taken:
        assert await anext(taken) == 1
        await begun.wait()
    assert ended.is_set()
    async with ahead(items(fails=True)) as taken:
        assert await anext(taken) == 1
        with pytest.raises(KeyError):
            await anext(taken)


async def test_a_board_of_many_portions_is_written_whole_or_not_at_all(
    catalog: ScriptedBoards, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(portions, "PORTION", 3)
    source = await catalog.source()
    tables = ("postings", "listings", "pulls")
    counts = f"SELECT {', '.join(f'(SELECT count(*) FROM {table})' for table in tables)}"

    class Crash(Exception):
        """The process ends here."""

    for module, name in ((settling, "write_listings"), (portions, "records"), (portions, "add_descriptions")):
        calls = [getattr(module, name)] * 2

        def crash(*args: object, calls: list[Any] = calls, **options: object) -> object:
            if not calls:
                raise Crash
            return calls.pop()(*args, **options)

        with monkeypatch.context() as patch:
            patch.setattr(module, name, crash)
            with pytest.raises(Crash):
                await catalog.pull(source, whole(*CREW))
        assert catalog.rows(counts) == [(0, 0, 0)], name
    refused = shown("Ghost", is_listed=False)
    assert (await catalog.pull(source, whole(*CREW, refused))).word == "complete"
    assert catalog.rows(counts) == [(10, 11, 1)]
    assert catalog.rows("SELECT observed, refused, written, closed FROM pulls") == [(11, 1, 11, 0)]
    assert catalog.one("SELECT count(*) FROM postings WHERE description_state = 'stored'") == 10
    # What is looked for twins of is asked for once, not by each portion.
    assert catalog.one("SELECT count(*) FROM tasks WHERE kind = 'catalog.twins.v1'") == 1
    assert (await catalog.pull(source, whole(*CREW, refused))).word == "nothing_new"
    assert catalog.rows("SELECT refused, written FROM pulls ORDER BY id DESC LIMIT 1") == [(1, 0)]


async def test_a_pull_that_is_stopped_while_it_writes_leaves_nothing_and_holds_nothing(
    catalog: ScriptedBoards, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(portions, "PORTION", 2)
    source = await catalog.source()
    written: list[object] = []
    second = asyncio.Event()
    write = settling.write_listings

    async def slow(*args: Any, **options: Any) -> None:
        await write(*args, **options)
        written.append(args)
        if len(written) == 2:
            second.set()
            await asyncio.Event().wait()

    before = asyncio.all_tasks()
    with monkeypatch.context() as patch:
        patch.setattr(settling, "write_listings", slow)
        pull = asyncio.create_task(catalog.pull(source, whole(*CREW)))
        await second.wait()
        pull.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pull
    assert asyncio.all_tasks() == before
    assert catalog.rows("SELECT (SELECT count(*) FROM listings), (SELECT count(*) FROM pulls)") == [(0, 0)]
    assert (await catalog.pull(source, whole(*CREW))).word == "complete"


async def test_more_long_boards_at_once_than_there_are_connections_take_turns(
    catalog: ScriptedBoards, monkeypatch: pytest.MonkeyPatch
):
    for module in (portions, tasks):
        monkeypatch.setattr(module, "PORTION", 2)
    boards = [await catalog.source(board=f"northwind-{number}") for number in range(6)]
    catalog.adapters["ashby"].next = whole(*CREW)
    handler = tasks.pull_handler(SourceSettings())
    done = await asyncio.gather(*(handler(catalog.run(), PullSource(source_id=each)) for each in boards))
    assert [each.word for each in done] == ["complete"] * 6
    assert catalog.rows("SELECT count(*), count(DISTINCT posting_id) FROM listings") == [(60, 10)]


async def test_a_pull_that_came_late_makes_no_more_than_it_had(
    catalog: ScriptedBoards, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(portions, "PORTION", 2)
    source = await catalog.source()
    outcomes = await asyncio.gather(
        *(catalog.pull(source, whole(*CREW)) for _ in range(3)), return_exceptions=True
    )
    assert [type(each) for each in outcomes].count(Transient) == 2
    assert catalog.rows("SELECT count(*), count(DISTINCT vendor_id) FROM listings") == [(10, 10)]
    assert catalog.one("SELECT count(*) FROM posting_events") == 10
