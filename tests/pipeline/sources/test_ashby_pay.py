"""Ashby's pay: one range or nothing, never two that the employer keeps apart."""

import pytest
from emulators.boards import Job, ashby_board, ashby_job, salary

from pipeline.sources.adapters.ashby import read_board
from pipeline.sources.types import Answer, Pay


def pay_of(
    summary: list[Job], tiers: list[list[Job]] | None = None, *, shown: bool | None = True
) -> Pay | None:
    told = {
        "summaryComponents": summary,
        "compensationTiers": [{"title": None, "components": each} for each in tiers or []],
    }
    job = ashby_job("Pilot", shouldDisplayCompensationOnJobPostings=shown, compensation=told)
    (listing,) = read_board(Answer(url="http://board.example", status=200, body=ashby_board(job))).listings
    return listing.pay


def ranges(*told: tuple[float | None, float | None, str, str]) -> list[Job]:
    return [part for each in told for part in salary(*each)["summaryComponents"]]  # type: ignore[attr-defined]


def year(low: float, high: float, currency: str = "USD") -> tuple[float, float, str, str]:
    return low, high, currency, "1 YEAR"


@pytest.mark.parametrize(
    ("told", "low", "high"),
    [
        ([year(90_000, 120_000)], 90_000, 120_000),
        ([year(90_000, 120_000)] * 2, 90_000, 120_000),
        ([year(110_000, 150_000), year(90_000, 120_000)], 90_000, 150_000),
        ([(0, 120_000, "USD", "1 YEAR")], None, 120_000),
    ],
)
def test_levels_of_one_job_are_one_range_while_they_touch(told, low, high):
    pay = pay_of(ranges(*told))
    assert pay == Pay(low=low, high=high, currency="USD", interval="year", source="field")


def test_tiers_with_a_gap_between_them_say_no_range():
    assert pay_of(ranges(year(60_000, 70_000), year(150_000, 180_000))) is None


def test_failure_14_ranges_in_two_currencies_are_never_joined():
    pay = pay_of(ranges(year(90_000, 120_000), year(70_000, 95_000, "GBP"), year(120_000, 150_000, "CAD")))
    assert pay == Pay(low=90_000, high=120_000, currency="USD", interval="year", source="field")


def test_an_hour_and_a_year_are_never_joined():
    pay = pay_of(ranges((25, 30, "USD", "1 HOUR"), year(50_000, 60_000)))
    assert pay == Pay(low=25, high=30, currency="USD", interval="hour", source="field")


def test_what_only_the_tiers_say_is_read_and_a_bonus_is_no_pay():
    bonus = {
        "compensationType": "Bonus",
        "interval": "1 YEAR",
        "currencyCode": "USD",
        "minValue": 5_000,
        "maxValue": 9_000,
    }
    assert pay_of([bonus]) is None
    assert pay_of([bonus], [[*ranges(year(80_000, 90_000)), bonus]]) == Pay(
        low=80_000, high=90_000, currency="USD", interval="year", source="field"
    )


def test_pay_the_employer_hides_stays_hidden():
    assert pay_of(ranges(year(90_000, 120_000)), shown=False) is None
