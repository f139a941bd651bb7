"""The closed catalogue of work: every task kind with its payload and its limits.

It lives on the ground floor so that a feature may ask for a higher floor's work without importing it. A
payload carries ids, never content, so that the queue holds nothing private. A changed payload is a new
version of the kind.
"""

import re
from typing import ClassVar, cast

import msgspec

from schema.retries import PROVIDER_HORIZON, horizon

_KIND = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+\.v[1-9][0-9]*")

CATALOGUE: dict[str, type["Payload"]] = {}


class _Catalogued(type(msgspec.Struct)):
    """Enters every payload into the catalogue once its class is made; a bad one fails at import."""

    def __init__(  # pyright: ignore[reportInconsistentConstructor] - the options are __new__'s business
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, object], **_: object
    ) -> None:
        super().__init__(name, bases, namespace)
        if bases != (msgspec.Struct,):
            _enter(cast("type[Payload]", cls), namespace.get("KIND"))


class Payload(msgspec.Struct, metaclass=_Catalogued, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every payload. A subclass names its kind and its limits."""

    KIND: ClassVar[str]
    MAX_ATTEMPTS: ClassVar[int] = 5
    TIMEOUT_SECONDS: ClassVar[float] = 300.0
    BACKOFF_SECONDS: ClassVar[float] = 2.0
    """Wait before the second try; doubles each time, with jitter, up to an hour."""
    NEEDS_PROVIDER: ClassVar[bool] = False
    """Depends on an outside provider: tried over six hours at least, whatever the jitter."""
    MAX_RUNNING: ClassVar[int | None] = None
    """How many of this kind run at the same time over all workers; None for as many as there are slots."""
    HOST_MAX_RUNNING: ClassVar[int] = 2
    """How many tasks of this kind's host run at the same time over all workers."""

    def host(self) -> str | None:
        """The outside host this task talks to, for caps and budgets; None when it talks to none."""
        return None


def _enter(payload: type[Payload], kind: object) -> None:
    name = payload.__name__
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise TypeError(f"{name}: a task kind reads area.verb.vN, not {kind!r}")
    if kind in CATALOGUE and _place(CATALOGUE[kind]) != _place(payload):
        raise TypeError(f"two payloads claim the task kind {kind}")
    if not payload.__struct_config__.forbid_unknown_fields or not payload.__struct_config__.frozen:
        raise TypeError(f"{name}: a payload is frozen and forbids unknown fields")
    if payload.NEEDS_PROVIDER and horizon(payload.MAX_ATTEMPTS, payload.BACKOFF_SECONDS) < PROVIDER_HORIZON:
        raise TypeError(f"{name}: work that needs a provider is tried over {PROVIDER_HORIZON} at least")
    CATALOGUE[kind] = payload


def _place(payload: type[Payload]) -> tuple[str, str]:
    """A module that is loaded once more makes its payloads anew, at the same place."""
    return payload.__module__, payload.__qualname__


class ImportMail(Payload, frozen=True, kw_only=True):
    """Read one archive into the message store."""

    KIND = "mail.import.v1"
    TIMEOUT_SECONDS = 6 * 3600.0
    import_id: int


class InterpretMail(Payload, frozen=True, kw_only=True):
    """Ask a language model what these messages say, as far as they are open and it may read them."""

    KIND = "mail.interpret.v1"
    TIMEOUT_SECONDS = 3600.0
    NEEDS_PROVIDER = True
    MAX_ATTEMPTS = 20
    BACKOFF_SECONDS = 30.0
    message_ids: tuple[int, ...]

    def host(self) -> str:
        """Whatever its address is: an installation asks one provider, and its budget is one."""
        return "language-model"


class WriteDraft(Payload, frozen=True, kw_only=True):
    """Have a language model write one version of a draft; `ask` is which of the askings this is."""

    KIND = "draft.write.v1"
    NEEDS_PROVIDER = True
    MAX_ATTEMPTS = 20
    BACKOFF_SECONDS = 30.0
    TIMEOUT_SECONDS = 1_200.0
    draft_id: int
    ask: int

    def host(self) -> str:
        """The same as for mail: an installation asks one provider, and its budget is one."""
        return "language-model"


class ReadDocument(Payload, frozen=True, kw_only=True):
    """Take the text out of one document."""

    KIND = "document.read.v1"
    document_id: int


class ClassifyMail(Payload, frozen=True, kw_only=True):
    """Read the open messages of one account again, as far as an earlier release left them open."""

    KIND = "mail.classify.v1"
    TIMEOUT_SECONDS = 6 * 3600.0


class SweepMail(Payload, frozen=True, kw_only=True):
    """Ask for a reading of every account whose open messages an earlier release read last."""

    KIND = "mail.sweep.v1"


class DeleteMail(Payload, frozen=True, kw_only=True):
    """Delete what one disconnected mailbox brought."""

    KIND = "mail.delete.v1"
    TIMEOUT_SECONDS = 6 * 3600.0
    mailbox_id: int


class MatchAccount(Payload, frozen=True, kw_only=True):
    """Match the messages of one account that nobody has matched yet."""

    KIND = "match.account.v1"
    TIMEOUT_SECONDS = 3600.0


class BulkMatch(Payload, frozen=True, kw_only=True):
    """Decide about all messages of one act, or take back what it decided."""

    KIND = "match.bulk.v1"
    TIMEOUT_SECONDS = 3600.0
    act_id: int


class ApplyTracker(Payload, frozen=True, kw_only=True):
    """Make applications of the rows of a file that somebody brought in."""

    KIND = "tracker.apply.v1"
    TIMEOUT_SECONDS = 3600.0
    import_id: int


class UndoTracker(Payload, frozen=True, kw_only=True):
    """Take back what such a file made, as far as nobody touched it since."""

    KIND = "tracker.undo.v1"
    TIMEOUT_SECONDS = 3600.0
    import_id: int


class DeleteAccount(Payload, frozen=True, kw_only=True):
    """Delete everything of the account it belongs to, and the account with it."""

    KIND = "account.delete.v1"
    TIMEOUT_SECONDS = 6 * 3600.0
    MAX_ATTEMPTS = 20


class PullSource(Payload, frozen=True, kw_only=True):
    """Read one board into the catalog. `lane` is the host or platform it asks."""

    KIND = "source.pull.v1"
    NEEDS_PROVIDER = True
    MAX_ATTEMPTS = 20
    BACKOFF_SECONDS = 30.0
    TIMEOUT_SECONDS = 2 * 3600.0
    source_id: int
    lane: str | None = None

    def host(self) -> str | None:
        return self.lane


class LookAtPostings(Payload, frozen=True, kw_only=True):
    """Read the own pages of these postings of one board.

    `texts_only`: of those whose text is still due then; else of all of them, because it is doubted that they
    stand. `lane` as for a pull.
    """

    KIND = "posting.look.v1"
    TIMEOUT_SECONDS = 3_600.0
    source_id: int
    posting_ids: tuple[int, ...]
    texts_only: bool = False
    lane: str | None = None

    def host(self) -> str | None:
        return self.lane


class PreviewSource(Payload, frozen=True, kw_only=True):
    """Read a board once without writing what it shows, for somebody who waits."""

    KIND = "source.preview.v1"
    MAX_ATTEMPTS = 2
    preview_id: int
    lane: str | None = None

    def host(self) -> str | None:
        return self.lane


class PullDueSources(Payload, frozen=True, kw_only=True):
    """Ask for a pull of every enabled source whose turn has come."""

    KIND = "source.sweep.v1"


class JudgeRefused(Payload, frozen=True, kw_only=True):
    """Judge again what older admission rules refused, out of what is stored."""

    KIND = "catalog.judge.v1"
    TIMEOUT_SECONDS = 1_800.0
    MAX_RUNNING = 1


class FindTwins(Payload, frozen=True, kw_only=True):
    """Look for twins of these postings on other platforms."""

    KIND = "catalog.twins.v1"
    TIMEOUT_SECONDS = 1_800.0
    posting_ids: tuple[int, ...]


class TidyCatalog(Payload, frozen=True, kw_only=True):
    """Let go of what the catalog keeps for a while only."""

    KIND = "catalog.tidy.v1"
    TIMEOUT_SECONDS = 600.0
    MAX_RUNNING = 1


class ReadOwnPosting(Payload, frozen=True, kw_only=True):
    """Read the page of a posting that one person keeps."""

    KIND = "own.read.v1"
    BACKOFF_SECONDS = 10.0
    own_posting_id: int


class ForgetOwnPosting(Payload, frozen=True, kw_only=True):
    """Delete a posting that its person removed a day ago."""

    KIND = "own.forget.v1"
    own_posting_id: int
