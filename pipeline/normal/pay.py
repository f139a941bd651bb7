"""What a job pays: the platform's field, else what the text states in words that can only mean pay. Pure.

Nothing is annualised, no two ranges are joined, and where a text states several that differ (by place, by
level, in two currencies) none of them is the pay.
"""

import re
from collections.abc import Iterator
from itertools import islice
from string import digits

import msgspec

from pipeline.normal.amounts import Amount, amounts_in, currency_of, is_likely, is_yearly, orders_of
from pipeline.normal.pay_words import (
    ALONE,
    FROM,
    LEADS_ALONE,
    NEVER_PAY,
    NOT_PAY,
    NOT_PAY_AFTER,
    PAY,
    PAY_AFTER,
    PAY_AND_MORE,
    PROMISE,
    UP_TO,
    interval_of,
)
from pipeline.sources.types import Pay, PayInterval
from schema.text import clean

_MAX_TEXT_CHARS = 60_000
#: More amounts than that are a table of prices, not a posting.
_MAX_AMOUNTS = 200
_MAX_PAY_TEXT_CHARS = 300
_BEFORE_CHARS = 110
_AFTER_CHARS = 60
_HEADING_CHARS = 70
_HEADING_LINES = 4
_SIGNS = ("€", "£", "₹", "¥", "₩", "₪", "₺", "₴", "₱", "zł", "Kč", "円")
_MONEY_WORDS = ("$", " kr", "lakh", "Lakh", "Rs", "Euro", "euro")
_CODES = (
    "LPA", "USD", "EUR", "GBP", "CAD", "AUD", "NZD", "SGD", "HKD", "BRL", "MXN", "INR", "CHF", "JPY", "CNY",
    "KRW", "ILS", "PLN", "SEK", "NOK", "DKK", "CZK", "HUF", "RON", "TRY", "UAH", "AED", "SAR", "ZAR", "PHP",
    "MYR",
)  # fmt: skip
_CODE = re.compile("[A-Z]{3}")
_SENTENCE = re.compile(r"[.;!?]\s+(?=[A-ZÄÖÜÉ$€£(])|\s[|\u2022]\s")
_YEAR_HOURS = (1_700, 2_300)
_WIDEST_FIELD = 25
#: "Compensation & Benefits: $90,000" is still pay.
_SAME_HEADING_CHARS = 16
_NEAR_CHARS = 30
_BULLET_CHARS = 5
_LEAST_WITHOUT_SIGN = 15_000
_LEAST_ALONE = 20_000
_LEAD_CHARS = 30
_REST_CHARS = 80
_THOUSANDS = re.compile(r"\d\s?[kK]\b|\d[.,\u202f\u00a0 ]\d{3}\b")
_DIGIT = re.compile(r"\d")
_NEXT_AMOUNT = re.compile(r"[$€£₹¥]\s?\d")


class _Stated(msgspec.Struct, frozen=True, kw_only=True):
    """One amount of a text that is pay, or that nothing says is not."""

    low: float | None
    high: float | None
    currency: str | None
    interval: PayInterval | None
    is_range: bool
    is_pay: bool
    words: str


def pay_of(named: Pay | None, text: str | None, countries: tuple[str, ...]) -> tuple[Pay | None, str | None]:
    """The pay, and the words it was read from when it was read from the text."""
    if named is not None:
        return (named, None) if _is_believable(named) else (None, None)
    found = _chosen(list(stated_in((text or "")[:_MAX_TEXT_CHARS], countries)))
    if found is None:
        return None, None
    pay = Pay(low=found.low, high=found.high, currency=found.currency, interval=found.interval, source="text")
    return pay, found.words


def stated_in(text: str, countries: tuple[str, ...]) -> Iterator[_Stated]:
    """Every amount the text states as pay, in its order."""
    if not _has_digit(text):
        return
    lines = text.split("\n")
    seen = 0
    for number, line in enumerate(lines):
        if _DIGIT.search(line) is None or not _can_state_pay(line):
            continue
        for amount in islice(amounts_in(line), _MAX_AMOUNTS - seen):
            seen += 1
            found = _stated(amount, line, lines[max(number - _HEADING_LINES, 0) : number], countries)
            if found is not None:
                yield found


def _has_digit(text: str) -> bool:
    """Most texts have none, and looking for ten letters takes a tenth of the time of an expression."""
    return any(digit in text for digit in digits) or (not text.isascii() and _DIGIT.search(text) is not None)


def _can_state_pay(line: str) -> bool:
    """Whether a line has a sign of money, or thousands and words of pay: "Base salary: 65k"."""
    if any(word in line for word in _MONEY_WORDS) or _has_sign(line) or _has_code(line):
        return True
    return _THOUSANDS.search(line) is not None and PAY.search(line) is not None


def _has_sign(line: str) -> bool:
    return not line.isascii() and any(sign in line for sign in _SIGNS)


def _has_code(line: str) -> bool:
    return _CODE.search(line) is not None and any(code in line for code in _CODES)


