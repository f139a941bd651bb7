"""`jobtrail mail`: mail that is brought in by hand."""

from typing import Annotated

from msgspec import Meta, Struct

from backend.cli.command import Command


class Import(Struct, frozen=True, kw_only=True):
    path: Annotated[str, Meta(description="An .mbox, an .eml, a folder of .eml, or a Google Takeout zip.")]
    account: Annotated[
        str, Meta(description="Whose mail it is, by e-mail address; without it the owner's.")
    ] = ""


class Eval(Struct, frozen=True, kw_only=True):
    folder: Annotated[str, Meta(description="A folder with labels.jsonl beside the .eml files it names.")]
    json: Annotated[bool, Meta(description="One JSON object a line.")] = False


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


def _eval(arguments: Eval) -> int:
    from pathlib import Path

    from mailsync.evaluation.report import json_lines, lines
    from mailsync.evaluation.run import evaluated

    outcome = evaluated(Path(arguments.folder).expanduser())
    for line in json_lines(outcome) if arguments.json else lines(outcome):
        print(line)
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
    Command(
        name="mail eval",
        summary="Tell how right the stages 1 to 3 are on labelled mail.",
        details=(
            "Prints precision, recall and F1 of every kind with their intervals, how much was decided, which "
            "mistakes do harm, and a line for each error. Needs no database, and sends nothing anywhere."
        ),
        arguments=Eval,
        run=_eval,
    ),
)
