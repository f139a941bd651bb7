"""`jobtrail source`: the boards whose postings are read."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command

if TYPE_CHECKING:
    from pipeline.catalog.boards.types import BoardLine
    from pipeline.sources.add import Added
    from pipeline.sources.types import Source


class Add(Struct, frozen=True, kw_only=True):
    url: Annotated[
        str,
        Meta(description="Any address of the board, of one of its postings, or of a page that shows it."),
    ]
    company: Annotated[str, Meta(description="The employer's name, where the board does not tell it.")] = ""
    yes: Annotated[bool, Meta(description="Add it without being asked.")] = False
    no_preview: Annotated[bool, Meta(description="Add it without looking at the board first.")] = False


class Pull(Struct, frozen=True, kw_only=True):
    source: Annotated[int | None, Meta(description="Only this one, by its number in `source list`.")] = None
    once: Annotated[
        bool, Meta(description="Read it here and now, in this process, and say what came of it.")
    ] = False


class List(Struct, frozen=True, kw_only=True):
    show: Annotated[
        str,
        Meta(
            description="`all`, `doubted`, `troubled` (failing reads), `behind` (not up to date) or `off`; "
            "all without it."
        ),
    ] = "all"


class Name(Struct, frozen=True, kw_only=True):
    source: Annotated[int, Meta(description="Its number in `source list`.")]
    company: Annotated[str, Meta(description="The employer's name; without it the board has none.")] = ""


class Switch(Struct, frozen=True, kw_only=True):
    source: Annotated[int, Meta(description="Its number in `source list`.")]


def _add(arguments: Add) -> int:
    from backend.cli.database import on_database
    from backend.cli.source_acts import add_board, agreed, find, look
    from backend.cli.source_words import print_preview
    from backend.cli.task_words import plain
    from pipeline.sources.find import PAGE, asked_for
    from schema.clock import SystemClock

    place = asked_for(arguments.url, SystemClock().now())
    if place.platform == PAGE:
        page = place
        place = on_database("jobtrail source add", lambda db, settings: find(db, settings, page))
        print(f"{plain(page.board)} shows the board {_called(place.platform, place.board)}.")
    company = arguments.company or None
    if not arguments.no_preview:
        found = on_database("jobtrail source add", lambda db, settings: look(db, settings, place, company))
        print_preview(place, found)
        if not arguments.yes and not agreed(found):
            print("Nothing was added.")
            return 1 if found.coverage == "failed" else 0
    done: Added = on_database("jobtrail source add", lambda db, _: add_board(db, place.url, company))
    known = "added" if done.is_new else "known already"
    known += f", of {plain(done.named)} from now on" if done.named else ""
    print(
        f"{done.source_id}  {_called(done.place.platform, done.place.board)}: {known}; a worker reads it next"
    )
    return 0


def _pull(arguments: Pull) -> int:
    from backend.cli.database import on_database
    from backend.cli.source_acts import ask_for_pulls
    from schema.errors import Missing

    if arguments.once:
        return _pull_here(arguments.source)
    done: list[tuple[Source, bool]] = on_database(
        "jobtrail source pull", lambda db, _: ask_for_pulls(db, arguments.source)
    )
    if arguments.source is not None and not done:
        raise Missing(f"there is no source {arguments.source}; see: jobtrail source list")
    for source, is_new in done:
        state = "asked for" if is_new else "under way already"
        print(f"{source.id}  {_called(source.platform, source.board)}: {state}")
    return 0


def _pull_here(number: int | None) -> int:
    """Read one board, or one after the other every board that is on; 1 when one of them could not be read."""
    from backend.cli.database import on_database
    from backend.cli.source_acts import pull_every_here, pull_here

    if number is not None:
        print(on_database("jobtrail source pull", lambda db, settings: pull_here(db, settings, number)))
        return 0
    boards, failed = on_database(
        "jobtrail source pull", lambda db, settings: pull_every_here(db, settings, _tell_pulled)
    )
    if not boards:
        print("No board is on; jobtrail source add URL adds one.")
    return 1 if failed else 0


def _tell_pulled(board: "Source", told: str) -> None:
    print(f"{board.id}  {_called(board.platform, board.board)}: {told}", flush=True)


def _list(arguments: List) -> int:
    from backend.cli.database import on_database
    from backend.cli.source_acts import every_board
    from backend.cli.source_words import board_line

    boards: list[BoardLine] = on_database(
        "jobtrail source list", lambda db, _: every_board(db, arguments.show)
    )
    for board in boards:
        print(board_line(board))
    if not boards:
        print(
            "No board yet; jobtrail source add URL adds one." if arguments.show == "all" else "No such board."
        )
    return 0


def _name(arguments: Name) -> int:
    from backend.cli.database import on_database
    from backend.cli.source_acts import name
    from backend.cli.task_words import plain

    company = arguments.company.strip()
    on_database("jobtrail source name", lambda db, _: name(db, arguments.source, company))
    print(
        f"{arguments.source}  {f'its company is {plain(company)}' if company else 'its company is not known'}"
    )
    return 0


def _on(arguments: Switch) -> int:
    return _switched(arguments.source, wanted=True)


def _off(arguments: Switch) -> int:
    return _switched(arguments.source, wanted=False)


def _switched(source: int, *, wanted: bool) -> int:
    from backend.cli.database import on_database
    from backend.cli.source_acts import switch

    word = "on" if wanted else "off"
    on_database(f"jobtrail source {word}", lambda db, _: switch(db, source, wanted=wanted))
    print(f"{source}  {'read again when its turn comes' if wanted else 'left alone; what it showed stays'}")
    return 0


def _called(platform: str, board: str) -> str:
    from schema.identity.spelling import spelled

    return f"{spelled(platform)} {board}"


COMMANDS = (
    Command(
        name="source add",
        summary="Add a board to those that are read, and read it.",
        details="It is looked at first: what a read would bring is printed, and nothing of it written. "
        "Then you are asked; where there is no terminal to ask at, it is added, unless its platform knows no "
        "such board. A board that is known already is only read once more.",
        arguments=Add,
        run=_add,
    ),
    Command(
        name="source pull",
        summary="Ask for a read of every board, or of one, now.",
        details="A worker does it; `jobtrail tasks list` shows how far it is. With --once this process does.",
        arguments=Pull,
        run=_pull,
    ),
    Command(
        name="source list",
        summary="List the boards: number, on or off, coverage of the last read and when it was (UTC), board.",
        details="Failures in a row, open doubts and why a board is off stand behind it.",
        arguments=List,
        run=_list,
    ),
    Command(
        name="source name",
        summary="Correct the company of a board, also on what it showed before.",
        details="An employer that the platform tells with a posting stays as it is told.",
        arguments=Name,
        run=_name,
    ),
    Command(
        name="source on",
        summary="Read a board again that was switched off.",
        arguments=Switch,
        run=_on,
    ),
    Command(
        name="source off",
        summary="Leave a board alone; what it showed stays.",
        arguments=Switch,
        run=_off,
    ),
)
