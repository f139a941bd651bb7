"""Everything of an account as one zip, straight from the database to whoever asked for it.

Nothing is put on a disk on the way: with several machines there is no disk that all of them share, and a
private file that lies around has to be guarded and forgotten. One transaction shows every table as it stood
at one moment, rows come by server-side cursors, and the zip is sent while it is made.
"""

import re
from datetime import datetime
from importlib.metadata import version

import msgspec

from backend.leaving.archive import Archive, Send
from backend.leaving.rules import LEFT_OUT, columns_taken, is_taken
from backend.leaving.store import file_content, kept_files
from extension_api.profiles.json_resume.outgoing import exported as json_resume
from extension_api.profiles.store import current_profile
from matcher.listing.rules import place_of
from matcher.listing.store import listed
from matcher.listing.types import Lens
from matcher.trackers.outgoing import readable
from matcher.trackers.store import exported
from schema.db import Database, Unit
from schema.ids import AccountId
from schema.private import PrivateTable, private_tables, rows_as_json

FORMAT = 1
_BATCH = 500
_UNSAFE = re.compile(r"[^\w.()-]+")
_README = """Everything that this Jobtrail keeps of your account, as it stood at {at} (UTC).

applications.json   your applications, as the list shows them
resume.json         your profile as JSON Resume, if you have one
documents/          your documents as you added them
data/               every table that has rows of yours, one JSON object a line (JSON Lines)
manifest.json       what each file and column is, how many rows there are, and what was left out and why

Messages stand in data/messages.jsonl with the text that is kept of them. What was read from a message stands
in readings, events and facts; which application it belongs to in match_decisions, and why in evidence: rows
belong together by their ids (message_id, application_id, decision_id). Passwords, keys and tokens are not
here.
"""


class FileTold(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    rows: int | None
    about: str


class ColumnTold(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    type: str
    about: str


class TableTold(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    about: str
    file: str
    rows: int
    columns: list[ColumnTold]
    columns_left_out: list[str]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`left_out` names each table of which nothing is here, with the reason."""

    format: int
    jobtrail: str
    made_at: datetime
    files: list[FileTold]
    tables: list[TableTold]
    left_out: dict[str, str]


async def export_account(database: Database, account_id: AccountId, send: Send, *, now: datetime) -> None:
    """Send the zip, part by part."""
    archive = Archive(send, now)
    async with database.as_reader(account_id) as unit:
        files: list[FileTold] = []
        await archive.add("README.txt", _README.format(at=f"{now:%Y-%m-%d %H:%M}").encode())
        files.append(await _applications(unit, archive))
        files += await _profile(unit, archive)
        files += await _documents(unit, archive)
        tables = [each for each in await private_tables(unit) if is_taken(each)]
        told = [await _table(unit, archive, table) for table in tables]
    manifest = Manifest(
        format=FORMAT,
        jobtrail=version("jobtrail"),
        made_at=now,
        files=files,
        tables=told,
        left_out=LEFT_OUT,
    )
    await archive.add("manifest.json", msgspec.json.format(msgspec.json.encode(manifest)))
    await archive.end()


async def _applications(unit: Unit, archive: Archive) -> FileTold:
    async with archive.file("applications.json") as write:
        rows = await write_applications(unit, [Lens(), Lens(dismissed=True)], write)
    return FileTold(name="applications.json", rows=rows, about="Applications, dismissed ones at the end.")


async def write_applications(unit: Unit, lenses: list[Lens], write: Send) -> int:
    """A JSON array of the applications under these lenses, one line each; how many."""
    count = 0
    await write(b"[")
    for lens in lenses:
        after = None
        while rows := await listed(unit, lens, after=after, limit=_BATCH):
            found = await exported(unit, [row.application_id for row in rows])
            lines = [msgspec.json.encode(readable(row)) for row in found]
            await write((b",\n" if count else b"\n") + b",\n".join(lines))
            count += len(lines)
            after = place_of(rows[-1], lens.sort)
    await write(b"\n]\n")
    return count


async def _profile(unit: Unit, archive: Archive) -> list[FileTold]:
    current = await current_profile(unit)
    if current.revision == 0:
        return []
    await archive.add("resume.json", json_resume(current.profile))
    return [FileTold(name="resume.json", rows=None, about="The profile as JSON Resume.")]


async def _documents(unit: Unit, archive: Archive) -> list[FileTold]:
    told: list[FileTold] = []
    for each in await kept_files(unit):
        name = f"documents/{each.id}-{_UNSAFE.sub('_', each.file_name)}"
        await archive.add(name, await file_content(unit, each.id))
        use = "out of use" if each.deleted_at else each.kind
        told.append(FileTold(name=name, rows=None, about=f"{each.file_name} ({use})"))
    return told


async def _table(unit: Unit, archive: Archive, table: PrivateTable) -> TableTold:
    name, taken, count = f"data/{table.name}.jsonl", columns_taken(table), 0
    async with archive.file(name) as write:
        async for rows in rows_as_json(unit, table, taken):
            await write(b"\n".join(rows) + b"\n")
            count += len(rows)
    columns = [
        ColumnTold(name=column, type=kind, about=about)
        for column, kind, about in zip(table.columns, table.types, table.comments, strict=True)
        if column in taken
    ]
    return TableTold(
        name=table.name,
        about=table.comment,
        file=name,
        rows=count,
        columns=columns,
        columns_left_out=[column for column in table.columns if column not in taken],
    )
