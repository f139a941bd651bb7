"""Daily series in the shapes that people keep them in, and what is said of those that cannot be read."""

import csv
import gzip
import io
import json
from datetime import date
from pathlib import Path

import arro3.core
import arro3.io
import pytest

from pipeline.closing.columns import Asked, day_of
from pipeline.closing.series import Snapshot, read_series
from schema.errors import Invalid

ROWS = [
    {"date": "2026-08-01", "firm": "north", "id": "1", "url": "https://n.example/1", "title": "Mate"},
    {"date": "2026-08-01", "firm": "north", "id": "2", "url": "https://n.example/2", "title": "Cook"},
    {"date": "2026-08-02", "firm": "north", "id": "1", "url": "https://n.example/1", "title": "Mate"},
    {"date": "2026-08-02", "firm": "south", "id": "1", "url": "https://s.example/1", "title": "Mate"},
]
SNAPSHOTS = (
    Snapshot(on=date(2026, 8, 1), board="north", ids=frozenset({"1", "2"})),
    Snapshot(on=date(2026, 8, 2), board="north", ids=frozenset({"1"})),
    Snapshot(on=date(2026, 8, 2), board="south", ids=frozenset({"1"})),
)


def as_csv(rows: list[dict[str, str]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_lines(rows: list[dict[str, str]]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def write_parquet(file: Path, rows: list[dict[str, str]]) -> None:
    columns = {
        name: arro3.core.Array([row[name] for row in rows], arro3.core.DataType.string()) for name in rows[0]
    }
    arro3.io.write_parquet(arro3.core.Table.from_pydict(columns), file)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.jsonl", "a.ndjson.gz", "a.json", "a.parquet"])
def test_every_format_says_the_same(tmp_path: Path, name: str):
    file = tmp_path / name
    if name.endswith("parquet"):
        write_parquet(file, ROWS)
    else:
        data = {"csv": as_csv, "json": lambda rows: json.dumps(rows).encode()}.get(
            name.split(".")[1], as_lines
        )(ROWS)
        file.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    series = read_series(file, Asked())
    assert series.snapshots == SNAPSHOTS and series.rows == 4 and series.identity == "id"


def test_a_folder_of_days_is_one_series(tmp_path: Path):
    for row in ROWS:
        file = tmp_path / f"dt={row['date']}" / f"{row['firm']}-{row['id']}.jsonl"
        file.parent.mkdir(exist_ok=True)
        kept = {"Company": row["firm"], "Job_ID": row["id"]}
        file.write_bytes(as_lines([kept]))
    assert read_series(tmp_path, Asked()).snapshots == SNAPSHOTS


def test_a_day_may_stand_in_the_name_of_a_file(tmp_path: Path):
    (tmp_path / "jobs-2026-08-01.csv").write_text("board,id\nnorth,1\nnorth,2\n")
    (tmp_path / "jobs-2026-08-02.csv").write_text("board,id\nnorth,1\nsouth,1\n")
    assert read_series(tmp_path, Asked()).snapshots == SNAPSHOTS


@pytest.mark.parametrize(
    "name", ["snapshot-{}{}{}.tsv", "{}/{}/{}/jobs.tsv", "{}-{}-{}/jobs.tsv", "days/{}_{}_{}.tsv"]
)
def test_a_day_may_stand_anywhere_in_the_path(tmp_path: Path, name: str):
    for day, rows in (("01", "north\t1\nnorth\t2\n"), ("02", "north\t1\nsouth\t1\n")):
        file = tmp_path / name.format("2026", "08", day)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("board\tid\n" + rows)
    assert read_series(tmp_path, Asked()).snapshots == SNAPSHOTS


def test_rows_may_stand_in_an_object_beside_what_holds_for_all(tmp_path: Path):
    for day, names in (("01", "12"), ("02", "1")):
        jobs = [{"board": "north", "id": each, "tags": [{"a": 1}]} for each in names]
        whole = {"date": f"2026-08-{day}", "jobs": jobs}
        (tmp_path / f"{day}.json").write_text(json.dumps(whole, indent=1))
    (tmp_path / "03.json").write_text(json.dumps({"date": "2026-08-03", "jobs": []}))
    line = {"date": "2026-08-02", "board": "south", "id": "1", "places": [{"name": "Oslo"}]}
    (tmp_path / "line.jsonl").write_text(json.dumps(line))
    assert read_series(tmp_path, Asked()).snapshots == SNAPSHOTS


def test_a_file_beside_the_series_is_left_out_by_name_and_half_of_them_are_refused(tmp_path: Path):
    (tmp_path / "a.csv").write_text("date,board,id\n2026-08-01,north,1\n")
    (tmp_path / "b.csv").write_text("date;board;id\n2026-08-02;north;1\n")
    (tmp_path / "boards.csv").write_text("board,name\nnorth,North\n")
    series = read_series(tmp_path, Asked())
    assert series.rows == 2
    [why] = series.others
    assert "boards.csv names the day of each row in none" in why
    (tmp_path / "more.csv").write_text("board,name\nnorth,North\n")
    with pytest.raises(Invalid, match=r"boards.csv names the day"):
        read_series(tmp_path, Asked())


@pytest.mark.parametrize(
    ("rows", "boards"),
    [
        (
            "2026-08-01,lever,lever:north:1,\n2026-08-01,lever,lever:south:1,\n",
            {"lever:north", "lever:south"},
        ),
        (
            "2026-08-01,lever,1,https://jobs.lever.co/north/8f0d6a5e-0000-4000-8000-000000000001\n",
            {"lever:north"},
        ),
        ("2026-08-01,north,1,https://n.example/1\n", {"north"}),
    ],
)
def test_a_source_that_is_a_platform_is_no_board(tmp_path: Path, rows: str, boards: set[str]):
    file = tmp_path / "a.csv"
    file.write_text("date,source,id,url\n" + rows)
    assert {each.board for each in read_series(file, Asked()).snapshots} == boards


def test_boards_of_two_platforms_are_two_boards(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text("snapshot_date,source,board,job_id\n20260801,lever,north,1\n20260801,ashby,north,1\n")
    assert {each.board for each in read_series(file, Asked()).snapshots} == {"lever:north", "ashby:north"}


def test_a_board_may_stand_in_the_id(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text("day,id\n2026-08-01,lever:north:1\n2026-08-01,lever:south:1\n")
    assert {each.board for each in read_series(file, Asked()).snapshots} == {"lever:north", "lever:south"}


def test_ids_made_anew_every_day_give_way_to_addresses(tmp_path: Path):
    file = tmp_path / "a.csv"
    lines = [f"2026-08-0{day},north,{day}{n},https://n.example/{n}" for day in range(1, 5) for n in range(60)]
    file.write_text("\n".join(["date,board,id,url", *lines]))
    series = read_series(file, Asked())
    assert series.identity == "url" and (series.rows_an_id, series.rows_a_url) == (1, 4)
    assert read_series(file, Asked(), "id").identity == "id"


def test_an_address_that_rows_share_is_no_name(tmp_path: Path):
    file = tmp_path / "a.csv"
    lines = [
        f"2026-08-0{day},north,{day}{n},https://n.example/jobs" for day in range(1, 5) for n in range(60)
    ]
    file.write_text("\n".join(["date,board,id,url", *lines]))
    assert read_series(file, Asked()).identity == "id"


def test_a_few_rows_without_a_name_are_left_out_and_counted(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text(
        "\n".join(["date,board,id", *(f"2026-08-01,north,{n}" for n in range(30)), "2026-08-01,,1"])
    )
    series = read_series(file, Asked())
    assert (series.rows, series.nameless, len(series.snapshots[0].ids)) == (30, 1, 30)


def test_columns_can_be_named(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text("Tag,Firma,Stelle\n2026-08-01,north,1\n")
    [snapshot] = read_series(file, Asked(date="tag", board="firma", id="Stelle")).snapshots
    assert snapshot == Snapshot(on=date(2026, 8, 1), board="north", ids=frozenset({"1"}))


@pytest.mark.parametrize(
    ("text", "asked", "said"),
    [
        ("board,id\nnorth,1\n", Asked(), "day of each row"),
        ("date,board\n2026-08-01,north\n", Asked(), "posting of each row"),
        ("date,url\n2026-08-01,https://n.example/1\n", Asked(), "board of each row"),
        ("date,board,id\n2026-08-01,north,1\n", Asked(board="Firma"), "no column 'Firma' (--board)"),
        ("date,board,id\nsoon,north,1\n", Asked(), "row 1: 'soon' in column 'date' is no day"),
        ("date,board,id\n2026-08-01,,1\n", Asked(), "1 of 1 rows name no board or no posting"),
        ("date,board,id\n2026-08-01,north\n", Asked(), "1 of 1 rows name no board or no posting"),
        ("date,board,id\n", Asked(), "holds no rows"),
        ("", Asked(), "holds no rows"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path: Path, text: str, asked: Asked, said: str):
    file = tmp_path / "a.csv"
    file.write_text(text)
    with pytest.raises(Invalid) as refused:
        read_series(file, asked)
    assert said in refused.value.detail and str(file) in refused.value.detail


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.parquet", b"no"), ("b.parquet", b"PAR1 cut"), ("a.json", b"[1]"), ("a.csv.gz", b"no")],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, name: str, data: bytes):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Invalid, match="cannot be read as a table"):
        read_series(tmp_path / name, Asked())


def test_a_path_without_any_series_is_refused(tmp_path: Path):
    with pytest.raises(Invalid, match="no file that ends in"):
        read_series(tmp_path, Asked())
    with pytest.raises(Invalid, match="There is no file"):
        read_series(tmp_path / "missing.csv", Asked())


@pytest.mark.parametrize(
    "value", [date(2026, 8, 1), "2026-08-01", "2026-08-01T23:00:00Z", 20260801, 1785542400, 1785542400000]
)
def test_a_day_is_read_in_the_forms_it_is_written_in(value: object):
    assert day_of(value) == date(2026, 8, 1)


@pytest.mark.parametrize("value", ["\u00b2" * 12, "\u0661" * 12, "9" * 40, ["2026-08-01"], {"day": 1}])
def test_what_is_no_day_is_none(value: object):
    assert day_of(value) is None


@pytest.mark.parametrize("value", [["2026-08-01"], {"day": 1}])
def test_a_day_that_is_no_text_is_refused_by_its_row(tmp_path: Path, value: object):
    path = tmp_path / "series.json"
    path.write_text(json.dumps([{"date": value, "firm": "north", "id": "1"}]))
    with pytest.raises(Invalid, match=r"row 1: .* is no day"):
        read_series(path, Asked())


def test_a_description_of_any_length_may_stand_in_a_row(tmp_path: Path):
    path = tmp_path / "series.csv"
    path.write_bytes(as_csv([{**row, "description": "x" * 200_000} for row in ROWS]))
    assert read_series(path, Asked()).snapshots == SNAPSHOTS


def test_a_parquet_file_cut_short_is_refused_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "series.parquet"
    for data in (b"PAR1", b"PAR1" + b"x" * 500, b"PAR1" + b"x" * 500 + b"\xff\xff\xff\x0fPAR1"):
        path.write_bytes(data)
        with pytest.raises(Invalid, match="no Parquet"):
            read_series(path, Asked())
    assert capfd.readouterr().err == ""
