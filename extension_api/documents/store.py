"""The SQL of documents. A deleted one stays until retention takes it, so that deleting can be undone."""

import hashlib
from datetime import datetime
from typing import Literal

import msgspec

from extension_api.documents.rules import MAX_DOCUMENTS, TooManyDocuments, accepted
from extension_api.protocol import DocumentKind, KnownDocument
from schema.db import Unit
from schema.ids import DocumentId
from schema.live import announce
from schema.query import Query, Statement
from schema.queue import enqueue
from schema.tasks import ReadDocument

TextState = Literal["unread", "read", "empty", "unreadable", "unsupported"]


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A document without its content."""

    id: DocumentId
    kind: DocumentKind
    file_name: str
    media_type: str
    size_bytes: int
    is_default: bool
    text_state: TextState
    created_at: datetime


class Content(msgspec.Struct, frozen=True, kw_only=True):
    file_name: str
    media_type: str
    content: bytes


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """What a document says; `text` None where nothing was read."""

    id: DocumentId
    file_name: str
    text_state: TextState
    text: str | None


class Identified(msgspec.Struct, frozen=True, kw_only=True):
    id: DocumentId


class Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


ONE_AT_A_TIME = Statement(
    "documents.one_at_a_time",
    "SELECT pg_advisory_xact_lock(hashtextextended('documents', jobtrail_account()))",
)
DOCUMENTS = Query(
    "documents.documents",
    Document,
    """SELECT id, kind, file_name, media_type, length(content) AS size_bytes, is_default, text_state,
         created_at
       FROM documents WHERE deleted_at IS NULL ORDER BY kind DESC, is_default DESC, id DESC""",
)
CONTENT = Query(
    "documents.content",
    Content,
    "SELECT file_name, media_type, content FROM documents WHERE id = %(id)s AND deleted_at IS NULL",
)
SAME = Query(
    "documents.same",
    Identified,
    "SELECT id FROM documents WHERE kind = %(kind)s AND sha256 = %(sha256)s AND deleted_at IS NULL",
)
COUNT = Query("documents.count", Count, "SELECT count(*) FROM documents WHERE deleted_at IS NULL")
ADD = Query(
    "documents.add",
    Identified,
    """INSERT INTO documents (kind, file_name, media_type, content, sha256, is_default, created_at)
       SELECT %(kind)s, %(file_name)s, %(media_type)s, %(content)s, %(sha256)s,
              NOT EXISTS (SELECT FROM documents
                          WHERE kind = %(kind)s AND is_default AND deleted_at IS NULL),
              %(now)s
       RETURNING id""",
)
UNREAD = Query(
    "documents.unread",
    Content,
    """SELECT file_name, media_type, content FROM documents
       WHERE id = %(id)s AND text_state = 'unread' AND deleted_at IS NULL""",
)
KEEP_TEXT = Statement(
    "documents.keep_text",
    """UPDATE documents SET text_state = %(state)s, text = %(text)s
       WHERE id = %(id)s AND text_state = 'unread'""",
)
RESUME_TEXT = Query(
    "documents.resume_text",
    Text,
    """SELECT id, file_name, text_state, text FROM documents
       WHERE kind = 'resume' AND deleted_at IS NULL ORDER BY is_default DESC, id DESC LIMIT 1""",
)
NO_DEFAULT = Statement(
    "documents.no_default",
    """UPDATE documents SET is_default = false
       WHERE is_default AND kind = (SELECT kind FROM documents WHERE id = %(id)s)""",
)
MAKE_DEFAULT = Query(
    "documents.make_default",
    Identified,
    "UPDATE documents SET is_default = true WHERE id = %(id)s AND deleted_at IS NULL RETURNING id",
)
DELETE = Query(
    "documents.delete",
    Identified,
    """UPDATE documents SET deleted_at = %(now)s, is_default = false
       WHERE id = %(id)s AND deleted_at IS NULL RETURNING id""",
)
RESTORE = Query(
    "documents.restore",
    Identified,
    """UPDATE documents AS d SET deleted_at = NULL
       WHERE id = %(id)s AND deleted_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM documents AS same
                         WHERE same.kind = d.kind AND same.sha256 = d.sha256 AND same.deleted_at IS NULL)
       RETURNING id""",
)


async def documents(unit: Unit) -> list[Document]:
    """Résumés first, the default first among each kind, then the newest."""
    return await unit.all(DOCUMENTS)


async def known_documents(unit: Unit) -> list[KnownDocument]:
    """The same, as the extension is told."""
    return [
        KnownDocument(
            id=document.id,
            kind=document.kind,
            file_name=document.file_name,
            media_type=document.media_type,
            size_bytes=document.size_bytes,
            is_default=document.is_default,
        )
        for document in await documents(unit)
    ]


async def content_of(unit: Unit, document_id: DocumentId) -> Content:
    """Raises `Missing` for a deleted one as for one that never was."""
    return await unit.one(CONTENT, id=document_id)


async def unread(unit: Unit, document_id: DocumentId) -> Content | None:
    """The file, as long as nobody has read its text; None when somebody has, or it is gone."""
    return await unit.maybe(UNREAD, id=document_id)


async def keep_text(unit: Unit, document_id: DocumentId, *, state: TextState, text: str | None) -> None:
    """What was found in it. The first reading stays."""
    await unit.run(KEEP_TEXT, id=document_id, state=state, text=text)
    announce(unit, "profile")


async def resume_text(unit: Unit) -> Text | None:
    """The text of the default résumé, or of the newest; None when there is no résumé."""
    return await unit.maybe(RESUME_TEXT)


async def add_document(
    unit: Unit, *, kind: DocumentKind, file_name: str, content: bytes, now: datetime
) -> DocumentId:
    """Keep a file; the first of its kind becomes the default. The same file again is the same document.

    Raises `DocumentEmpty`, `DocumentTooLarge`, `DocumentUnsupported` and `TooManyDocuments`.
    """
    kept = accepted(file_name, content)
    sha256 = hashlib.sha256(content).hexdigest()
    await unit.run(ONE_AT_A_TIME)
    same = await unit.maybe(SAME, kind=kind, sha256=sha256)
    if same is not None:
        return same.id
    await _require_room(unit)
    added = await unit.one(
        ADD,
        kind=kind,
        file_name=kept.file_name,
        media_type=kept.media_type,
        content=content,
        sha256=sha256,
        now=now,
    )
    await enqueue(unit, ReadDocument(document_id=added.id))
    announce(unit, "profile")
    return added.id


async def make_default(unit: Unit, document_id: DocumentId) -> None:
    """Attach this one where a form asks for its kind."""
    await unit.run(ONE_AT_A_TIME)
    await unit.run(NO_DEFAULT, id=document_id)
    await unit.one(MAKE_DEFAULT, id=document_id)
    announce(unit, "profile")


async def delete_document(unit: Unit, document_id: DocumentId, now: datetime) -> None:
    """Take it out of use; no other becomes the default in its stead unasked."""
    await unit.one(DELETE, id=document_id, now=now)
    announce(unit, "profile")


async def restore_document(unit: Unit, document_id: DocumentId) -> None:
    """Undo a deletion; raises `Missing` when it is not deleted or the same file was added again."""
    await unit.run(ONE_AT_A_TIME)
    await _require_room(unit)
    await unit.one(RESTORE, id=document_id)
    announce(unit, "profile")


async def _require_room(unit: Unit) -> None:
    if (await unit.one(COUNT)).count >= MAX_DOCUMENTS:
        raise TooManyDocuments
