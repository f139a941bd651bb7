"""Runs one command line: every way it can go wrong becomes one line on standard error and an exit code."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from backend.cli.commands import COMMANDS, PURPOSES
from backend.cli.parser import WrongUse, build, parse
from schema.errors import HeldElsewhere, Refusal
from schema.settings import BadSetting

DONE, FAILED, WRONG_USE, HELD = 0, 1, 2, 75


def run(typed: Sequence[str]) -> int:
    """The exit code. A reader of our output that went away, and Ctrl-C, are no errors to explain."""
    try:
        command, arguments = parse(build(COMMANDS, PURPOSES, version("jobtrail")), typed)
        code = command.run(arguments)
        print(end="", flush=True)  # unlike the stream itself there also when it was closed by the shell
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the last net: a person gets a sentence, never a traceback
        return _explain(error)
    return code


def _explain(error: Exception) -> int:
    sentence, code = _told(error)
    sys.stderr.write("jobtrail: " + " ".join(sentence.split()) + "\n")
    return code


def _told(error: Exception) -> tuple[str, int]:
    match error:
        case WrongUse() | BadSetting():
            return str(error), WRONG_USE
        case HeldElsewhere():
            return error.detail, HELD
        case Refusal():
            return error.detail, FAILED
        case _:
            return _unexpected(error), FAILED


def _unexpected(error: Exception) -> str:
    from schema.faults import told

    if type(error).__module__.startswith("psycopg") and type(error).__name__ == "OperationalError":
        return f"the database cannot be reached: {error}"
    return f"this should not have happened: {told(error)}; please report it."
