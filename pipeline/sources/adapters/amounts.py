"""Amounts of pay that platforms give in fields, as one range or as nothing. Pure.

Ranges are never joined, units never guessed: what does not say all of it says nothing.
"""

import re

from pipeline.sources.rules import currency_code, finite
from pipeline.sources.types import Pay, PayInterval

_NUMBER = re.compile(r"\d{1,12}(?:\.\d{1,2})?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,2})?")
#: No work of a year is paid less in any currency; such a figure is in another unit than it says.
_LEAST_OF_A_YEAR = 1_000


def amount(value: str | float | None) -> float | None:
    """A figure; text such as "48.000" means one thing here and another there, so it means nothing."""
    if isinstance(value, str):
        written = value.strip()
        if not (_NUMBER.fullmatch(written) or _GROUPED.fullmatch(written)):
            return None
        value = float(written.replace(",", ""))
    return finite(value)


def one_range(
    low: float | None, high: float | None, currency: str | None, per: PayInterval | None
) -> Pay | None:
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        return None
    if per == "year" and min(each for each in (low, high) if each is not None) < _LEAST_OF_A_YEAR:
        return None
    code = currency_code((currency or "").strip().upper() or None)
    return Pay(low=low, high=high, currency=code, interval=per, source="field")
