"""Stages 1 to 3 on real mail that is not in the tree; skipped where it is not beside the checkout."""

import mailbox
from contextlib import closing
from pathlib import Path

from mailsync.classify.stages import read
from mailsync.classify.types import Reading
from mailsync.evaluation.figures import figures
from mailsync.evaluation.run import evaluated
from mailsync.parse.message import parse_message


def test_no_refusal_of_real_mail_is_good_news_and_little_is_left_open(shared_data: Path):
    outcome = evaluated(shared_data / "mail" / "findajob-eml")
    told = figures(outcome.judged)
    assert not outcome.unread
    assert (told.refusals_as_good_news, told.letters_as_refusals) == (0, 0)
    assert (told.right_of_decided.value or 0) >= 0.98
    assert (told.decided.value or 0) >= 0.8


def test_mail_of_other_matters_is_not_taken_for_job_mail(shared_data: Path):
    """Fewer than three in a thousand, and none of them by the model."""
    raws = [path.read_bytes() for path in _files(shared_data, ".eml", ".txt", ".msg")]
    for path in _files(shared_data, ".mbox"):
        with closing(mailbox.mbox(path, create=False)) as box:
            raws += [message.as_bytes() for message in box]
    alarms = [reading for raw in raws if (reading := read(parse_message(raw))) and _is_alarm(reading)]
    assert len(raws) > 300
    assert not [reading for reading in alarms if reading.stage == "local_model"]
    assert len(alarms) <= 0.003 * len(raws), [reading.events for reading in alarms]


def _is_alarm(reading: Reading) -> bool:
    return any(event.kind != "not_job_related" for event in reading.events)


def _files(shared_data: Path, *suffixes: str) -> list[Path]:
    return sorted(path for path in (shared_data / "mime").rglob("*") if path.suffix in suffixes)
