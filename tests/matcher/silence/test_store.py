"""The person's own pace, from real mail on the real database."""

from datetime import date

import pytest
from fixtures.matching import MatchRunner
from fixtures.samples import Samples, day

from matcher.silence.store import pace
from schema.db import Database
from schema.ids import AccountId


async def test_the_first_answer_after_a_receipt_is_what_counts(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    for kind, sent in (("acknowledgement", 5.1), ("interview_invite", 12), ("rejection", 20)):
        samples.message(kind, employer="Northwind", role="Data Engineer", sent=sent)  # type: ignore[arg-type]
    await match()
    rows = samples.rows("SELECT answered_at FROM standings WHERE application_id = %s", applied)
    assert rows == [(day(12),)]
    async with database.as_account(account) as unit:
        told = await pace(unit)
    assert (told.known, told.median_days) == (1, pytest.approx(7))


async def test_the_median_leaves_out_what_is_unknown_dismissed_or_another_persons(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples
):
    starts = [5, date(2026, 3, 1), None, 5, 5]
    made = [samples.application(f"C{n}", applied=start) for n, start in enumerate(starts)]
    theirs = samples.of(other_account).application("Theirs", applied=1)
    answer = "UPDATE standings SET answered_at = %s WHERE application_id = %s"
    for number, application_id in enumerate([*made, theirs]):
        samples.rows(answer, day(9 + number), application_id)
    samples.rows("UPDATE standings SET dismissed = true WHERE application_id = %s", made[3])
    samples.merge(made[4], into=made[0])
    async with database.as_account(account) as unit:
        told = await pace(unit)
    # Four days from an instant, nine days and nine hours from the first minute of a day.
    assert (told.known, told.median_days) == (2, pytest.approx((4 + 9.375) / 2))


async def test_without_an_answer_there_is_no_median(database: Database, account: AccountId, samples: Samples):
    samples.application()
    async with database.as_account(account) as unit:
        told = await pace(unit)
    assert (told.known, told.median_days, told.usual_days) == (0, None, None)
