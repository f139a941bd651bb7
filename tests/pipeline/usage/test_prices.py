from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.usage.prices import VARIABLE, load_prices
from schema.settings import BadSetting

ONE = """
[[price]]
model = "small"
since = 2026-03-01
currency = "USD"
input = "0.40"
cached = "0.10"
output = "1.60"
"""


def test_without_a_file_no_price_is_known():
    assert load_prices("") == ()


def test_prices_are_read_with_their_day_and_to_the_last_digit(tmp_path: Path):
    (tmp_path / "prices.toml").write_text(ONE)
    (price,) = load_prices(str(tmp_path / "prices.toml"))
    assert (price.model, price.since, price.mode) == ("small", date(2026, 3, 1), "live")
    assert (price.input, price.cached, price.output) == (Decimal("0.40"), Decimal("0.10"), Decimal("1.60"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ONE.replace('"USD"', '"$"'), "no currency"),
        (ONE.replace("2026-03-01", '"soon"'), "not a price table"),
        (ONE.replace("output", "outptu"), "not a price table"),
        (ONE.replace('"1.60"', '"-1"'), "not between 0"),
        (ONE.replace('"1.60"', '"NaN"'), "not between 0"),
        ("[[price", "not a price table"),
        ("\udcff", "not a price table"),
    ],
)
def test_a_table_that_is_wrong_is_refused_by_the_name_of_its_setting(tmp_path: Path, text: str, says: str):
    path = tmp_path / "prices.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(BadSetting, match=says) as refused:
        load_prices(str(path))
    assert refused.value.field == VARIABLE


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(BadSetting, match="cannot be read"):
        load_prices(str(tmp_path / "none.toml"))
