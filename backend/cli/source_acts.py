"""What the commands about boards do on a database. Prints nothing but the question it asks."""

import sys
from collections.abc import Callable
from typing import get_args

from backend.cli.parser import WrongUse
from backend.listing.board_words import problem_said
from pipeline.catalog.boards.store import boards_page, pulls_of
from pipeline.catalog.boards.types import BoardAfter, BoardLine, BoardsShown
from pipeline.manners.fetch import polite_fetcher
from pipeline.previews.reading import previewed
from pipeline.previews.types import Preview
from pipeline.sources.add import Added, add_source, ask_for_pull, correct_company
from pipeline.sources.find import board_behind
from pipeline.sources.registry import Place
from pipeline.sources.store import enabled_sources, every_source, source_by_id, switch_off, switch_on
from pipeline.sources.tasks import pull_handler
from pipeline.sources.types import PullProblem, Source
from pipeline.worker.types import Deferred, Permanent, TaskProgress, TaskRun, Transient
from schema.clock import SystemClock
from schema.db import Database
from schema.errors import HeldElsewhere, Missing, Refusal
from schema.ids import SourceId, TaskId
from schema.queue import CLICKED
from schema.settings import Settings
from schema.tasks import PullSource
from schema.text import grouped

SHOWN: tuple[BoardsShown, ...] = get_args(BoardsShown)
_NO_TASK = TaskId(0)
_NO_BOARD: frozenset[PullProblem | None] = frozenset(("board_unknown", "not_a_board"))
MOST_NAME_CHARS = 300


class PullFailed(Refusal):
    """The board could not be read."""

    code = "pull_failed"
    kind = "unavailable"


async def find(database: Database, settings: Settings, page: Place) -> Place:
    """The board that a page shows. Raises the refusals of `board_behind`."""
    clock = SystemClock()
    async with polite_fetcher(database, settings.source, clock=clock) as fetch:
        return await board_behind(page, fetch, clock.now())


async def look(database: Database, settings: Settings, place: Place, company: str | None) -> Preview:
    """Read the board once; nothing of it is written."""
    clock = SystemClock()
    async with polite_fetcher(database, settings.source, clock=clock) as fetch:
        return await previewed(place, fetch, company=company, now=clock.now())


def agreed(found: Preview) -> bool:
    """What the person at the terminal says; a script that adds a board means it, if there is one."""
    if not sys.stdin.isatty():
        return found.evidence.problem not in _NO_BOARD
    return input("Read it from now on? [y/N] ").strip().casefold() in {"y", "yes"}


async def add_board(database: Database, url: str, company: str | None) -> Added:
    async with database.as_fleet() as unit:
        return await add_source(unit, url, company=company, now=SystemClock().now())


async def ask_for_pulls(database: Database, number: int | None) -> list[tuple[Source, bool]]:
    """Each board, and whether its read was asked for only now."""
    async with database.as_fleet() as unit:
        sources = [each for each in await every_source(unit) if number in {None, each.id}]
        return [(each, await ask_for_pull(unit, each.id, priority=CLICKED)) for each in sources]


async def every_board(database: Database, shown: str) -> list[BoardLine]:
    if shown not in SHOWN:
        raise WrongUse(f"--show: {shown!r} is none of {', '.join(SHOWN)}")
    found: list[BoardLine] = []
    after: BoardAfter | None = None
    async with database.as_fleet() as unit:
        while True:
            page = await boards_page(unit, shown=shown, after=after, rows=1_000, now=SystemClock().now())
            found += page.items
            after = page.next
            if after is None:
                return found


async def switch(database: Database, number: int, *, wanted: bool) -> None:
    async with database.as_fleet() as unit:
        if not await (switch_on if wanted else switch_off)(unit, SourceId(number)):
            raise Missing(f"there is no source {number}; see: jobtrail source list")


async def name(database: Database, number: int, company: str) -> None:
    if len(company) > MOST_NAME_CHARS:
        raise WrongUse(f"a name has {MOST_NAME_CHARS} characters at most")
    async with database.as_fleet() as unit:
        try:
            await correct_company(unit, SourceId(number), company or None)
        except Missing as missing:
            raise Missing(f"there is no source {number}; see: jobtrail source list") from missing


async def pull_here(database: Database, settings: Settings, number: int) -> str:
    """Read one board in this process, as a worker would, and say what came of it."""
    source_id = SourceId(number)
    await _require_on(database, source_id)
    run = TaskRun(
        db=database,
        clock=SystemClock(),
        task_id=_NO_TASK,
        account_id=None,
        attempt=PullSource.MAX_ATTEMPTS,
        report=_say_nothing,
    )
    try:
        done = await pull_handler(settings.source)(run, PullSource(source_id=source_id))
    except (Transient, Permanent) as trouble:
        raise PullFailed(f"the board could not be read: {problem_said(str(trouble))}") from trouble
    except Deferred as wait:
        raise HeldElsewhere(
            f"its host wants to be left alone until {wait.until:%Y-%m-%d %H:%M} UTC"
        ) from wait
    async with database.as_fleet() as unit:
        [newest] = await pulls_of(unit, source_id, rows=1)
    row = newest.row
    return (
        f"{row.coverage}: {grouped(row.observed)} shown, {grouped(row.refused)} refused, "
        f"{grouped(row.written)} written, {grouped(row.closed)} closed ({done.word.replace('_', ' ')})"
    )


async def pull_every_here(
    database: Database, settings: Settings, tell: Callable[[Source, str], None]
) -> tuple[int, int]:
    """Every board that is on, one after the other: how many there are, and how many could not be read."""
    async with database.as_fleet() as unit:
        boards = await enabled_sources(unit)
    failed = 0
    for board in boards:
        try:
            told = await pull_here(database, settings, board.id)
        except Refusal as refusal:
            failed += 1
            told = refusal.detail or refusal.title()
        tell(board, told)
    return len(boards), failed


async def _require_on(database: Database, source_id: SourceId) -> None:
    async with database.as_fleet() as unit:
        source = await source_by_id(unit, source_id)
    if source is None:
        raise Missing(f"there is no source {source_id}; see: jobtrail source list")
    if not source.enabled:
        raise PullFailed(f"source {source_id} is off; jobtrail source on {source_id} switches it on")


async def _say_nothing(progress: TaskProgress) -> None:
    """Nobody watches a bar here."""
