"""`jobtrail catalog simulate`, as it is typed."""

import json
from pathlib import Path

import pytest
from fixtures.command_line import Command


@pytest.fixture
def series(tmp_path: Path) -> Path:
    """Ten postings, one of which is away from the second to the eighth day."""
    file = tmp_path / "days.csv"
    rows = [f"2026-08-{day:02},north,{n}" for day in range(1, 15) for n in range(9 if 1 < day < 9 else 10)]
    file.write_text("\n".join(["date,board,id", *rows]))
    return file


def test_both_kinds_are_printed_with_their_bars(command_line: Command, series: Path):
    told = command_line("catalog", "simulate", series)
    assert told.code == 0
    head, columns, api, scraped = told.out.splitlines()[:4]
    assert head.startswith("133 rows of 1 boards on 14 days") and "false" in columns
    assert api.startswith("api") and "1 = 100.00 %" in api and "OUTSIDE bars 5.6 % false" in api
    assert scraped.startswith("scraped") and "8.4 % false" in scraped


def test_a_program_is_told_one_kind_from_a_day_on(command_line: Command, series: Path):
    told = command_line("catalog", "simulate", series, "--kind", "api", "--json")
    [kind] = json.loads(told.out)["kinds"]
    assert (kind["closes"], kind["false_closes"], kind["within_bars"]) == (1, 1, False)
    later = command_line("catalog", "simulate", series, "--since", "2026-08-03", "--json")
    assert [each["closes"] for each in json.loads(later.out)["kinds"]] == [0, 0]


def test_what_is_not_known_is_refused_in_one_line(command_line: Command, series: Path, tmp_path: Path):
    assert command_line("catalog", "simulate", series, "--kind", "html").code == 2
    assert command_line("catalog", "simulate", series, "--since", "June").code == 2
    for said, typed in (
        ("There is no file", (tmp_path / "none.csv",)),
        ("no column 'firm'", (series, "--board", "firm")),
        ("no rows from 2027-01-01 on", (series, "--since", "2027-01-01")),
    ):
        told = command_line("catalog", "simulate", *typed)
        assert (told.code, told.err.count("\n"), said in told.err) == (1, 1, True)
