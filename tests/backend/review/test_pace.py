"""The pace of a person: measured once there is enough to measure, pauses left out."""

from datetime import timedelta

import pytest
from fixtures.samples import Samples, day

from backend.review.pace import ESTIMATE_SECONDS, about, pace, pace_of
from schema.db import Database
from schema.ids import AccountId


def decide(samples: Samples, *seconds: float, act: int | None = None) -> None:
    message = samples.message("status_update")
    for second in seconds:
        samples.insert(
            "match_decisions",
            message_id=message,
            outcome="none",
            actor="person",
            choice="confirm",
            act_id=act,
            policy_version=1,
            input_hash="a" * 64,
            created_at=day(1) + timedelta(seconds=second),
        )


async def test_an_unknown_pace_is_an_estimate(database: Database, account: AccountId, samples: Samples):
    decide(samples, *range(0, 27, 3))
    async with database.as_account(account) as unit:
        found = await pace(unit)
    assert (found.seconds, found.measured) == (ESTIMATE_SECONDS, False)


async def test_ten_answers_measure_it_and_pauses_do_not_count(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples
):
    decide(samples, *range(0, 24, 4), *range(5000, 5024, 4))
    bulk = samples.insert("acts", about="pattern", choice="confirm", actor="person", created_at=day(1))
    decide(samples, 1, 2, 3, 5001, 5002, act=bulk)
    decide(samples.of(other_account), *range(0, 40, 1))
    async with database.as_account(account) as unit:
        found = await pace(unit)
    assert (found.seconds, found.measured) == (4.0, True)


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(1, "about 1 minute"), (89, "about 89 minutes"), (90, "about 2 hours"), (417, "about 7 hours")],
)
def test_long_times_are_told_in_hours(minutes: int, said: str):
    assert about(minutes) == said


@pytest.mark.parametrize(("waiting", "minutes"), [(0, 0), (1, 1), (3, 1), (12, 2), (100, 15)])
def test_minutes_are_rounded_and_never_none_while_something_waits(waiting: int, minutes: int):
    assert pace_of([9.0] * 12).minutes(waiting) == minutes
