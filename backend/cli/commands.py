"""Every command, in the order the help lists them."""

from typing import cast

from backend.cli import (
    account,
    catalog,
    catalog_show,
    check,
    daemons,
    fleet,
    host,
    keys,
    mail,
    mail_passes,
    match,
    migrate,
    model,
    queue,
    queue_acts,
    source,
    tracker,
    up,
)
from backend.cli.parser import AnyCommand

COMMANDS = cast(
    "tuple[AnyCommand, ...]",
    (
        *up.COMMANDS,
        *daemons.COMMANDS,
        *migrate.COMMANDS,
        *check.COMMANDS,
        *keys.COMMANDS,
        *account.COMMANDS,
        *tracker.COMMANDS,
        *mail.COMMANDS,
        *mail_passes.COMMANDS,
        *match.COMMANDS,
        *model.COMMANDS,
        *source.COMMANDS,
        *catalog.COMMANDS,
        *catalog_show.COMMANDS,
        *host.COMMANDS,
        *queue.COMMANDS,
        *queue_acts.COMMANDS,
        *fleet.COMMANDS,
    ),
)

#: What each group of commands is for.
PURPOSES = {
    "account": "An account: a new password, everything taken along, everything deleted",
    "catalog": "The catalog of postings: what it knows, and how its rules do",
    "host": "The hosts that were asked for postings, and how they want to be asked",
    "keys": "The keys that stored secrets are encrypted with",
    "mail": "Mail: bring it in, read it again, see what was made of it",
    "match": "Which application a message is about: measure it on mail whose answers are known",
    "model": "The language model that may read what the rules leave open",
    "source": "The boards whose postings are read",
    "tracker": "Tables of applications that were kept elsewhere",
    "tasks": "What the queue holds, and what an operator does to it",
}
