"""Times as a person types them."""

from datetime import UTC, datetime

import pytest

from backend.cli.moments import moment
from backend.cli.parser import WrongUse

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("", None),
        ("2026-11-28", datetime(2026, 11, 28, tzinfo=UTC)),
        ("2026-11-28T10:30", datetime(2026, 11, 28, 10, 30, tzinfo=UTC)),
        ("2026-11-28T10:30+02:00", datetime(2026, 11, 28, 8, 30, tzinfo=UTC)),
        ("30m", datetime(2026, 11, 29, 11, 30, tzinfo=UTC)),
        ("6h", datetime(2026, 11, 29, 6, 0, tzinfo=UTC)),
        ("2d", datetime(2026, 11, 27, 12, 0, tzinfo=UTC)),
    ],
)
def test_a_date_a_time_and_an_age_are_understood(typed: str, meant: datetime | None):
    assert moment("--since", typed, NOW) == meant


@pytest.mark.parametrize(
    "typed", ["yesterday", "6", "6w", "-6h", "2026-13-01", "999999d", "0001-01-01T00:00+23:00"]
)
def test_anything_else_is_wrong_use_that_names_the_flag_and_the_forms(typed: str):
    with pytest.raises(WrongUse, match=r"--since: .* is no time; allowed are 2026-11-29"):
        moment("--since", typed, NOW)
