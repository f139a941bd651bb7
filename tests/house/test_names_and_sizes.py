"""Names a reader cannot use, files and functions nobody wants to read, marks nobody closes."""

import ast
import importlib.metadata
import re
import statistics
from pathlib import Path

from house.source_files import FLOORS, ROOT, product, tracked, tree

EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "core", "lib", "services", "models", "manager",
               "managers", "misc"}  # fmt: skip
MARKS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError|pragma: no cover")
TEXT_SUFFIXES = {".py", ".js", ".sql", ".css", ".html", ".md", ".toml", ".json", ".yml", ".sh", ".ts"}


def lines(path: Path) -> int:
    return len((ROOT / path).read_text().splitlines())


def test_no_file_or_folder_has_an_empty_name():
    named = [path for path in tracked() if {Path(part).stem for part in path.parts} & EMPTY_NAMES]
    assert not [path for path in named if "node_modules" not in path.parts]


def test_files_are_short():
    sizes = {path: lines(path) for path in product()}
    scripts = {path: lines(path) for path in tracked(".js") if path.parts[0] in {"extension", "backend"}}
    assert not {path: size for path, size in (sizes | scripts).items() if size > 400}
    assert statistics.median(sizes.values()) <= 130


def test_functions_are_short():
    sizes = sorted(
        (node.end_lineno or 0) - node.lineno + 1
        for path in product()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert statistics.median(sizes) <= 9
    assert sizes[int(len(sizes) * 0.9)] <= 30


def test_every_module_says_what_it_is_for():
    silent = [str(path) for path in product() if not ast.get_docstring(tree(path))]
    assert not silent


def test_nothing_is_left_open():
    marked = [
        f"{path}:{number}"
        for path in tracked()
        if path.suffix in TEXT_SUFFIXES and path != Path(__file__).relative_to(ROOT)
        for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1)
        if MARKS.search(line)
    ]
    assert not marked


def test_our_import_names_belong_to_our_distribution_only():
    owners = importlib.metadata.packages_distributions()
    for floor in FLOORS:
        assert set(owners.get(floor, ["jobtrail"])) == {"jobtrail"}, f"another package brings {floor}"
        module = __import__(floor)
        assert module.__file__
        assert Path(module.__file__).is_relative_to(ROOT)


def test_the_lock_excludes_packages_of_our_names():
    for lock in ("requirements.lock", "requirements-dev.lock"):
        names = re.findall(r"^([a-z0-9_.-]+)==", (ROOT / lock).read_text(), re.MULTILINE)
        assert names
        assert not {name.replace("-", "_") for name in names} & set(FLOORS)
