"""Why an installation cannot start on this machine, and the one way to tell a person so."""

import sys
from collections.abc import Callable

from schema.errors import Refusal

Say = Callable[[str], None]
Pause = Callable[[float], None]


class CannotStart(Refusal):
    """Jobtrail cannot start on this machine as things are."""

    code = "cannot_start"
    kind = "unavailable"


def say(line: str) -> None:
    """One line to the person at the terminal; a closed terminal is no reason to stop."""
    try:
        print(f"jobtrail: {line}", file=sys.stderr, flush=True)  # noqa: T201 - the one place that speaks
    except OSError:
        return
