"""What employers put into Greenhouse's own and their own fields: pay, kinds of work, workplaces. Pure.

Custom fields bear any name an employer likes; only names that can mean one thing are read.
"""

import re
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from pipeline.sources.adapters.labels import agreed, employment_called, interval_called, workplace_called
from pipeline.sources.rules import currency_code, finite
from pipeline.sources.types import EmploymentType, Pay, PayInterval, Workplace

T = TypeVar("T")

_EMPLOYMENT_NAMES = frozenset((
    "employment type", "time type", "job type", "commitment", "employment status", "worker type",
))  # fmt: skip
_WORKPLACE_NAMES = frozenset((
    "workplace type", "workplace", "location type", "work location type", "work model", "work arrangement",
    "remote status",
))  # fmt: skip
_INTERVAL_NAMES = frozenset(("pay frequency", "pay period", "salary frequency", "pay interval"))
_SALARY = re.compile(r"\b(?:pay|salary|compensation|hiring range|wage)\b", re.IGNORECASE)
#: Money that comes beside a salary, or is one only with luck.
_NO_SALARY = re.compile(
    r"\b(?:ote|on[ -]target|target|bonus|commission|equity|stipend|allowance|sign[ -]?on|budget(?:ed)?)\b",
    re.IGNORECASE,
)


class PayRange(msgspec.Struct, frozen=True):
    """Amounts in hundredths."""

    min_cents: float | None = None
    max_cents: float | None = None
    currency_type: str | None = None
    title: str | None = None


class Custom(msgspec.Struct, frozen=True):
    """One custom field; what `value` is depends on `value_type`."""

    name: str = ""
    value: msgspec.Raw = msgspec.Raw(b"null")
    value_type: str = ""


class _Range(msgspec.Struct, frozen=True):
    """`currency_range`; amounts come as text."""

    unit: str | None = None
    min_value: str | float | None = None
    max_value: str | float | None = None


def pay_told(ranges: Iterable[PayRange], custom: Iterable[Custom]) -> Pay | None:
    """Only where one range says it all: zones and tiers are never joined."""
    fields = tuple(custom)
    told = {pay for each in ranges if not _NO_SALARY.search(each.title or "") if (pay := _ranged(each))}
    named: list[PayInterval | None] = [interval_called(text) for _, text in _texts(fields, _INTERVAL_NAMES)]
    interval = agreed(named)
    return agreed(told or (_custom_pay(each, interval) for each in fields))


def employment_told(custom: Iterable[Custom]) -> EmploymentType | None:
    named: list[EmploymentType | None] = [
        employment_called(text) for _, text in _texts(custom, _EMPLOYMENT_NAMES)
    ]
    return agreed(named)


def workplace_told(custom: Iterable[Custom]) -> tuple[Workplace | None, tuple[str, ...]]:
    """The workplace, and the fields that speak of it as "name=value"."""
    texts = tuple(_texts(custom, _WORKPLACE_NAMES))
    named: list[Workplace | None] = [workplace_called(text) for _, text in texts]
    return agreed(named), tuple(f"{name}={text}" for name, text in texts)


def _texts(custom: Iterable[Custom], names: frozenset[str]) -> Iterable[tuple[str, str]]:
    for each in custom:
        text = _decoded(each.value, str) if each.name.strip().casefold() in names else None
        if text is not None and text.strip():
            yield each.name.strip(), text.strip()


def _decoded(value: msgspec.Raw, shape: type[T]) -> T | None:
    try:
        return msgspec.json.decode(value, type=shape)
    except msgspec.MsgspecError:
        return None


def _ranged(told: PayRange) -> Pay | None:
    return _pay(
        _hundredth(told.min_cents),
        _hundredth(told.max_cents),
        told.currency_type,
        interval_called(told.title),
    )


def _hundredth(cents: float | None) -> float | None:
    return None if cents is None else cents / 100


def _custom_pay(field: Custom, interval: PayInterval | None) -> Pay | None:
    if (
        field.value_type != "currency_range"
        or not _SALARY.search(field.name)
        or _NO_SALARY.search(field.name)
    ):
        return None
    told = _decoded(field.value, _Range)
    if told is None:
        return None
    return _pay(
        _amount(told.min_value), _amount(told.max_value), told.unit, interval_called(field.name) or interval
    )


def _amount(told: str | float | None) -> float | None:
    try:
        return None if told is None else float(told)
    except ValueError:
        return None


def _pay(
    low: float | None, high: float | None, currency: str | None, interval: PayInterval | None
) -> Pay | None:
    low, high = finite(low), finite(high)
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        return None
    return Pay(low=low, high=high, currency=currency_code(currency), interval=interval, source="field")
