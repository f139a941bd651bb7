"""Documents: the résumés and cover letters the extension may attach, added, chosen and taken out of use."""

import asyncio
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.uploads import Upload, received, spool_of
from backend.http.visits import Html, Visit
from extension_api.documents.rules import MAX_BYTES
from extension_api.documents.store import (
    Document,
    add_document,
    content_of,
    delete_document,
    documents,
    make_default,
    restore_document,
)
from extension_api.protocol import DocumentKind
from schema.errors import Refusal
from schema.ids import DocumentId

HERE = "/profile/documents"
KINDS: dict[str, DocumentKind] = {"resume": "resume", "cover_letter": "cover_letter"}


class DocumentsView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    documents: list[Document]

    def of(self, kind: DocumentKind) -> list[Document]:
        return [document for document in self.documents if document.kind == kind]


@get(HERE, include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return await _page(visit, Form.of(kind="resume"))


async def _page(visit: Visit, form: Form, status: int = 200) -> Html:
    async with visit.unit() as unit:
        kept = await documents(unit)
    return visit.page("profile_documents.html", DocumentsView(form=form, documents=kept), status=status)


@post(HERE, include_in_schema=False, request_max_body_size=None)
async def add(visit: NamedDependency[Visit]) -> Html | Redirect:
    async with received(visit.request, spool_of(visit.parts), field="file", limit_bytes=MAX_BYTES) as sent:
        form = sent.form
        kind = KINDS.get(form.choice("kind", "Kind", KINDS), "resume")
        if sent.file is None:
            form.refuse("file", "Choose a file first.")
            return await _page(visit, form, status=400)
        return await _kept(visit, form, kind, sent.file)


async def _kept(visit: Visit, form: Form, kind: DocumentKind, file: Upload) -> Html | Redirect:
    content = await asyncio.to_thread(file.path.read_bytes)
    if form.ok:
        try:
            async with visit.unit() as unit:
                await add_document(
                    unit, kind=kind, file_name=file.name, content=content, now=visit.clock.now()
                )
        except Refusal as refusal:
            form.refuse("file", refusal.detail)
    if not form.ok:
        return await _page(visit, form, status=400)
    return visit.leave(HERE, f"{file.name} is kept.")


@get(HERE + "/{document_id:int}/content", include_in_schema=False)
async def content(visit: NamedDependency[Visit], document_id: FromPath[int]) -> Response[bytes]:
    """The file as it was uploaded, for saving; no browser is to open it in our name."""
    async with visit.unit() as unit:
        found = await content_of(unit, DocumentId(document_id))
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(found.file_name)}"}
    return Response(found.content, media_type="application/octet-stream", headers=headers)


@post(HERE + "/{document_id:int}/default", include_in_schema=False)
async def choose(visit: NamedDependency[Visit], document_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    async with visit.unit() as unit:
        await make_default(unit, DocumentId(document_id))
    before = form.value("before")
    undo = Undo(action=f"{HERE}/{before}/default") if before.isdigit() else None
    return visit.leave(HERE, "This one is attached from now on.", undo=undo)


@post(HERE + "/{document_id:int}/delete", include_in_schema=False)
async def delete(visit: NamedDependency[Visit], document_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await delete_document(unit, DocumentId(document_id), visit.clock.now())
    return visit.leave(HERE, "The document is out of use.", undo=Undo(action=f"{HERE}/{document_id}/restore"))


@post(HERE + "/{document_id:int}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit], document_id: FromPath[int]) -> Redirect:
    async with visit.unit() as unit:
        await restore_document(unit, DocumentId(document_id))
    return visit.leave(HERE, "The document is back.")


ROUTES = (show, add, content, choose, delete, restore)
