"""`jobtrail mail`: mail that is brought in by hand."""

from typing import Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command


class Import(Struct, frozen=True, kw_only=True):
    path: Annotated[str, Meta(description="An .mbox, an .eml, a folder of .eml, or a Google Takeout zip.")]
    account: Annotated[
        str, Meta(description="Whose mail it is, by e-mail address; without it the owner's.")
    ] = ""


def _import(arguments: Import) -> int:
    from pathlib import Path

    from backend.cli.database import on_database
    from backend.cli.mail_import import import_mail

    path = Path(arguments.path).expanduser()
    done = on_database(
        "jobtrail mail import",
        lambda database, settings: import_mail(database, settings, path, arguments.account),
    )
    print(
        f"{done.seen} read: {done.stored} new and kept, {done.known} known already, "
        f"{done.not_kept} not about jobs, {done.quarantined} unreadable"
    )
    return 0


COMMANDS = (
    Command(
        name="mail import",
        summary="Read a mail archive, and work out what each message is about.",
        details=(
            "The same archive twice gives the same result. Stopped half way it goes on where it was, as soon "
            "as a worker runs."
        ),
        arguments=Import,
        run=_import,
    ),
)
