"""A daily series of what boards showed, out of files: Parquet, CSV, JSON lines or a JSON array, also gzipped,
also a folder of them, a file a day. Only reads; it judges nothing.

The day may stand in a column or in the path (`dt=2026-08-01`, `2026/08/01`, `jobs-20260801`). A posting is
known by its id or its address, whichever lasts: some series give a posting a new id every day.
"""

import csv
import gzip
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Literal, cast

import arro3.io
import msgspec

from pipeline.closing.columns import (
    IDS,
    URLS,
    Asked,
    Columns,
    board_in_id,
    can_matter,
    columns_of,
    day_of,
)
from schema.errors import Invalid
from schema.identity.urls import posting_url

_SUFFIXES = (".parquet", ".csv", ".tsv", ".jsonl", ".ndjson", ".json")
#: Descriptions stand in some columns.
_MAX_FIELD_CHARS = 2**24
_DELIMITERS = ",;\t|"
_PARQUET_MARK = b"PAR1"
_DAY_IN_PATH = re.compile(r"(?<!\d)(\d{4})([-_/]?)(\d{2})\2(\d{2})(?!\d)")
#: An address stands for a posting only where rows of one day do not share it.
_UNSHARED = 0.98
#: By how much longer an address must last than an id to be the better name.
_LASTS_LONGER = 1.05
#: Rows that must say which posting of which board they are, for the columns to be the right ones.
_NAMED = 0.95

