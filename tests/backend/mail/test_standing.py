"""How a mailbox stands, in words: nothing is guessed, and nothing looks finished before it is."""

from datetime import UTC, datetime, timedelta

import pytest

from backend.mail.standing import NEEDS_PERSON, lasting, percent, standing
from mailsync.gmail.ledger.types import Counts
from mailsync.gmail.status import GmailStatus
from schema.ids import MailboxId

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def status(**changed: object) -> GmailStatus:
    values: dict[str, object] = {
        "mailbox_id": MailboxId(1),
        "address": "ada@gmail.example",
        "state": "connected",
        "phase": "in_step",
        "is_recovering": False,
        "counts": Counts(wanted=0, stored=2, not_kept=3, left_out=4, gone=5, quarantined=1),
        "total": 6,
        "pace": None,
        "remaining": None,
        "ready_at": None,
        "last_success_at": NOW,
        "last_error": None,
        "last_error_at": None,
        "paused_until": None,
        "history_usable": True,
        "gaps": [],
        "quarantined": [],
        "narrow_query": "",
        "narrow_labels": [],
        "include_spam": False,
        "holder": None,
    }
    return GmailStatus(**{**values, **changed})  # pyright: ignore


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a minute"),
        (59, "less than a minute"),
        (61, "about 1 minute"),
        (1_800, "about 30 minutes"),
        (3_600, "about 1 hour"),
        (3_599, "about 1 hour"),
        (12_000, "about 3 hours 20 minutes"),
        (86_399, "about 1 day"),
        (200_000, "about 2 days"),
    ],
)
def test_a_time_left_is_told_roughly(seconds: float, words: str):
    assert lasting(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("done", "total", "expected"), [(0, None, None), (0, 0, 100), (5, 10, 50), (999, 1000, 99), (9, 9, 100)]
)
def test_it_is_whole_only_at_the_end(done: int, total: int | None, expected: int | None):
    assert percent(done, total) == expected


def test_what_nobody_knows_stays_unknown():
    here = standing(status(phase="listing", total=None), NOW, daemons=1)
    assert (here.percent, here.left, here.done, here.is_reading) == (None, None, 6, True)


def test_a_pause_that_is_over_is_none():
    paused = status(phase="fetching", paused_until=NOW + timedelta(seconds=1))
    assert standing(paused, NOW, daemons=1).badge == "Pauses"
    assert standing(paused, NOW + timedelta(seconds=1), daemons=1).badge == "Being read"


def test_only_a_connected_mailbox_can_lack_a_daemon():
    assert standing(status(), NOW, daemons=0).is_untended
    assert not standing(status(), NOW, daemons=1).is_untended
    assert not standing(status(state="disconnected"), NOW, daemons=0).is_untended


@pytest.mark.parametrize("state", NEEDS_PERSON)
def test_what_only_the_person_can_mend_says_so(state: str):
    here = standing(status(state=state, phase="fetching"), NOW, daemons=1)
    assert (here.needs_person, here.is_reading, here.tone) == (True, False, "bad")
