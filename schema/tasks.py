"""The closed catalogue of work: every task kind with its payload and its limits.

It lives on the ground floor so that a feature may ask for a higher floor's work without importing it. A
payload carries ids, never content, so that the queue holds nothing private. A changed payload is a new
version of the kind.
"""

import re
from typing import ClassVar

import msgspec

_KIND = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+\.v[1-9][0-9]*")

CATALOGUE: dict[str, type["Payload"]] = {}


class Payload(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every payload. A subclass names its kind and limits; a bad one fails at import."""

    KIND: ClassVar[str]
    MAX_ATTEMPTS: ClassVar[int] = 5
    TIMEOUT_SECONDS: ClassVar[float] = 300.0
    BACKOFF_SECONDS: ClassVar[float] = 2.0
    """Wait before the second try; doubles each time, with jitter, up to an hour."""

    def __init_subclass__(cls, **_: object) -> None:
        kind: object = cls.__dict__.get("KIND")
        if not isinstance(kind, str) or not _KIND.fullmatch(kind):
            raise TypeError(f"{cls.__name__}: a task kind reads area.verb.vN, not {kind!r}")
        if kind in CATALOGUE and CATALOGUE[kind].__qualname__ != cls.__qualname__:
            raise TypeError(f"two payloads claim the task kind {kind}")
        CATALOGUE[kind] = cls

    def host(self) -> str | None:
        """The outside host this task talks to, for caps and budgets; None when it talks to none."""
        return None


class ImportMail(Payload, frozen=True, kw_only=True):
    """Read one archive into the message store."""

    KIND = "mail.import.v1"
    TIMEOUT_SECONDS = 6 * 3600.0
    import_id: int


class MatchAccount(Payload, frozen=True, kw_only=True):
    """Match the messages of one account that nobody has matched yet."""

    KIND = "match.account.v1"
    TIMEOUT_SECONDS = 3600.0


class PullSource(Payload, frozen=True, kw_only=True):
    """Read one board into the catalog."""

    KIND = "source.pull.v1"
    source_id: int


class PullDueSources(Payload, frozen=True, kw_only=True):
    """Ask for a pull of every enabled source whose turn has come."""

    KIND = "source.sweep.v1"
