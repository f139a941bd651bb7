"""The first `make` on a machine: what is missing there is called by its name."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest
from fixtures.installation import become
from house.source_files import ROOT

PYTHONS = {
    "too old": ("exit 1", "Jobtrail needs Python 3.11 or newer; try: make PYTHON=python3.12 run"),
    "without venv": ('case "$2" in *venv*) exit 1;; esac', "Python's venv module is missing"),
}


def made(folder: Path, *before: str) -> str:
    """What the first step of every task says where it fails."""
    command = [*before, "make", "-C", str(folder), "PYTHON=./python", ".venv/bin/uv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


@pytest.fixture
def checkout(short_folder: Path) -> Path:
    shutil.copy(ROOT / "Makefile", short_folder)
    return short_folder


def pretend(checkout: Path, script: str) -> None:
    (checkout / "python").write_text(f"#!/bin/sh\n{script}\n")
    (checkout / "python").chmod(0o755)


@pytest.mark.parametrize(("script", "words"), PYTHONS.values(), ids=PYTHONS)
def test_a_python_that_will_not_do_is_told_apart(checkout: Path, script: str, words: str):
    pretend(checkout, script)
    assert words in made(checkout)


def test_a_checkout_one_may_not_write_to_is_said_and_nothing_is_blamed_on_python(checkout: Path):
    pretend(checkout, "exit 0")
    checkout.chmod(0o555)
    before = become(pwd.getpwnam("nobody")) if os.geteuid() == 0 else []
    if before and subprocess.run([*before, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine does not let root run a command as somebody else")
    said = made(checkout, *before)
    checkout.chmod(0o755)
    assert f"Everything is installed into {checkout}, where this user may not write" in said
    assert "venv module" not in said
