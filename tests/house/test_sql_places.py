"""SQL stands in `store.py`, on the ground floor and in migrations; each table has one writer."""

import re
from collections import defaultdict
from pathlib import Path

from house.source_files import ROOT, product, texts, tracked

SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX|ROLE|DATABASE))\b",
    re.DOTALL,
)
WRITE = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+([a-z_]+)\b(?!\s+SKIP)")
QUEUE = ("tasks", "workers", "host_budgets")
NOT_TABLES = {"of", "skip", "nowait", "set", "no"}


def may_hold_sql(path: Path) -> bool:
    return path.name == "store.py" or path.parts[0] == "schema"


def test_sql_stands_only_where_it_belongs():
    offenders = [
        f"{path}:{line}"
        for path in product()
        if not may_hold_sql(path)
        for line, text in texts(path)
        if SQL.search(text)
    ]
    assert not offenders


def test_each_table_has_one_writer():
    writers: dict[str, set[str]] = defaultdict(set)
    for path in product():
        for _, text in texts(path):
            for table in WRITE.findall(text):
                if table not in NOT_TABLES:
                    writers[table].add(str(path))
    assert writers, "no writer was found at all: the pattern no longer fits"
    # Asking for work is everybody's insert; moving it on is the worker's, each duty from its own store.
    for table in QUEUE:
        outside = {file for file in writers.pop(table) if not file.startswith("pipeline/worker/")}
        assert outside <= {"schema/queue.py"}
    shared = {table: files for table, files in writers.items() if len(files) > 1}
    assert not shared


def test_only_one_file_of_tests_ends_connections():
    """Tests share a server: what ends connections names the test's own database."""
    ends = "pg_terminate" + "_backend"
    tests = (path for path in tracked(".py") if path.parts[0] == "tests")
    assert [path.name for path in tests if ends in (ROOT / path).read_text()] == ["cutting.py"]
