"""A namesake of ours from the package index is refused by name, before any of it runs."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OURS = ("schema", "pipeline", "mailsync", "matcher", "extension_api", "backend")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Our packages as an installer lays them out: side by side in one `site-packages`."""
    site = tmp_path / "site-packages"
    for name in OURS:
        shutil.copytree(ROOT / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    return site


def jobtrail(*path: Path) -> subprocess.CompletedProcess[str]:
    lines = ["import sys", f"sys.path[:0] = {[str(folder) for folder in path]!r}"]
    lines += ["from backend.__main__ import main", "sys.argv = ['jobtrail', '--version']", "sys.exit(main())"]
    return subprocess.run(
        [sys.executable, "-P", "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )


def test_our_own_packages_are_accepted(installed: Path):
    done = jobtrail(installed)
    assert (done.returncode, done.stdout) == (0, "jobtrail 0.1.0\n")


def test_a_namesake_that_comes_first_is_refused_by_name(installed: Path, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "schema.py").write_text("raise SystemExit('a stranger ran')")
    done = jobtrail(elsewhere, installed)
    assert done.returncode == 1
    assert done.stderr == (
        f"jobtrail: `schema` is not Jobtrail's own: the folder at {elsewhere}/schema.py has taken its name. "
        "Uninstall it, or give Jobtrail an environment of its own (`make run` does).\n"
    )


def test_a_namesake_installed_over_our_files_is_refused_by_name(installed: Path):
    (installed / "schema-0.7.8.dist-info").mkdir()
    done = jobtrail(installed)
    assert done.returncode == 1
    assert "`schema` is not Jobtrail's own: the package schema-0.7.8" in done.stderr


def test_a_package_of_ours_that_an_uninstall_took_along_is_missed_by_name(installed: Path):
    shutil.rmtree(installed / "matcher")
    lines = jobtrail(installed).stderr
    assert "`matcher`" in lines
