"""What a paid request costs by a dated price table. Pure; what cannot be known is None, never 0."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from pipeline.usage.types import Estimate, Mode, Price, Tokens

_PER = Decimal(1_000_000)


def price_of(prices: Sequence[Price], model: str, mode: Mode, on: date) -> Price | None:
    """The price that held on that day: the newest of those that had begun."""
    held = [each for each in prices if each.model == model and each.mode == mode and each.since <= on]
    return max(held, key=lambda each: each.since, default=None)


def estimate(price: Price | None, tokens: Tokens) -> Estimate | None:
    """None without a price or a count. Where the provider does not tell cached tokens, all cost the same."""
    if price is None or tokens.input is None or tokens.output is None:
        return None
    cached = min(tokens.cached or 0, tokens.input)
    cached_price = price.input if price.cached is None else price.cached
    amount = (tokens.input - cached) * price.input + cached * cached_price + tokens.output * price.output
    return Estimate(amount=amount / _PER, currency=price.currency, price_since=price.since)
