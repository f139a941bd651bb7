"""Watches the disk of a running installation, and says so once when it is nearly full, and once after."""

import time
from pathlib import Path

from backend.processes.refusals import Say
from backend.processes.rules import space_complaint
from backend.processes.server_folder import free_bytes

_EVERY_SECONDS = 15.0


class SpaceWatch:
    def __init__(self, folder: Path, tell: Say) -> None:
        self._folder = folder
        self._tell = tell
        self._due = 0.0
        self._short = False

    def look(self) -> None:
        """Cheap enough for every round of a loop; looks at the disk now and then only."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _EVERY_SECONDS
        complaint = space_complaint(free_bytes(self._folder), str(self._folder), new=False)
        if complaint and not self._short:
            self._tell(f"warning: {complaint}")
        if self._short and not complaint:
            self._tell(f"there is space again on the disk of {self._folder}.")
        self._short = complaint is not None
