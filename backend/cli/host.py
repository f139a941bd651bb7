"""`jobtrail host`: the hosts that were asked for postings, and how they want to be asked."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command, NoArguments

if TYPE_CHECKING:
    from pipeline.manners.types import HostState


class Forget(Struct, frozen=True, kw_only=True):
    host: Annotated[str, Meta(description="The host, as `host list` names it.")]


def _list(_: NoArguments) -> int:
    from backend.cli.database import on_database
    from pipeline.manners.store import hosts
    from schema.db import Database
    from schema.settings import Settings

    async def found(database: Database, _: Settings) -> "list[HostState]":
        async with database.as_fleet() as unit:
            return await hosts(unit)

    states = on_database("jobtrail host list", found)
    for state in states:
        print(_line(state))
    if not states:
        print("No host was asked yet.")
    return 0


def _line(state: "HostState") -> str:
    pace = f"{round(state.spacing.total_seconds(), 3):g} s"
    blocked = f"left alone until {state.blocked_until:%Y-%m-%d %H:%M:%S}" if state.blocked_until else ""
    refused = f"{state.refusals} refusals in a row" if state.refusals else ""
    robots = f"robots.txt {state.robots or 'unknown'}"
    told = "; ".join(each for each in (robots, blocked, refused) if each)
    return f"{state.host:<40}{pace:<10}{state.used_at:%Y-%m-%d %H:%M}  {told}"


def _forget(arguments: Forget) -> int:
    from backend.cli.database import on_database
    from pipeline.manners.store import forget
    from schema.db import Database
    from schema.errors import Missing
    from schema.settings import Settings
    from schema.text import clean

    async def forgotten(database: Database, _: Settings) -> bool:
        async with database.as_fleet() as unit:
            return await forget(unit, clean(arguments.host).lower())

    if not on_database("jobtrail host forget", forgotten):
        raise Missing(f"no host {arguments.host} was asked; see: jobtrail host list")
    print(f"{arguments.host}: asked anew when somebody needs it")
    return 0


COMMANDS = (
    Command(
        name="host list",
        summary="List the hosts that were asked: time between requests, last asked (UTC), robots.txt, block.",
        details="Hosts that want to be left alone come first.",
        arguments=NoArguments,
        run=_list,
    ),
    Command(
        name="host forget",
        summary="Forget the pace, the block and the robots.txt of a host, so that it is asked anew.",
        details="For a host whose trouble is over before its block; its robots.txt is read again first.",
        arguments=Forget,
        run=_forget,
    ),
)
