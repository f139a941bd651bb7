"""What `jobtrail tracker import` does: read, settle what is open, apply; here, when no worker lives."""

import asyncio
from pathlib import Path
from typing import get_args

import msgspec

from backend.cli import store as cli
from backend.cli.mail_import import SpareWorker
from backend.cli.parser import WrongUse
from matcher.trackers import store
from matcher.trackers.guessing import guess, remapped
from matcher.trackers.importing import Opened, OrderOpen, preview, start
from matcher.trackers.reading import read_sheet
from matcher.trackers.statuses import status_key
from matcher.trackers.types import FIELDS, SINGLE, Field, Mapping, Meaning, Sheet
from schema.clock import SystemClock
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, TrackerImportId
from schema.settings import Settings
from schema.vocabulary import Stage

_POLL_SECONDS = 0.2
_MEANINGS: dict[str, Meaning] = {
    "not_yet": "not_yet",
    "note": "note",
    **{stage: stage for stage in get_args(Stage)},
}


_FIELDS: dict[str, Field] = {field: field for field in FIELDS}


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What was typed. `columns` and `statuses` map a name of the file to a word of ours."""

    path: Path
    email: str
    columns: dict[str, str]
    statuses: dict[str, str]
    day_first: bool | None
    dry_run: bool


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """What each column was taken for, and what became of the rows, or would."""

    columns: list[tuple[str, str]]
    refused: list[tuple[int, str]]
    doubtful: list[int]
    new: int
    known: int
    is_dry: bool


async def import_tracker(database: Database, settings: Settings, wish: Wish) -> Brought:
    """Raises `NotATable`, `OrderOpen`, `WrongUse` and `Missing`."""
    account_id = await cli.account_named(database, wish.email)
    content = await asyncio.to_thread(_content, wish.path)
    sheet = await asyncio.to_thread(read_sheet, content)
    mapping = mapped(sheet, wish)
    now = SystemClock().now()
    async with database.as_account(account_id) as unit:
        shown = await preview(unit, Opened(sheet=sheet, mapping=mapping), now=now)
    if shown.two_ways is not None:
        raise OrderOpen(f"“{shown.two_ways}” can be read two ways: say --day-first or --month-first.")
    refused = [(each.line, each.refused.reason) for each in shown.plan.planned if each.refused]
    brought = Brought(
        columns=list(zip(sheet.header, mapping.columns, strict=True)),
        refused=refused,
        doubtful=shown.doubtful,
        new=shown.count("new"),
        known=shown.count("known"),
        is_dry=wish.dry_run,
    )
    if wish.dry_run:
        return brought
    async with database.as_account(account_id) as unit:
        import_id = await store.add_import(
            unit, name=wish.path.name, content=content, mapping=mapping, rows_total=len(sheet.rows), now=now
        )
        task = await start(unit, import_id, now=now)
    if task is not None:
        await _followed(database, settings, account_id, import_id)
    async with database.as_account(account_id) as unit:
        done = await store.import_by_id(unit, import_id)
    return msgspec.structs.replace(brought, new=done.rows_new, known=done.rows_known)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Missing(f"{path} cannot be read: {error.strerror}.") from error


def mapped(sheet: Sheet, wish: Wish) -> Mapping:
    """The guess, with what was typed in its place. Raises `WrongUse` for a name or a word there is not."""
    columns: list[Field] = list(guess(sheet).columns)
    for name, said in wish.columns.items():
        field = _FIELDS.get(said)
        if name not in sheet.header or field is None:
            there, can_be = ", ".join(sheet.header), ", ".join(FIELDS)
            raise WrongUse(f"--map {name}={said}: the columns are {there}; they can be {can_be}")
        if field in SINGLE and field in columns:
            columns[columns.index(field)] = "extra"
        columns[sheet.header.index(name)] = field
    chosen: dict[str, Meaning] = {}
    for word, said in wish.statuses.items():
        if said not in _MEANINGS:
            raise WrongUse(f"--status {word}={said}: a word can mean {', '.join(_MEANINGS)}")
        chosen[status_key(word)] = _MEANINGS[said]
    return remapped(sheet, tuple(columns), day_first=wish.day_first, chosen=chosen)


async def _followed(
    database: Database, settings: Settings, account_id: AccountId, import_id: TrackerImportId
) -> None:
    spare = SpareWorker(database, settings)
    ended = False
    try:
        while not ended:
            await spare.start_unless_another_lives()
            await asyncio.sleep(_POLL_SECONDS)
            async with database.as_account(account_id) as unit:
                ended = (await store.import_by_id(unit, import_id)).state == "applied"
    finally:
        await spare.end(account_id, finish=ended)
