"""`jobtrail catalog`, as it is typed."""

import json
from pathlib import Path

import pytest
from fixtures.command_line import Command


@pytest.fixture
def series(tmp_path: Path) -> Path:
    file = tmp_path / "days.csv"
    rows = [f"2026-08-{day:02},north,{n}" for day in range(1, 15) for n in range(9 if 1 < day < 9 else 10)]
    file.write_text("\n".join(["date,board,id", *rows]))
    return file


def test_simulate_prints_both_kinds_with_their_bars(command_line: Command, series: Path):
    told = command_line("catalog", "simulate", series)
    assert told.code == 0
    head, columns, api, scraped = told.out.splitlines()[:4]
    assert head.startswith("133 rows of 1 boards on 14 days") and "false" in columns
    assert api.startswith("api") and "1 = 100.00 %" in api and "OUTSIDE bars 5.6 % false" in api
    assert scraped.startswith("scraped") and "8.4 % false" in scraped


def test_simulate_tells_a_program_one_kind(command_line: Command, series: Path):
    told = command_line("catalog", "simulate", series, "--kind", "api", "--json")
    [kind] = json.loads(told.out)["kinds"]
    assert (kind["closes"], kind["false_closes"], kind["within_bars"]) == (1, 1, False)


def test_simulate_refuses_what_it_does_not_know(command_line: Command, series: Path, tmp_path: Path):
    assert command_line("catalog", "simulate", series, "--kind", "html").code == 2
    missing = command_line("catalog", "simulate", tmp_path / "none.csv")
    assert missing.code == 1 and "There is no file" in missing.err
    unnamed = command_line("catalog", "simulate", series, "--board", "firm")
    assert unnamed.code == 1 and "no column 'firm'" in unnamed.err
