"""Which column of a daily series says what: names vary, and a missing one is refused by name. Pure."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

import msgspec

from schema.errors import Invalid

#: The first of these that a file has, whatever its case.
DATES = (
    "date", "snapshot_date", "snapshot", "day", "dt", "as_of", "run_date", "observed_on", "observed_at",
    "scraped_at", "fetched_at", "collected_at", "seen_at", "timestamp", "ts",
)  # fmt: skip
BOARDS = (
    "board", "board_token", "board_slug", "board_id", "tenant", "company_slug", "slug", "firm", "company",
    "company_name", "employer", "organization", "source",
)  # fmt: skip
PLATFORMS = ("platform", "ats", "provider", "source", "source_type")
IDS = (
    "id", "job_id", "posting_id", "vendor_id", "external_id", "listing_id", "job_key", "uid", "key",
)  # fmt: skip
URLS = ("url", "job_url", "canonical_url", "absolute_url", "apply_url", "link")
_MAX_DIGITS = 20
_EPOCH_FROM, _MILLISECONDS_FROM = 10**9, 10**11


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Names as the file spells them. Of `id` and `url` one is known; `board` None: it stands in the ids."""

    date: str
    board: str | None
    platform: str | None
    id: str | None
    url: str | None


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Columns that somebody named; each of them must be there."""

    date: str | None = None
    board: str | None = None
    id: str | None = None


def columns_of(names: Iterable[str], asked: Asked, file: str) -> Columns:
    """Raises `Invalid`, naming the file, what is wanting and what there is."""
    there = {name.strip().lower(): name for name in names}
    day = _one(there, asked.date, DATES)
    board = _one(there, asked.board, BOARDS)
    identity = _one(there, asked.id, IDS)
    url = None if asked.id else _one(there, None, URLS)
    if day is None:
        raise _wanting(file, "day of each row", "--date", asked.date, DATES, there)
    if identity is None and url is None:
        raise _wanting(file, "posting of each row", "--id", asked.id, (*IDS, *URLS), there)
    if board is None and (asked.board or identity is None):
        raise _wanting(file, "board of each row", "--board", asked.board, BOARDS, there)
    platform = next((there[name] for name in PLATFORMS if name in there and there[name] != board), None)
    return Columns(date=day, board=board, platform=platform, id=identity, url=url)


def can_matter(name: str, asked: Asked) -> bool:
    """Whether `columns_of` can choose it."""
    plain = name.strip().lower()
    wanted = {each.strip().lower() for each in (asked.date, asked.board, asked.id) if each}
    return plain in wanted or any(plain in known for known in (DATES, BOARDS, PLATFORMS, IDS, URLS))


def _one(there: dict[str, str], asked: str | None, known: Iterable[str]) -> str | None:
    wanted = (asked.strip().lower(),) if asked else known
    return next((there[name] for name in wanted if name in there), None)


def _wanting(
    file: str, what: str, option: str, asked: str | None, known: Iterable[str], there: dict[str, str]
) -> Invalid:
    has = ", ".join(there.values()) or "none"
    if asked:
        return Invalid(f"{file} has no column {asked!r} ({option}); its columns: {has}.")
    return Invalid(
        f"{file} names the {what} in none of the columns {', '.join(known)}; its columns: {has}. "
        f"Name the right one with {option}."
    )


def day_of(value: object) -> date | None:
    """A day out of a date, a time, ISO text, YYYYMMDD or seconds since 1970; None for what is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = str(value).strip()
    if text.isascii() and text.isdecimal() and len(text) < _MAX_DIGITS and int(text) >= _EPOCH_FROM:
        seconds = int(text) / (1_000 if int(text) >= _MILLISECONDS_FROM else 1)
        return datetime.fromtimestamp(min(seconds, 1e10), UTC).date()
    compact = text[:8] if text[:8].isdigit() else text[:10]
    try:
        return date.fromisoformat(compact)
    except ValueError:
        return None


def board_in_id(identity: str) -> str | None:
    """Of `platform:board:id`, as some series write it, the first two parts."""
    parts = identity.split(":")
    return ":".join(parts[:2]) if len(parts) > 2 and not parts[1].startswith("//") else None  # noqa: PLR2004
