"""The task every drain of ours runs, and the login it is run with."""

import re

from backend.processes.store import LOGIN
from schema.tasks import Payload

ACCOUNTS = 50
"""People whose tasks lie in the queue: caps and turns are decided between them."""


class Nothing(Payload, frozen=True, kw_only=True):
    """Does nothing. `sent` is when it was asked for; a task told to hold keeps its first try that long."""

    KIND = "test.nothing.v1"
    sent: int = 0
    hold_seconds: float = 0.0


def as_login(url: str) -> str:
    """As the restricted login role, whoever `url` names."""
    return re.sub(r"//[^@]*@", f"//{LOGIN}@", url)
