"""`jobtrail source`: the boards whose postings are read."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command, NoArguments
from schema.identity.spelling import spelled

if TYPE_CHECKING:
    from pipeline.sources.add import Added
    from pipeline.sources.types import Source


class Add(Struct, frozen=True, kw_only=True):
    url: Annotated[str, Meta(description="Any address of the board, or of a posting on it.")]
    company: Annotated[str, Meta(description="The employer's name, where the board does not tell it.")] = ""


class Pull(Struct, frozen=True, kw_only=True):
    source: Annotated[int | None, Meta(description="Only this one, by its number in `source list`.")] = None


def _add(arguments: Add) -> int:
    from backend.cli.database import on_database
    from pipeline.sources.add import add_source
    from schema.clock import SystemClock
    from schema.db import Database
    from schema.settings import Settings

    async def added(database: Database, _: Settings) -> "Added":
        async with database.as_fleet() as unit:
            return await add_source(
                unit, arguments.url, company=arguments.company or None, now=SystemClock().now()
            )

    done = on_database("jobtrail source add", added)
    known = "added" if done.is_new else "known already"
    board = f"{spelled(done.place.platform)} {done.place.board}"
    print(f"{done.source_id}  {board}: {known}; a worker reads it next")
    return 0


def _pull(arguments: Pull) -> int:
    from backend.cli.database import on_database
    from pipeline.sources.add import ask_for_pull
    from pipeline.sources.store import every_source
    from schema.db import Database
    from schema.errors import Missing
    from schema.queue import CLICKED
    from schema.settings import Settings

    async def asked(database: Database, _: Settings) -> "list[tuple[Source, bool]]":
        async with database.as_fleet() as unit:
            sources = [each for each in await every_source(unit) if arguments.source in {None, each.id}]
            return [(each, await ask_for_pull(unit, each.id, priority=CLICKED)) for each in sources]

    done = on_database("jobtrail source pull", asked)
    if arguments.source is not None and not done:
        raise Missing(f"there is no source {arguments.source}; see: jobtrail source list")
    for source, is_new in done:
        state = "asked for" if is_new else "under way already"
        print(f"{source.id}  {spelled(source.platform)} {source.board}: {state}")
    return 0


def _list(_: NoArguments) -> int:
    from backend.cli.database import on_database
    from pipeline.sources.store import every_source
    from schema.db import Database
    from schema.settings import Settings

    async def found(database: Database, _: Settings) -> "list[Source]":
        async with database.as_fleet() as unit:
            return await every_source(unit)

    sources = on_database("jobtrail source list", found)
    for source in sources:
        print(_line(source))
    if not sources:
        print("No board yet; jobtrail source add URL adds one.")
    return 0


def _line(source: "Source") -> str:
    read = f"{source.last_pull_at:%Y-%m-%d %H:%M}" if source.last_pull_at else "never"
    state = "on" if source.enabled else "off"
    failures = f"  {source.failures_in_a_row} failures in a row" if source.failures_in_a_row else ""
    return f"{source.id:<6}{state:<5}{read:<18}{spelled(source.platform):<16}{source.board}{failures}"


COMMANDS = (
    Command(
        name="source add",
        summary="Add a board to those that are read, and read it.",
        details="A board that is known already is only read once more.",
        arguments=Add,
        run=_add,
    ),
    Command(
        name="source pull",
        summary="Ask for a read of every board, or of one, now.",
        details="A worker does it; `jobtrail tasks list` shows how far it is.",
        arguments=Pull,
        run=_pull,
    ),
    Command(
        name="source list",
        summary="List the boards: number, on or off, last read (UTC), platform, board.",
        arguments=NoArguments,
        run=_list,
    ),
)