Identity = Literal["id", "url"]


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What one board showed on one day."""

    on: date
    board: str
    ids: frozenset[str]


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """`identity` is what postings are known by; `rows_an_id` and `rows_a_url` tell how long each lasts.
    `nameless` rows name no board or no posting and are left out, as are `others`, files beside the series."""

    snapshots: tuple[Snapshot, ...]
    rows: int
    nameless: int = 0
    others: tuple[str, ...] = ()
    identity: Identity
    rows_an_id: float
    rows_a_url: float


class _Row(msgspec.Struct, frozen=True, gc=False):
    on: date
    board: str
    id: str
    url: str


class _Table(msgspec.Struct, frozen=True, kw_only=True):
    """`columns` are those of `names` that can be asked for."""

    names: tuple[str, ...]
    rows: int
    columns: Mapping[str, Sequence[object]]

    def values(self, name: str | None) -> Sequence[object]:
        return [None] * self.rows if name is None else self.columns[name]


def read_series(
    path: Path, asked: Asked, identity: Identity | None = None, *, since: date | None = None
) -> Series:
    """Raises `Invalid`, naming the file and what is wrong with it."""
    found, others = _all_rows(path, asked)
    rows = [row for row in found if since is None or row.on >= since]
    named = [row for row in rows if row.board and (row.id or row.url)]
    if not rows:
        raise Invalid(f"{path} holds no rows{f' from {since} on' if since else ''}.")
    if len(named) < _NAMED * len(rows):
        raise Invalid(
            f"{path}: {len(rows) - len(named):,} of {len(rows):,} rows name no board or no posting."
        )
    series = _series(named, identity)
    return msgspec.structs.replace(series, nameless=len(rows) - len(named), others=others)


def _all_rows(path: Path, asked: Asked) -> tuple[list[_Row], tuple[str, ...]]:
    """And the files that are no part of the series: a list of boards, say, beside its days."""
    files = _files(path)
    rows: list[_Row] = []
    others: list[Invalid] = []
    for file in files:
        try:
            rows += _rows(file, path, asked)
        except Invalid as refused:
            others.append(refused)
            if 2 * len(others) >= len(files):
                raise others[0] from refused
    return rows, tuple(each.detail for each in others)


def _series(rows: list[_Row], identity: Identity | None) -> Series:
    rows_an_id, rows_a_url = _lasting(rows, "id"), _lasting(rows, "url")
    chosen = identity or ("url" if rows_a_url > _LASTS_LONGER * rows_an_id else "id")
    shown: dict[tuple[date, str], set[str]] = defaultdict(set)
    for row in rows:
        shown[row.on, row.board].add(_named(row, chosen))
    return Series(
        snapshots=tuple(
            Snapshot(on=on, board=board, ids=frozenset(ids)) for (on, board), ids in sorted(shown.items())
        ),
        rows=len(rows),
        identity=chosen,
        rows_an_id=rows_an_id,
        rows_a_url=rows_a_url,
    )


def _named(row: _Row, identity: Identity) -> str:
    return (row.url or row.id) if identity == "url" else (row.id or row.url)


def _lasting(rows: list[_Row], identity: Identity) -> float:
    """Rows to a name; 0 when rows of one day share names, or have none."""
    named = [(row.board, name, row.on) for row in rows if (name := row.url if identity == "url" else row.id)]
    if len(named) < _UNSHARED * len(rows) or len(set(named)) < _UNSHARED * len(named):
        return 0.0
    return len(named) / len({(board, name) for board, name, _ in named})


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise Invalid(f"There is no file {path}.")
    files = sorted(each for each in path.rglob("*") if _suffix(each) in _SUFFIXES)
    if not files:
        raise Invalid(f"{path} holds no file that ends in {', '.join(_SUFFIXES)}, gzipped or not.")
    return files


def _suffix(file: Path) -> str:
    return Path(file.name.lower().removesuffix(".gz")).suffix


def _rows(file: Path, root: Path, asked: Asked) -> Iterator[_Row]:
    table = _with_day(_table(file, asked), file, root)
    if not table.rows:
        return
    columns = columns_of(table.names, asked, str(file))
    names = (columns.date, columns.board, columns.platform, columns.id, columns.url)
    days: dict[str, date | None] = {}
    for number, (day, board, platform, identity, url) in enumerate(
        zip(*map(table.values, names), strict=True), 1
    ):
        written = _text(day)
        if written not in days:
            days[written] = day_of(day)
        on = days[written]
        if on is None:
            raise Invalid(f"{file}, row {number}: {day!r} in column {columns.date!r} is no day.")
        yield _Row(on, _board(board, platform, identity, url, columns), _text(identity), _text(url))


def _board(board: object, platform: object, identity: object, url: object, columns: Columns) -> str:
    """A column called "source" may name the platform only: what id or address tell is more."""
    if columns.board is None or columns.board.strip().lower() == "source":
        told = board_in_id(_text(identity)) or _board_of_address(_text(url))
        return told or _text(board)
    name = _text(board)
    return f"{_text(platform)}:{name}" if name and platform is not None else name


def _board_of_address(url: str) -> str | None:
    found = posting_url(url) if url else None
    return None if found is None or found.board is None else f"{found.platform}:{found.board}"


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()


def _with_day(table: _Table, file: Path, root: Path) -> _Table:
    """What the path says stands beside what the rows say: `dt=2026-08-01/part.parquet`, `2026-08-01.csv`."""
    path = file.relative_to(root) if root.is_dir() else Path(file.name)
    said = [tuple(part.split("=", 1)) for part in path.parts if "=" in part]
    if root.is_dir():
        days = [f"{year}-{month}-{day}" for year, _, month, day in _DAY_IN_PATH.findall(path.as_posix())]
        said += [("day", day) for day in days[-1:] if day_of(day)]
    there = {name.lower() for name in table.names}
    new = {name: [value] * table.rows for name, value in said if name.lower() not in there}
    return _Table(names=(*table.names, *new), rows=table.rows, columns={**table.columns, **new})


def _table(file: Path, asked: Asked) -> _Table:
    try:
        if _suffix(file) == ".parquet":
            return _parquet(file, asked)
        data = file.read_bytes()
        text = (gzip.decompress(data) if file.name.lower().endswith(".gz") else data).decode("utf-8-sig")
        return _csv(text) if _suffix(file) in {".csv", ".tsv"} else _json(text)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a broken Parquet makes the library panic, which is no Exception
        raise Invalid(f"{file} cannot be read as a table: {error}") from error


def _parquet(file: Path, asked: Asked) -> _Table:
    """Only the columns that can matter are made into objects: texts are most of such a file."""
    with file.open("rb") as opened:
        starts = opened.read(4)
        size = opened.seek(0, io.SEEK_END)
        opened.seek(max(size - 8, 0))
        footer, ends = opened.read(4), opened.read(4)
    # What is cut short is refused here: the library would panic, and print it.
    if starts != _PARQUET_MARK or ends != _PARQUET_MARK or int.from_bytes(footer, "little") + 12 > size:
        raise ValueError("it is no Parquet, or only a part of one")
    table = arro3.io.read_parquet(file, batch_size=65_536).read_all()
    names = tuple(table.column_names)
    columns = {
        name: cast("list[object]", table.column(name).to_pylist())  # pyright: ignore[reportUnknownMemberType]
        for name in names
        if can_matter(name, asked)
    }
    return _Table(names=names, rows=table.num_rows, columns=columns)


def _csv(text: str) -> _Table:
    head = text.partition("\n")[0]
    csv.field_size_limit(_MAX_FIELD_CHARS)
    lines = csv.reader(io.StringIO(text), delimiter=max(_DELIMITERS, key=head.count))
    names = tuple(next(lines, ()))
    return _by_column(names, (line + [""] * (len(names) - len(line)) for line in lines if line))


def _json(text: str) -> _Table:
    if text.lstrip().startswith("["):
        rows = msgspec.json.decode(text, type=list[dict[str, object]])
    else:
        wrapped = _wrapped(text)
        rows = _lines(text) if wrapped is None else wrapped
    names = tuple(dict.fromkeys(name for row in rows for name in row))
    return _by_column(names, ([row.get(name) for name in names] for row in rows))


def _lines(text: str) -> list[dict[str, object]]:
    decoder = msgspec.json.Decoder(dict[str, object])
    return [decoder.decode(line) for line in text.splitlines() if line.strip()]


def _wrapped(text: str) -> list[dict[str, object]] | None:
    """The rows of `{"date": ..., "jobs": [...]}`, each with what stands beside them; None for all else."""
    try:
        whole = msgspec.json.decode(text, type=dict[str, object])
    except msgspec.MsgspecError:
        return None
    lists = [name for name, value in whole.items() if isinstance(value, list)]
    if len(lists) != 1 or any(name.strip().lower() in (*IDS, *URLS) for name in whole):
        return None
    rows = msgspec.convert(whole.pop(lists[0]), list[dict[str, object]])
    return [{**whole, **row} for row in rows]


def _by_column(names: tuple[str, ...], rows: Iterable[Sequence[object]]) -> _Table:
    lines = [tuple(row)[: len(names)] for row in rows]
    columns = dict(zip(names, zip(*lines, strict=True), strict=True)) if lines else {}
    return _Table(names=names, rows=len(lines), columns=columns)
