"""Profile import: a JSON Resume file into the profile, with everything that was not taken over listed."""

import asyncio

import msgspec
from litestar import get, post
from litestar.di import NamedDependency

from backend.http.flash import Undo
from backend.http.forms import Form
from backend.http.uploads import Upload, received, spool_of
from backend.http.visits import Html, Visit
from backend.pages.profile import undo_of
from backend.pages.profile_remarks import Sorted, sorted_out
from extension_api.profiles.json_resume.incoming import MAX_FILE_BYTES, NotJsonResume, imported
from extension_api.profiles.rules import ProfileInvalid
from extension_api.profiles.store import current_profile, save_profile

LIMIT_BYTES = MAX_FILE_BYTES + 1024


class ImportView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form


class ResultView(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    changed: bool
    remarks: Sorted
    undo: Undo | None


@get("/profile/import", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return visit.page("profile_import.html", ImportView(form=Form.of()))


@post("/profile/import", include_in_schema=False, request_max_body_size=None)
async def bring_in(visit: NamedDependency[Visit]) -> Html:
    async with received(visit.request, spool_of(visit.parts), field="file", limit_bytes=LIMIT_BYTES) as sent:
        if sent.file is not None:
            try:
                return await _taken_over(visit, sent.file)
            except (NotJsonResume, ProfileInvalid) as refusal:
                sent.form.refuse("file", refusal.detail)
        else:
            sent.form.refuse("file", "Choose a file first.")
        return visit.page("profile_import.html", ImportView(form=sent.form), status=400)


async def _taken_over(visit: Visit, file: Upload) -> Html:
    content = await asyncio.to_thread(file.path.read_bytes)
    async with visit.unit() as unit:
        before = await current_profile(unit)
    found = await asyncio.to_thread(imported, content, before.profile)
    async with visit.unit() as unit:
        saved = await save_profile(
            unit,
            revision=before.revision,
            profile=found.profile,
            origin="json_resume",
            now=visit.clock.now(),
        )
    changed = saved.revision != before.revision
    view = ResultView(
        name=file.name,
        changed=changed,
        remarks=sorted_out(found.remarks),
        undo=undo_of(saved.revision, before.revision) if changed else None,
    )
    return visit.page("profile_imported.html", view)


ROUTES = (show, bring_in)
