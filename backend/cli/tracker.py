"""`jobtrail tracker`: bring in a table of applications that was kept elsewhere."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command

if TYPE_CHECKING:
    from backend.cli.tracker_import import Brought


class Import(Struct, frozen=True, kw_only=True):
    path: Annotated[str, Meta(description="A CSV file; see docs/applications.md for what is understood.")]
    account: Annotated[
        str, Meta(description="Whose applications they are, by e-mail address; without it the owner's.")
    ] = ""
    map: Annotated[
        str, Meta(description="What columns are, where it is not guessed right: Firma=company,Memo=skip.")
    ] = ""
    status: Annotated[
        str, Meta(description="What status words mean, where nobody knows them: Blue sky=offer,Idea=not_yet.")
    ] = ""
    day_first: Annotated[bool, Meta(description="03/04/2026 is the 3rd of April.")] = False
    month_first: Annotated[bool, Meta(description="03/04/2026 is the 4th of March.")] = False
    dry_run: Annotated[bool, Meta(description="Only say what would become of each row.")] = False


def _import(arguments: Import) -> int:
    from pathlib import Path

    from backend.cli.database import on_database
    from backend.cli.parser import WrongUse
    from backend.cli.tracker_import import Wish, import_tracker

    if arguments.day_first and arguments.month_first:
        raise WrongUse("--day-first and --month-first exclude each other")
    wish = Wish(
        path=Path(arguments.path).expanduser(),
        email=arguments.account,
        columns=_pairs("--map", arguments.map),
        statuses=_pairs("--status", arguments.status),
        day_first=True if arguments.day_first else False if arguments.month_first else None,
        dry_run=arguments.dry_run,
    )
    done = on_database(
        "jobtrail tracker import", lambda database, settings: import_tracker(database, settings, wish)
    )
    _tell(done)
    return 0


def _pairs(option: str, text: str) -> dict[str, str]:
    from backend.cli.parser import WrongUse

    found: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, sign, value = pair.rpartition("=")
        if not sign:
            raise WrongUse(f"{option} takes pairs such as Firma=company, not {pair!r}")
        found[name.strip()] = value.strip()
    return found


def _tell(done: "Brought") -> None:
    for name, field in done.columns:
        print(f"{name}: {field}")
    for line, reason in done.refused:
        print(f"line {line}: {reason}")
    for line in done.doubtful:
        print(f"line {line}: new, and may be the same as an application there is; see Review")
    would = "would be " if done.is_dry else ""
    print(f"{done.new} {would}new, {done.known} known already, {len(done.refused)} {would}refused")


COMMANDS = (
    Command(
        name="tracker import",
        summary="Bring in a table of applications that was kept elsewhere.",
        details="The same file twice changes nothing; the page of the import takes it back.",
        arguments=Import,
        run=_import,
    ),
)