def _stated(amount: Amount, line: str, above: list[str], countries: tuple[str, ...]) -> _Stated | None:
    """An amount with what its surroundings make of it; None when they do not make it pay."""
    before = _SENTENCE.split(line[max(amount.start - _BEFORE_CHARS, 0) : amount.start])[-1]
    after = _NEXT_AMOUNT.split(_SENTENCE.split(line[amount.end : amount.end + _AFTER_CHARS])[0])[0]
    written = line[amount.start : amount.end]
    interval = interval_of(before, written, after)
    said = _is_pay(amount, before, after, above, has_interval=interval is not None)
    is_pay = said if said is not False else _stands_alone(amount, line, interval)
    if is_pay is None:
        return None
    currency = currency_of(amount.sign, countries)
    orders = orders_of(currency, amount.sign)
    if interval is None and is_yearly(amount.low, orders):
        interval = "year"
    if not is_likely(amount.low, amount.high, orders, interval):
        return None
    low, high = _bounds(amount, before)
    return _Stated(
        low=low,
        high=high,
        currency=currency,
        interval=interval,
        is_range=amount.is_range,
        is_pay=is_pay,
        words=clean(" ".join(f"{before}{written}{after}".split()))[:_MAX_PAY_TEXT_CHARS],
    )


def _is_pay(amount: Amount, before: str, after: str, above: list[str], *, has_interval: bool) -> bool | None:
    """None for money that is something else; False for a range that nothing says is pay or is not."""
    if NOT_PAY_AFTER.search(after) or NEVER_PAY.search(before):
        return None
    pay, other = _last(PAY, before), _last(NOT_PAY, before)
    if other > pay:
        is_heading = pay >= 0 and other - pay <= _SAME_HEADING_CHARS and amount.is_range
        return True if is_heading else None
    if amount.sign is None:
        return True if _is_pay_without_sign(amount, before, after, above) else None
    if pay >= 0:
        is_near = len(before) - pay <= _NEAR_CHARS and not PROMISE.search(before)
        return True if amount.is_range or is_near or PAY_AFTER.search(after) else None
    if PAY_AFTER.search(after) or (amount.is_range and (has_interval or PAY_AND_MORE.search(after))):
        return True
    is_listed = amount.is_range or len(before) <= _BULLET_CHARS or LEADS_ALONE.match(before) is not None
    return _heading_says(above) if is_listed else None


def _stands_alone(amount: Amount, line: str, interval: PayInterval | None) -> bool:
    """A line that is nothing but a year's range or an hour's pay: nothing else is written so in a posting."""
    if amount.sign is None or amount.start > _LEAD_CHARS or len(line) - amount.end > _REST_CHARS:
        return False
    rest = ALONE.match(line, amount.end)
    if rest is None or LEADS_ALONE.match(line[: amount.start]) is None:
        return False
    is_a_years = amount.low >= _LEAST_ALONE and interval in {None, "year"}
    is_more = amount.is_open and any(map(str.isalpha, rest[0]))
    is_said = amount.is_range or is_more or interval_of("", line[amount.start : amount.end], "") == "year"
    return interval in {"hour", "day"} or (is_a_years and is_said)


def _is_pay_without_sign(amount: Amount, before: str, after: str, above: list[str]) -> bool:
    """Only words say that it is money at all, so they must stand right beside it."""
    if amount.low < _LEAST_WITHOUT_SIGN:
        return False
    pay = _last(PAY, before)
    if pay >= 0:
        return len(before) - pay <= _NEAR_CHARS
    is_bullet = len(before) <= _BULLET_CHARS and PAY_AFTER.search(after) is not None
    return is_bullet and _heading_says(above) is True


def _heading_says(above: list[str]) -> bool | None:
    """What the nearest short line that speaks of money at all speaks of: pay or, None, something else."""
    for line in reversed(above):
        if len(line) > _HEADING_CHARS:
            continue
        pay, other = _last(PAY, line), _last(NOT_PAY, line)
        if pay >= 0 or other >= 0:
            return True if pay > other or (pay >= 0 and other - pay <= _SAME_HEADING_CHARS) else None
    return False


def _last(pattern: re.Pattern[str], text: str) -> int:
    """Where the last match ends; -1 for none."""
    return max((match.end() for match in pattern.finditer(text)), default=-1)


def _bounds(amount: Amount, before: str) -> tuple[float | None, float | None]:
    if amount.is_range:
        return amount.low, amount.high
    if UP_TO.search(before):
        return None, amount.high
    return amount.low, (None if amount.is_open or FROM.search(before) else amount.high)


def _chosen(stated: list[_Stated]) -> _Stated | None:
    """The one amount that everything stated lies in or says again; None where they differ.

    A range that only looks like pay is none, but pay beside it is doubted ("New York: $110,000 - $130,000").
    """
    if not any(each.is_pay for each in stated) or len({each.currency for each in stated} - {None}) > 1:
        return None
    intervals = list(dict.fromkeys(each.interval for each in stated))
    widest = [_widest([each for each in stated if each.interval == interval]) for interval in intervals]
    first = next((each for each in widest if each is not None and each.is_pay), None)
    others = [each for each in widest if each is not first]
    agrees = first is not None and all(each is not None and _is_same_pay(first, each) for each in others)
    return first if agrees else None


def _widest(group: list[_Stated]) -> _Stated | None:
    """The range every other one lies in."""
    for each in group:
        low, high = each.low or each.high or 0, each.high or each.low or 0
        if all(low <= (other.low or low) and (other.high or high) <= high for other in group):
            return each
    return None


def _is_same_pay(one: _Stated, other: _Stated) -> bool:
    """An hour's pay and a year's that say the same: nothing else is compared."""
    by_interval = {each.interval: each.low or each.high or 0 for each in (one, other)}
    hour, year = by_interval.get("hour", 0), by_interval.get("year", 0)
    return hour > 0 and _YEAR_HOURS[0] <= year / hour <= _YEAR_HOURS[1]


def _is_believable(pay: Pay) -> bool:
    """A range from next to nothing to a fortune is a form somebody filled to get past it."""
    return pay.low is None or pay.high is None or (0 < pay.low <= pay.high <= pay.low * _WIDEST_FIELD)
