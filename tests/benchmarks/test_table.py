import json

import pytest

from benchmarks.table import Measure, print_table


def test_a_measure_holds_when_it_keeps_to_its_bar():
    assert Measure("start", 2.0, "s", bar=3.0).holds is True
    assert Measure("start", 4.0, "s", bar=3.0).holds is False
    assert Measure("reads", 4.0, "/s", bar=3.0, at_least=True).holds is True
    assert Measure("size", 4.0, "MB").holds is None


def test_rows_say_which_bar_does_not_hold(capsys: pytest.CaptureFixture[str]):
    print_table([Measure("warm start", 4.25, "s", bar=3.0), Measure("size", 158.4, "MB")])
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["warm", "start", "4.25", "s", "bar", "<=", "3:", "DOES", "NOT", "HOLD"]
    assert second.split() == ["size", "158", "MB"]


def test_json_is_one_object_a_line_with_all_five_keys(capsys: pytest.CaptureFixture[str]):
    print_table([Measure("warm start", 1.5, "s", bar=3.0)], as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told == {"name": "warm start", "value": 1.5, "unit": "s", "bar": 3.0, "holds": True}
