"""The folder a person can put mail archives into: `inbox` below the home folder. Only files, no database.

A file is taken once it has stopped changing between two looks, by moving it into `inbox/taken`, where it
stays; the move is what keeps two daemons from taking it twice. Other files are left alone.
"""

from pathlib import Path

SUFFIXES = (".mbox", ".eml", ".zip")
_Look = tuple[int, int]


class DropFolder:
    """`take()` is called again and again; a file must look the same twice to be taken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.taken_folder = folder / "taken"
        self._before: dict[Path, _Look] = {}

    def prepare(self) -> None:
        """Make the folders, closed to other users."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.taken_folder.mkdir(mode=0o700, exist_ok=True)

    def take(self) -> None:
        """Move what has settled since the last look."""
        looks = {path: look for path in self._waiting() if (look := _look(path)) is not None}
        for path, look in looks.items():
            if self._before.get(path) == look:
                self._move(path)
        self._before = looks

    def taken(self) -> list[Path]:
        """Everything taken so far, in order of name."""
        return sorted(path for path in self.taken_folder.iterdir() if path.is_file())

    def _waiting(self) -> list[Path]:
        return sorted(
            path
            for path in self.folder.iterdir()
            if path.suffix.lower() in SUFFIXES and path.is_file() and not path.is_symlink()
        )

    def _move(self, path: Path) -> None:
        """`link` refuses an existing name, so nothing taken before is overwritten."""
        for number in range(10_000):
            name = path.name if number == 0 else f"{path.stem} ({number}){path.suffix}"
            try:
                (self.taken_folder / name).hardlink_to(path)
            except FileExistsError:
                continue
            except FileNotFoundError:
                return
            path.unlink(missing_ok=True)
            return


def _look(path: Path) -> _Look | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_size, seen.st_mtime_ns
