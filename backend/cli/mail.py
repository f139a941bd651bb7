"""`jobtrail mail`: bring mail in, by hand or from Gmail, and measure how right it is read."""

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


class Sync(Struct, frozen=True, kw_only=True):
    account: Annotated[
        str, Meta(description="Whose mailboxes, by e-mail address of the account; without it the owner's.")
    ] = ""
    screen_again: Annotated[
        bool, Meta(description="Fetch again what an earlier release did not keep, as far as this one may.")
    ] = False


def _sync(arguments: Sync) -> int:
    from backend.cli.database import on_database
    from backend.cli.mail_sync import sync_mail, told

    done = on_database(
        "jobtrail mail sync",
        lambda database, settings: sync_mail(
            database, settings, arguments.account, screen_again=arguments.screen_again
        ),
    )
    for each in done.mailboxes:
        print(told(each))
    return 0 if all(each.last_error is None for each in done.mailboxes) else 1


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
    return 0 if outcome.judged else 1


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
        name="mail sync",
        summary="Bring the connected Gmail mailboxes in step, now and in this process.",
        details=(
            "Goes on where the last sync stood. Ends when nothing is left to do, or with 1 when Google or "
            "the person stands in the way; 75 when a mail daemon is at it."
        ),
        arguments=Sync,
        run=_sync,
    ),
    Command(
        name="mail eval",
        summary="Tell how right the stages 1 to 3 are on labelled mail.",
        details=(
            "Prints precision, recall and F1 of every kind with their intervals, how much was decided, which "
            "mistakes do harm, and a line for each error. Needs no database, and sends nothing anywhere. "
            "Ends with 1 when nothing could be judged."
        ),
        arguments=Eval,
        run=_eval,
    ),
)
