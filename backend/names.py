"""Refuses to run when a foreign package has taken one of our import names.

Other projects publish packages called `schema`, `pipeline` and so on; installed beside Jobtrail, one of them
silently overwrites ours or comes first. Imports nothing of ours: it runs before anything else does.
"""

import os
import re
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

OURS = ("schema", "pipeline", "mailsync", "matcher", "extension_api", "backend")
_HOME = Path(__file__).resolve().parent.parent


def foreign_name() -> str | None:
    """A sentence that names the first package standing in the place of ours; None when all are ours."""
    for name in OURS:
        place = _place(name)
        if place is None:
            return f"the package `{name}` of Jobtrail is missing from {_HOME}; install Jobtrail again."
        if place.parent != _HOME:
            owners = sorted(set(packages_distributions().get(name, [])) - {"jobtrail"})
            owner = f"package {owners[0]}" if owners else "folder"
            return _sentence(name, f"the {owner} at {place}")
    if taken := _installed_beside_us():
        return _sentence(*taken)
    return None


def _place(name: str) -> Path | None:
    spec = find_spec(name)
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    return Path(spec.origin).resolve() if spec.origin else None


def _installed_beside_us() -> tuple[str, str] | None:
    """One of the known namesakes, installed where it overwrites our files."""
    for folder in sys.path:
        if not folder.endswith("site-packages") or not Path(folder).is_dir():
            continue
        for entry in os.scandir(folder):
            found = re.match(r"(\w+)-[^-]+\.(?:dist|egg)-info$", entry.name)
            if found and found[1].lower() in OURS:
                return found[1].lower(), f"the package {entry.name.rpartition('.')[0]} in {folder}"
    return None


def _sentence(name: str, culprit: str) -> str:
    return (
        f"`{name}` is not Jobtrail's own: {culprit} has taken its name. "
        f"Uninstall it, or give Jobtrail an environment of its own (`make run` does)."
    )
