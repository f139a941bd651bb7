"""python -m benchmarks.mail [--quick] [--json] [DIR]

DIR holds .eml files in any depth, those beside this checkout without it. Where a folder in it has a
labels.jsonl, how right its messages are read is measured too; then speed of reading, then import of archives.
"""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.mail.archives import found_letters, imports, written_letters
from benchmarks.mail.costly import slowest
from benchmarks.mail.reading import quality, speed
from benchmarks.table import Asked, Measure, main

BESIDE = Path(__file__).parents[3] / "shared" / "data" / "mail"


def measure(asked: Asked) -> Sequence[Measure]:
    folder = asked.folder or BESIDE
    letters = list(found_letters(folder)) or list(written_letters())
    labelled = sorted(path.parent for path in folder.rglob("labels.jsonl"))
    return [
        *(each for one in labelled for each in quality(one)),
        *speed(letters, quick=asked.quick),
        *slowest(),
        *imports(asked, letters),
    ]


if __name__ == "__main__":
    main("Reading mail: how right, how fast, and imports of archives.", measure)
