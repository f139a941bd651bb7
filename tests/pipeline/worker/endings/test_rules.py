"""What an error means, and what an ending becomes: attempts, waits and codes in, a verdict out."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from fixtures.claimers import Hosted
from hypothesis import given
from hypothesis import strategies as st

from pipeline.worker.attempt import troubled
from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.rules import Verdict, troubles_host, verdict
from pipeline.worker.endings.types import Again, Failed, Finished, Later
from pipeline.worker.types import Deferred, HostClosed, Permanent, Transient
from schema.errors import Unavailable
from schema.retries import LONGEST, PROVIDER_HORIZON
from schema.tasks import CATALOGUE, PullSource

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
JITTER = st.floats(0, 1, exclude_max=True)


def claimed(kind: str = Hosted.KIND, **options) -> Claimed:
    row = {"id": 1, "account_id": None, "payload": b"{}", "priority": 100, "lane": 0, "host": None} | options
    limits = {"attempts": 1, "max_attempts": CATALOGUE[kind].MAX_ATTEMPTS, "claim_seq": 1, "parent_id": None}
    return Claimed(kind=kind, **(limits | row))


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        (Transient(), Again("attempts_exhausted", is_passing=True, why="passing_trouble")),
        (Transient("throttled"), Again("attempts_exhausted", is_passing=True, why="throttled")),
        (ConnectionResetError(), Again("attempts_exhausted", is_passing=True, why="unreachable")),
        (TimeoutError(), Again("attempts_exhausted", is_passing=True, why="timeout")),
        (FileNotFoundError(), Again("attempts_exhausted", is_passing=True, why="system_error")),
        (Unavailable(), Again("attempts_exhausted", why="database_trouble")),
        (psycopg.OperationalError(), Again("attempts_exhausted", why="database_trouble")),
        (MemoryError(), Again("attempts_exhausted", why="out_of_memory")),
        (ZeroDivisionError(), Again("handler_error")),
        (psycopg.IntegrityError(), Again("handler_error")),
        (Permanent("source_missing"), Failed("source_missing")),
        (Deferred(NOW), Later(NOW)),
        (HostClosed(NOW), Later(NOW, closes_host=True)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_an_error_of_a_handler_means(error: Exception, ending):
    assert troubled(claimed(), error) == ending


def test_a_passing_trouble_is_named_by_a_word():
    with pytest.raises(ValueError, match="word"):
        Transient("Somebody else was faster.")


def test_only_what_came_from_outside_speaks_against_a_host():
    assert troubles_host(Again("attempts_exhausted", is_passing=True))
    assert troubles_host(Later(NOW, closes_host=True))
    for ending in (Again("handler_error"), Again("attempts_exhausted"), Later(NOW), Failed("source_missing")):
        assert not troubles_host(ending)
    assert not troubles_host(Finished("read"))


@given(st.integers(1, 19), JITTER)
def test_a_retry_waits_in_its_interval(attempts: int, jitter: float):
    task = claimed(PullSource.KIND, attempts=attempts)
    wanted = verdict(task, Again("handler_error"), NOW, jitter)
    whole = min(timedelta(seconds=PullSource.BACKOFF_SECONDS) * 2 ** (attempts - 1), LONGEST)
    assert wanted.not_before is not None
    assert whole / 2 <= wanted.not_before - NOW <= whole
    assert (wanted.status, wanted.event, wanted.gives_back) == ("pending", "retried", False)


@given(st.lists(JITTER, min_size=20, max_size=20))
def test_work_that_needs_a_provider_is_tried_over_six_hours(draws: list[float]):
    now, task = NOW, claimed(PullSource.KIND)
    for attempts, jitter in enumerate(draws, 1):
        task = claimed(PullSource.KIND, attempts=attempts)
        wanted = verdict(task, Again("attempts_exhausted"), now, jitter)
        if wanted.status == "failed":
            break
        now = wanted.not_before or now
    assert wanted == Verdict("failed", "failed", code="attempts_exhausted")
    assert now - NOW >= PROVIDER_HORIZON


@given(st.integers(3, 32_000))
def test_no_try_beyond_the_last_is_promised(attempts: int):
    wanted = verdict(claimed(attempts=attempts), Again("deadline_exceeded"), NOW, 0.0)
    assert wanted == Verdict("failed", "failed", code="deadline_exceeded")
