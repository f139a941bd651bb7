"""`jobtrail catalog show` and `reconcile`: why a posting is where it is, and whether the rows still agree."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command
from backend.cli.parser import WrongUse

if TYPE_CHECKING:
    from backend.cli.catalog_words import Known


class Show(Struct, frozen=True, kw_only=True):
    url: Annotated[str, Meta(description="Any address of the posting.")]


class Reconcile(Struct, frozen=True, kw_only=True):
    mend: Annotated[bool, Meta(description="Mend what does not agree; without it, only say so.")] = False


def _show(arguments: Show) -> int:
    from backend.cli.catalog_words import is_address, known_of, lines_of
    from backend.cli.database import on_database
    from schema.errors import Missing

    if not is_address(arguments.url):
        raise WrongUse(f"{arguments.url!r} is not an address; see: jobtrail catalog show --help")
    known: Known | None = on_database("jobtrail catalog show", lambda db, _: known_of(db, arguments.url))
    if known is None:
        raise Missing(
            "no board that is read shows a posting of this address; what people keep for themselves is not "
            "looked at"
        )
    for line in lines_of(known):
        print(line)
    return 0


def _reconcile(arguments: Reconcile) -> int:
    from backend.cli.catalog_words import drift_lines
    from backend.cli.database import on_database
    from pipeline.keeping.reconcile import Drift, reconcile
    from schema.clock import SystemClock

    drift: Drift = on_database(
        "jobtrail catalog reconcile", lambda db, _: reconcile(db, SystemClock(), mends=arguments.mend)
    )
    for line in drift_lines(drift, mended=arguments.mend):
        print(line)
    return 0


COMMANDS = (
    Command(
        name="catalog show",
        summary="Tell a posting's way: observed, admitted or refused, fetched, open or closed; when and why.",
        details="What people keep for themselves is not looked at.",
        arguments=Show,
        run=_show,
    ),
    Command(
        name="catalog reconcile",
        summary="Compare what the catalog says with what was observed.",
        arguments=Reconcile,
        run=_reconcile,
    ),
)
