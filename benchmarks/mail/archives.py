"""Import of 4,000 messages, its speed and memory, on a real PostgreSQL; and of an archive of 300 MB.

The messages of a folder (.eml, searched in all its folders) are multiplied under new ids; where there are
none they are written here. In quick form an archive of 100 MB is read in place of the one of 300 MB. Counts
are checked: a figure of an import that lost a message is not told.
"""

import base64
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from backend.processes.database import migrated, usable_database
from benchmarks.table import Asked, Measure
from schema.settings import HomeSettings, Settings

MESSAGES = 4000
MEMORY_BAR_MB = 300.0
SPEED_BAR = 100.0
LARGEST_MESSAGE_BYTES = 30 * 1024 * 1024
MEGABYTE = 1024 * 1024
MESSAGE_ID = re.compile(rb"^message-id:[^\n]*\n", re.IGNORECASE | re.MULTILINE)
ENVELOPE = b"From 1@x Tue Feb 03 10:30:00 +0000 2026\n"
WRITTEN = (
    "Thank you for applying for the Baker role at Northwind. We have received your application.",
    "After careful consideration we will not be moving forward with your application for the Baker role.",
    "We would like to invite you to an interview for the Baker role. Please let us know when you are free.",
    "Shall we have lunch on Friday?",
)


def imports(asked: Asked, letters: list[bytes]) -> list[Measure]:
    with tempfile.TemporaryDirectory(prefix="jt-") as home:
        Path(home).chmod(0o711)  # root's server runs as another user, who has to pass through
        settings = Settings(home=HomeSettings(home=f"{home}/home"))
        migrated(settings)  # makes the installation
        with usable_database(settings, "benchmark") as usable:
            account = new_account(usable.database.owner_url)
            target = (usable.database.url, account)
            plain = Path(home, "letters.mbox")
            plain.write_bytes(b"".join(multiplied(letters, MESSAGES)))
            first_seconds, first_mb = imported(plain, *target)
            require(usable.database.owner_url, seen=MESSAGES)
            again_seconds, _ = imported(plain, *target)
            large = Path(home, "large.mbox")
            size_mb = written_archive(large, letters, 100 if asked.quick else 300)
            large_seconds, large_mb = imported(large, *target)
    return [
        Measure("import", MESSAGES / first_seconds, "msg/s", SPEED_BAR, at_least=True),
        Measure("import, peak memory", first_mb, "MB", MEMORY_BAR_MB),
        Measure("the same archive again", MESSAGES / again_seconds, "msg/s"),
        Measure(f"archive of {size_mb:.0f} MB", size_mb / large_seconds, "MB/s"),
        Measure(f"archive of {size_mb:.0f} MB, peak memory", large_mb, "MB", MEMORY_BAR_MB),
    ]


def found_letters(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*.eml")):
        yield path.read_bytes().replace(b"\r\n", b"\n")


def written_letters() -> Iterator[bytes]:
    for number in range(20):
        text = WRITTEN[number % len(WRITTEN)] + "\n\nKind regards,\nThe Northwind Hiring Team\n"
        yield (
            f"From: Northwind Hiring Team <people@northwind.example>\nTo: ada@example.org\n"
            f"Subject: Your application {number}\nDate: Tue, 3 Feb 2026 10:30:00 +0000\n\n{text}"
        ).encode()


def multiplied(letters: list[bytes], count: int) -> Iterator[bytes]:
    """The letters over and over, each under an id of its own."""
    for number in range(count):
        letter = MESSAGE_ID.sub(b"", letters[number % len(letters)])
        yield ENVELOPE + b"Message-ID: <%d@benchmark.example>\n" % number + letter.rstrip() + b"\n\n"


def written_archive(path: Path, letters: list[bytes], size_mb: int) -> float:
    """Letters with attachments of all sizes, one of them of 30 MB; the size written, in MB."""
    chance = random.Random(2)
    with path.open("wb") as archive:
        archive.writelines(with_attachment(letters[0], "largest", LARGEST_MESSAGE_BYTES, chance))
        number = 0
        while archive.tell() < size_mb * MEGABYTE:
            size = chance.choice((2_000, 40_000, 400_000, 3_000_000))
            archive.writelines(with_attachment(letters[number % len(letters)], str(number), size, chance))
            number += 1
        return archive.tell() / MEGABYTE


def with_attachment(letter: bytes, name: str, size: int, chance: random.Random) -> Iterator[bytes]:
    yield (
        ENVELOPE
        + b"Message-ID: <%s@large.example>\nContent-Type: multipart/mixed; boundary=b\n" % name.encode()
    )
    yield b"Subject: Your application\n\n--b\nContent-Type: message/rfc822\n\n" + letter.rstrip() + b"\n--b\n"
    yield b"Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n"
    yield base64.encodebytes(chance.randbytes(size * 3 // 4)) + b"--b--\n\n"


def new_account(owner_url: str) -> int:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, created_at)"
            " VALUES ('ada@example.org', 'Ada', 'none', now()) RETURNING id"
        ).fetchone()
    assert row
    return int(row[0])


def imported(path: Path, url: str, account: int) -> tuple[float, float]:
    """Seconds and peak memory in MB of one import in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.mail.importing", url, str(account), str(path)]
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("an import failed; its figures are not told")
    return seconds, usage.ru_maxrss / (1024 if sys.platform != "darwin" else MEGABYTE)


def require(owner_url: str, *, seen: int) -> None:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "SELECT seen, stored + not_kept, (SELECT count(*) FROM messages) FROM mail_imports"
        ).fetchone()
    if row != (seen, seen, seen):
        raise SystemExit(f"{row} messages of {seen} arrived; the figures are not told")
