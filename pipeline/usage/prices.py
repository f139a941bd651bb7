"""Reads the price table an operator wrote: a TOML file with one `[[price]]` for each model and day.

It decides nothing: which price holds for a request is `rules.py`'s answer. There is no table of ours, since
prices change without us; without one every estimate is unknown.
"""

import re
from pathlib import Path

import msgspec

from pipeline.usage.types import Price
from schema.settings import BadSetting

VARIABLE = "JOBTRAIL_MODEL_PRICES_FILE"
_CURRENCY = re.compile(r"[A-Z]{3}")
_MOST_OF_A_MILLION = 1_000_000


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    price: tuple[Price, ...] = ()


def load_prices(path: str) -> tuple[Price, ...]:
    """The prices in the file; none without a file. Raises `BadSetting`, naming the variable and the fault."""
    if not path:
        return ()
    try:
        table = msgspec.toml.decode(Path(path).expanduser().read_bytes(), type=_Table)
    except OSError as error:
        raise _refused(f"{path} cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refused(f"{path} is not a price table: {error}") from error
    for price in table.price:
        _require_sane(price)
    return table.price


def _require_sane(price: Price) -> None:
    if not _CURRENCY.fullmatch(price.currency):
        raise _refused(f"{price.currency!r} is no currency; allowed is one like USD")
    for amount in (price.input, price.cached, price.output):
        if amount is not None and not (amount.is_finite() and 0 <= amount <= _MOST_OF_A_MILLION):
            raise _refused(f"a price of {price.model} is not between 0 and {_MOST_OF_A_MILLION}")


def _refused(why: str) -> BadSetting:
    return BadSetting(f"{VARIABLE}: {why}.", field=VARIABLE)
