"""Ashby's pay: the ranges an employer shows, as the one range of a posting or as nothing. Pure.

Ashby sums its tiers up itself, one salary for each currency and period. Several of one currency and period
are levels of one job only if they leave no gap between them; else nobody can say which holds. Several
currencies are offers in several countries: the first the employer names is taken, never joined.
"""

import msgspec

from pipeline.sources.adapters.amounts import one_range
from pipeline.sources.rules import finite
from pipeline.sources.types import Pay, PayInterval

_INTERVALS: dict[str, PayInterval] = {
    "1 YEAR": "year",
    "1 MONTH": "month",
    "1 WEEK": "week",
    "1 DAY": "day",
    "1 HOUR": "hour",
    "NONE": "once",
}


class _Component(msgspec.Struct, frozen=True, rename="camel"):
    compensation_type: str | None = None
    interval: str | None = None
    currency_code: str | None = None
    min_value: float | None = None
    max_value: float | None = None


class _Tier(msgspec.Struct, frozen=True, rename="camel"):
    components: list[_Component] | None = None


class Compensation(msgspec.Struct, frozen=True, rename="camel"):
    """What Ashby says of a posting's pay; the summary is its own, over all tiers."""

    summary_components: list[_Component] | None = None
    compensation_tiers: list[_Tier] | None = None


def shown_pay(told: Compensation | None, *, is_shown: bool | None) -> Pay | None:
    """`is_shown` False is an employer that does not want its pay shown."""
    if told is None or is_shown is False:
        return None
    summed = _ranges(told.summary_components)
    tiers = [part for tier in told.compensation_tiers or () for part in tier.components or ()]
    return _one_of(summed or _ranges(tiers))


def _ranges(components: list[_Component] | None) -> list[Pay]:
    salaries = [each for each in components or () if each.compensation_type == "Salary"]
    read = (
        one_range(
            finite(each.min_value),
            finite(each.max_value),
            each.currency_code,
            _INTERVALS.get(each.interval or ""),
        )
        for each in salaries
    )
    return [pay for pay in read if pay is not None]


def _one_of(ranges: list[Pay]) -> Pay | None:
    """The first range, with what touches it in the same currency and period; None when something does not."""
    if not ranges:
        return None
    first = ranges[0]
    alike = [each for each in ranges if (each.currency, each.interval) == (first.currency, first.interval)]
    if len(set(map(_ends, alike))) == 1:
        return first
    if first.currency is None or any(each.low is None or each.high is None for each in alike):
        return None
    (low, high), *others = sorted(map(_ends, alike))
    for start, end in others:
        if start > high:
            return None
        high = max(high, end)
    return msgspec.structs.replace(first, low=low, high=high)


def _ends(pay: Pay) -> tuple[float, float]:
    return pay.low or 0.0, pay.high or 0.0
