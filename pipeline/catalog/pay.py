"""Pay in a person's words. Pure; an end, a currency or an interval that is unknown is left out."""

from decimal import Decimal

from schema.text import grouped

_INTERVALS = {"year": "a year", "month": "a month", "week": "a week", "day": "a day", "hour": "an hour"}


def pay_said(
    low: Decimal | float | None, high: Decimal | float | None, currency: str | None, interval: str | None
) -> str | None:
    """`EUR 80 000 to 95 000 a year`, `from EUR 45.50 an hour`; None when nothing is known."""
    ends = [_amount(end) for end in (low, high) if end is not None]
    if not ends:
        return None
    bound = "up to" if low is None else "from" if high is None else ""
    amount = " to ".join(dict.fromkeys(ends))
    words = (bound, currency or "", amount, _INTERVALS.get(interval or "", ""))
    return " ".join(word for word in words if word)


def _amount(end: Decimal | float) -> str:
    whole, _, cents = f"{end:.2f}".partition(".")
    return grouped(int(whole)) + ("" if cents == "00" else f".{cents}")
