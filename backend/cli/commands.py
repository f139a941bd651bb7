"""Every command, in the order the help lists them."""

from typing import cast

from backend.cli import check, daemons, keys, mail, migrate, queue, source, up
from backend.cli.parser import AnyCommand

COMMANDS = cast(
    "tuple[AnyCommand, ...]",
    (
        *up.COMMANDS,
        *daemons.COMMANDS,
        *migrate.COMMANDS,
        *check.COMMANDS,
        *keys.COMMANDS,
        *mail.COMMANDS,
        *source.COMMANDS,
        *queue.COMMANDS,
    ),
)
