"""Writes `docs/commands.md` from the commands: `python -m backend.cli.reference > docs/commands.md`."""

import sys
from collections.abc import Sequence

from backend.cli.command import Argument, arguments_of, usage_of
from backend.cli.commands import COMMANDS
from backend.cli.parser import AnyCommand

_HEAD = """# Commands

Made by `python -m backend.cli.reference > docs/commands.md`; a test compares. Every command also answers
`--help`. Settings come from the environment: [settings.md](settings.md).

Exit codes: 0 done, 1 failed, 2 wrong use or a wrong setting, 75 held by somebody else (try again later).
An error is one line on standard error that says what is wrong and what to do.
"""


def markdown(commands: Sequence[AnyCommand] = COMMANDS) -> str:
    return "\n".join([_HEAD, *(_section(command) for command in commands)])


def _section(command: AnyCommand) -> str:
    arguments = [argument for argument in arguments_of(command.arguments) if not argument.hidden]
    usage = " ".join(["jobtrail", command.name, *([usage_of(arguments)] if arguments else [])])
    parts = [
        f"## jobtrail {command.name}\n",
        f"    {usage}\n",
        f"{command.summary} {command.details}".strip() + "\n",
    ]
    if arguments:
        parts.append("\n".join(_line(argument) for argument in arguments) + "\n")
    return "\n".join(parts)


def _line(argument: Argument) -> str:
    return f"- `{argument.shown}`: {argument.help}"


if __name__ == "__main__":
    sys.stdout.write(markdown())
