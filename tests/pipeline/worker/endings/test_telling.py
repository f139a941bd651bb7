"""A trouble that passes is told in one plain sentence, and is no alarm while further tries follow."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from pipeline.worker.attempt import troubled
from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.settle import Settled
from pipeline.worker.endings.telling import tell
from pipeline.worker.types import Permanent, Transient
from schema.errors import Unavailable

AGAIN = Settled("pending", "attempts_exhausted", (), timedelta(seconds=12))
OVER = Settled("failed", "attempts_exhausted", ())


def told(error: Exception, settled: Settled = AGAIN, host: str | None = None) -> list[EventDict]:
    task = Claimed(
        id=5, account_id=None, kind="own.read.v1", payload=b"{}", priority=100, lane=0, host=host,
        attempts=1, max_attempts=5, claim_seq=1, parent_id=None,
    )  # fmt: skip
    with capture_logs() as lines:
        tell(task, troubled(task, error), settled)
    return list(lines)


@pytest.mark.parametrize(
    ("error", "host", "sentence"),
    [
        (Transient("unreachable"), "jobs.example", "jobs.example could not be reached; tried again in 12 s"),
        (Transient("unreachable"), None, "the host could not be reached; tried again in 12 s"),
        (ConnectionRefusedError("secret"), None, "the host could not be reached; tried again in 12 s"),
        (Transient("a_new_word"), None, "a passing trouble; tried again in 12 s"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_it_says_what_happened_and_when_it_is_tried_again(error: Exception, host: str | None, sentence: str):
    [line] = told(error, host=host)
    level = "info" if isinstance(error, Transient) else "warning"
    assert (line["event"], line["log_level"]) == (sentence, level)
    assert (line["task"], line["kind"], line["attempt"]) == (5, "own.read.v1", 1)
    assert "secret" not in str(line)


def test_a_place_in_the_code_is_told_only_of_what_no_handler_named():
    [named], [ours] = told(Transient("timeout")), told(Unavailable())
    assert named["why"] == "timeout"
    assert "error" not in named
    assert (ours["why"], ours["error"]) == ("database_trouble", "Unavailable")


def test_the_last_try_is_for_somebody_to_look_at():
    [line] = told(Transient("unreachable"), OVER)
    assert line["log_level"] == "warning"
    assert line["event"] == "the host could not be reached; the last try of 5, given up"


def test_other_ends_are_told_elsewhere():
    assert [line["event"] for line in told(Permanent("source_missing"))] == ["a task failed"]
