"""Bringing in a tracker: the file is chosen here, and every file brought in so far stands below."""

import asyncio

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.forms import Form
from backend.http.uploads import Upload, received, spool_of
from backend.http.visits import Html, Visit
from matcher.trackers.importing import bring_in
from matcher.trackers.reading import MAX_BYTES, MAX_ROWS, LooksLikeMail, NotATable
from matcher.trackers.store import imports
from matcher.trackers.types import TrackerImport

HERE = "/applications/import"
_ALLOWANCE = 1024
"""What a file may be larger than is read, so that its size is told in words of ours."""


class ImportsView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    imports: list[TrackerImport]
    is_mail: bool = False
    megabytes: int = MAX_BYTES // 1_000_000
    rows: int = MAX_ROWS


@get(HERE, include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return await _page(visit, Form.of())


async def _page(visit: Visit, form: Form, *, status: int = 200, is_mail: bool = False) -> Html:
    async with visit.unit() as unit:
        known = await imports(unit)
    view = ImportsView(form=form, imports=known, is_mail=is_mail)
    return visit.page("application_imports.html", view, status=status)


@post(HERE, include_in_schema=False, request_max_body_size=None)
async def choose(visit: NamedDependency[Visit]) -> Html | Redirect:
    limit_bytes = MAX_BYTES + _ALLOWANCE
    async with received(visit.request, spool_of(visit.parts), field="table", limit_bytes=limit_bytes) as sent:
        is_mail = False
        if sent.file is None:
            sent.form.refuse("table", "Choose a file first.")
        else:
            try:
                return await _kept(visit, sent.file)
            except NotATable as refusal:
                is_mail = isinstance(refusal, LooksLikeMail)
                sent.form.refuse("table", refusal.detail)
        return await _page(visit, sent.form, status=400, is_mail=is_mail)


async def _kept(visit: Visit, file: Upload) -> Redirect:
    content = await asyncio.to_thread(file.path.read_bytes)
    async with visit.unit() as unit:
        import_id = await bring_in(unit, name=file.name, content=content, now=visit.clock.now())
    return visit.leave(f"{HERE}/{import_id}")


ROUTES = (show, choose)
