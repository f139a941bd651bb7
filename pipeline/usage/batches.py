"""How work goes to a provider as a batch: the shapes and the promises, for whoever submits one.

No code submits batches yet; mail is read live. A kind that does: its task saves a `Submission` before
anything is sent, hands it to a `BatchProvider`, saves the provider's id at once and returns `Parked` (the
task stands in `awaiting_batch`, without a slot). Run again by `resume`, it collects what exists before it
considers submitting. One window remains: the provider has accepted the batch, and its id was not saved.
`BatchProvider.found` closes it, since every batch carries our key as metadata; a task that has a submission
and no id asks it first.

An answer is applied as in live mode: one transaction with its row in the ledger (`mode` batch, unique by
batch and custom id). Stopping submissions never stops collecting.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from pipeline.usage.types import Tokens

METADATA_KEY = "jobtrail_submission"
"""The name under which a batch carries the key of its submission."""

BatchState = Literal["waiting", "ended", "failed", "expired", "cancelled"]
"""`ended` and `expired` may hold any share of the answers: what became of a request, its own line says."""

LineOutcome = Literal["answered", "refused", "expired", "missing", "repeated"]
"""What became of one request. `missing`: it is in neither file; `repeated`: a second line of one id."""


class BatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One line. Saved once for a task and custom id: a second save returns the first."""

    custom_id: str
    body: bytes


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent as one batch; immutable. `key` is ours, and the same however often it is sent."""

    key: str
    provider: str
    endpoint: str
    model: str
    requests: tuple[BatchRequest, ...]


class BatchLine(msgspec.Struct, frozen=True, kw_only=True):
    """What came back for one request; keyed by its custom id, never by its place."""

    custom_id: str
    outcome: LineOutcome
    answer: bytes = b""
    request_id: str | None = None
    tokens: Tokens = Tokens()


class BatchStanding(msgspec.Struct, frozen=True, kw_only=True):
    """`code` is the provider's, for a batch that failed as a whole: a limit it notices only later."""

    batch_id: str
    state: BatchState
    submitted_at: datetime
    code: str | None = None


class BatchProvider(Protocol):
    """What a `client.py` has to offer. It retries nothing that could submit twice."""

    async def submit(self, submission: Submission) -> BatchStanding:
        """Send it once. An error says nothing about whether it was accepted: ask `found`."""
        ...

    async def found(self, key: str) -> Sequence[BatchStanding]:
        """Every batch the provider has with this key in its metadata, newest first."""
        ...

    async def standing(self, batch_id: str) -> BatchStanding: ...

    async def lines(self, batch_id: str, submission: Submission) -> Sequence[BatchLine]:
        """Exactly one line for each request of the submission, from output and error file together."""
        ...

    async def discard(self, batch_id: str) -> None:
        """Delete the files it left with the provider: what was sent and what came back."""
        ...


def custom_id(purpose: str, account_id: int, subject_id: int, version: int, model: str) -> str:
    """The name of one question at the provider: the same for the same question, and telling nothing of it."""
    told = f"{purpose}:{account_id}:{subject_id}:{version}:{model}"
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def submission_key(custom_ids: Sequence[str]) -> str:
    """The same for the same requests in whatever order."""
    return hashlib.sha256("\n".join(sorted(custom_ids)).encode()).hexdigest()[:32]
