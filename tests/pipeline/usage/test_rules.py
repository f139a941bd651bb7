"""A request is priced by the table of its day, and what cannot be known is not invented."""

from datetime import date
from decimal import Decimal

from pipeline.usage.rules import estimate, price_of
from pipeline.usage.types import Price, Tokens


def price(since: date, *, model: str = "small", cached: str | None = None, mode: str = "live") -> Price:
    return Price(
        model=model,
        since=since,
        currency="USD",
        input=Decimal("0.40"),
        cached=Decimal(cached) if cached else None,
        output=Decimal("1.60"),
        mode=mode,  # pyright: ignore
    )


OLD, NEW = price(date(2026, 1, 1)), price(date(2026, 3, 1), cached="0.10")
BATCH = price(date(2026, 1, 1), mode="batch")
TABLE = (NEW, BATCH, OLD)
COUNTED = Tokens(input=1000, cached=400, output=100, reasoning=20)


def test_the_newest_price_that_had_begun_holds():
    assert price_of(TABLE, "small", "live", date(2026, 2, 28)) is OLD
    assert price_of(TABLE, "small", "live", date(2026, 3, 1)) is NEW
    assert price_of(TABLE, "small", "batch", date(2026, 9, 1)) is BATCH


def test_before_the_first_day_and_for_another_model_there_is_no_price():
    assert price_of(TABLE, "small", "live", date(2025, 12, 31)) is None
    assert price_of(TABLE, "large", "live", date(2026, 3, 1)) is None


def test_cached_tokens_cost_less_and_reasoning_is_part_of_the_output():
    cost = estimate(NEW, COUNTED)
    assert cost is not None
    assert cost.amount == Decimal("0.0004400")
    assert (cost.currency, cost.price_since) == ("USD", date(2026, 3, 1))


def test_without_a_price_for_cached_tokens_all_cost_the_same():
    cost = estimate(OLD, COUNTED)
    assert cost is not None
    assert cost.amount == Decimal("0.00056")


def test_an_unknown_price_or_count_is_unknown_and_not_nothing():
    assert estimate(None, COUNTED) is None
    assert estimate(NEW, Tokens(input=1000, output=None)) is None
    assert estimate(NEW, Tokens(output=10)) is None


def test_more_cached_tokens_than_tokens_never_make_it_cheaper_than_free():
    cost = estimate(NEW, Tokens(input=10, cached=50, output=0))
    assert cost is not None
    assert cost.amount == Decimal("0.000001")
