"""The product's source, for the tests that hold the house rules."""

import ast
import importlib
import pkgutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLOORS = ("schema", "pipeline", "mailsync", "matcher", "extension_api", "backend")


@cache
def tracked(suffix: str = "") -> list[Path]:
    """Files git knows or would take, relative to the root; the whole tree where git is absent."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [
        Path(name) for name in sorted(set(listed)) if name.endswith(suffix or "") and (ROOT / name).is_file()
    ]


def product() -> list[Path]:
    return [path for path in tracked(".py") if path.parts[0] in FLOORS]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(), str(path))


def imported(path: Path) -> set[str]:
    """Full names of the modules a file imports."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def texts(path: Path) -> list[tuple[int, str]]:
    """Every string constant that is not a docstring, with its line."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


@cache
def import_everything() -> None:
    """Import every module of the product, so that every register is full."""
    for floor in FLOORS:
        package = importlib.import_module(floor)
        for module in pkgutil.walk_packages(package.__path__, f"{floor}."):
            importlib.import_module(module.name)
