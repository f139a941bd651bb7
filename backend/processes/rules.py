"""Decisions about processes that need no machine to make: back-off, space, clocks, socket paths.

Pure: no I/O and no clock here.
"""

from datetime import UTC, datetime, timedelta

# A Unix socket's whole path must fit 104 bytes on macOS and 108 on Linux.
SOCKET_FILE = ".s.PGSQL.5432"
_SOCKET_PATH_BYTES = 100
_FIRST_WAIT_SECONDS = 0.25
_LONGEST_WAIT_SECONDS = 30.0
_STEADY_SECONDS = 60.0

_MEGABYTE = 1024 * 1024
SPACE_FOR_NEW_SERVER = 256 * _MEGABYTE
SPACE_TO_RUN = 64 * _MEGABYTE

_CLAIMS_MISSED = 3
# The longest one statement of a claim can take.
_CLAIM_SECONDS = 5.0

# Nothing of Jobtrail is older, so a clock before it is wrong.
_EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
_CLOCK_TOLERANCE = timedelta(minutes=5)


def wait_before_restart(deaths: int) -> float:
    """Seconds to wait before the next start of a process that has died `deaths` times in a row."""
    return min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2 ** min(max(deaths - 1, 0), 16))


def deaths_in_a_row(earlier: int, ran_seconds: float) -> int:
    """How many deaths to count now; a process that ran steadily is forgiven the earlier ones."""
    return 1 if ran_seconds >= _STEADY_SECONDS else earlier + 1


def claim_complaint(silent_seconds: float, poll_seconds: float) -> str | None:
    """What to say of a worker that last looked through the whole queue `silent_seconds` ago."""
    if silent_seconds > _CLAIMS_MISSED * poll_seconds + _CLAIM_SECONDS:
        return "the queue was not looked through in time"
    return None


def fits_a_socket(folder: str) -> bool:
    """Whether a server can put its socket into `folder`: a short path, and no separator of its setting."""
    return len(f"{folder}/{SOCKET_FILE}".encode()) <= _SOCKET_PATH_BYTES and not set(folder) & set(",\"'\\@")


def space_complaint(free_bytes: int, folder: str, *, new: bool) -> str | None:
    """What to say when the disk of `folder` is too full to run, or to make a new database."""
    needed = SPACE_FOR_NEW_SERVER if new else SPACE_TO_RUN
    if free_bytes >= needed:
        return None
    return (
        f"only {free_bytes // _MEGABYTE} MB are free on the disk of {folder}; "
        f"{needed // _MEGABYTE} MB are needed. Free some space, or set JOBTRAIL_HOME to another disk."
    )


def clock_complaint(now: datetime, last_written: datetime | None) -> str | None:
    """What to say about a clock that stands before this program existed, or before our own last write."""
    if now < _EARLIEST:
        return f"this machine's clock says {now:%Y-%m-%d %H:%M} UTC, which is long past; set it right."
    if last_written and last_written - now > _CLOCK_TOLERANCE:
        return (
            f"this machine's clock says {now:%Y-%m-%d %H:%M} UTC, but the database was last written at "
            f"{last_written:%Y-%m-%d %H:%M} UTC; one of the two is wrong."
        )
    return None


def clock_difference_complaint(here: datetime, database: datetime) -> str | None:
    """What to say when this machine and the database's machine disagree about the time."""
    seconds = abs((here - database).total_seconds())
    if seconds <= _CLOCK_TOLERANCE.total_seconds():
        return None
    return f"this machine's clock and the database's differ by {seconds:.0f} s; set the wrong one right."
