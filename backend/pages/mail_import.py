"""Bringing in mail: an archive goes straight to disk, a worker reads it, and the page shows how far it is."""

import asyncio
from datetime import datetime, timedelta

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.forms import Form
from backend.http.uploads import Sent, Upload, received, spool_of
from backend.http.visits import Html, Visit
from backend.mail.store import imports, quarantined
from backend.mail.types import ImportLine, Quarantined
from mailsync.archive.store import Import, import_by_id
from mailsync.archive.types import ArchiveTooLarge, ArchiveUnreadable, NotAnArchive
from mailsync.imports import import_key, require_archive, start_import
from schema.errors import Missing
from schema.ids import ImportId
from schema.requests import UnderWay, under_way

MEGABYTE = 1024 * 1024
SHOWN_BROKEN = 100
_LEAST_TIME = timedelta(seconds=3)
"""Before that much time nothing is said about the rest."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """An import, and the task that works on it; none although it has not ended: it stopped."""

    item: ImportLine
    task: UnderWay | None


class ImportsView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    imports: list[Row]
    limit_mb: int


class ImportView(msgspec.Struct, frozen=True, kw_only=True):
    found: Import
    task: UnderWay | None
    quarantined: list[Quarantined]
    minutes_left: int | None

    @property
    def percent(self) -> int | None:
        """How far it is; None while nobody knows how much there is."""
        found = self.found
        if found.state == "done":
            return 100
        return min(99, found.bytes_done * 100 // found.bytes_total) if found.bytes_total else None


@get("/mail/import", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return await _page(visit, Form.of())


async def _page(visit: Visit, form: Form, *, status: int = 200) -> Html:
    async with visit.unit() as unit:
        known = await imports(unit)
        tasks = await under_way(unit, [import_key(each.id) for each in known])
    rows = [Row(item=each, task=tasks.get(import_key(each.id))) for each in known]
    limit_mb = visit.parts.settings.http.upload_limit_mb
    return visit.page(
        "mail_import.html", ImportsView(form=form, imports=rows, limit_mb=limit_mb), status=status
    )


@post("/mail/import", include_in_schema=False, request_max_body_size=None)
async def bring_in(visit: NamedDependency[Visit]) -> Html | Redirect:
    limit_bytes = visit.parts.settings.http.upload_limit_mb * MEGABYTE
    async with received(
        visit.request, spool_of(visit.parts), field="archive", limit_bytes=limit_bytes
    ) as sent:
        if sent.file is None:
            sent.form.refuse("archive", "Choose a file first.")
            return await _page(visit, sent.form, status=400)
        return await _started(visit, sent, sent.file)


async def _started(visit: Visit, sent: Sent, file: Upload) -> Html | Redirect:
    try:
        size_bytes = await asyncio.to_thread(require_archive, file.path, uploaded_as=file.name)
    except (NotAnArchive, ArchiveUnreadable, ArchiveTooLarge) as refusal:
        sent.form.refuse("archive", refusal.detail)
        return await _page(visit, sent.form, status=400)
    async with visit.unit() as unit:
        import_id = await start_import(
            unit,
            sent.keep(),
            now=visit.clock.now(),
            name=file.name,
            size_bytes=size_bytes,
            spooled=True,
            sha256=file.sha256,
        )
    return visit.leave(f"/mail/imports/{import_id}")


@get("/mail/imports/{import_id:int}", include_in_schema=False)
async def progress(visit: NamedDependency[Visit], import_id: FromPath[int]) -> Html:
    async with visit.unit() as unit:
        found = await import_by_id(unit, ImportId(import_id))
        if found is None:
            raise Missing
        broken = await quarantined(unit, found.id, rows=SHOWN_BROKEN) if found.quarantined else []
        task = (await under_way(unit, [import_key(found.id)])).get(import_key(found.id))
    left = minutes_left(found, visit.clock.now())
    view = ImportView(found=found, task=task, quarantined=broken, minutes_left=left)
    return visit.page("mail_progress.html", view)


def minutes_left(found: Import, now: datetime) -> int | None:
    """From the rate so far, at least 1; None when it is not running or nothing is known yet."""
    passed = now - found.created_at
    if found.state != "running" or not found.bytes_total or not found.bytes_done or passed < _LEAST_TIME:
        return None
    rest_bytes = max(found.bytes_total - found.bytes_done, 0)
    return max(1, round(passed.total_seconds() * rest_bytes / found.bytes_done / 60))


ROUTES = (show, bring_in, progress)
