"""`jobtrail catalog`: what the catalog knows, and how its rules do on what is known to have happened."""

from typing import Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command


class Simulate(Struct, frozen=True, kw_only=True):
    path: Annotated[
        str, Meta(description="Parquet, CSV, JSON lines or JSON, also gzipped, or a folder of such files.")
    ]
    kind: Annotated[
        str,
        Meta(
            description="How its boards were read: `api` in one answer, `scraped` by pages; without it both."
        ),
    ] = ""
    date: Annotated[str, Meta(description="The column with the day, if its name does not tell.")] = ""
    board: Annotated[str, Meta(description="The column with the board, if its name does not tell.")] = ""
    id: Annotated[str, Meta(description="The column with the posting, if its name does not tell.")] = ""
    since: Annotated[str, Meta(description="Only from this day on, as 2026-06-30.")] = ""
    json: Annotated[bool, Meta(description="Print JSON instead of a table.")] = False


def _simulate(arguments: Simulate) -> int:
    from pathlib import Path

    from backend.cli.catalog_simulate import day, kinds_of, print_json, print_table
    from pipeline.closing.columns import Asked
    from pipeline.closing.replay import replayed
    from pipeline.closing.series import read_series

    kinds = kinds_of(arguments.kind)
    asked = Asked(date=arguments.date or None, board=arguments.board or None, id=arguments.id or None)
    series = read_series(Path(arguments.path), asked, since=day(arguments.since))
    outcomes = {kind.name: replayed(series, kind.misses_to_close) for kind in kinds}
    (print_json if arguments.json else print_table)(series, outcomes)
    return 0


COMMANDS = (
    Command(
        name="catalog simulate",
        summary="Replay a daily series of boards by the product's own rules: what closes, and what wrongly.",
        details="A row is a posting on a day: columns for the day, the board, and an id or an address. No "
        "database is used; docs/catalog.md says what the numbers mean.",
        arguments=Simulate,
        run=_simulate,
    ),
)
