"""The files of an account for its export: found by id, read one by one."""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.query import Query


class KeptFile(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    kind: str
    file_name: str
    deleted_at: datetime | None


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    content: bytes


FILES = Query("leaving.files", KeptFile, "SELECT id, kind, file_name, deleted_at FROM documents ORDER BY id")
CONTENT = Query("leaving.content", _Content, "SELECT content FROM documents WHERE id = %(id)s")


async def kept_files(unit: Unit) -> list[KeptFile]:
    """Those out of use included: they are kept, so they are taken along."""
    return await unit.all(FILES)


async def file_content(unit: Unit, file_id: int) -> bytes:
    return (await unit.one(CONTENT, id=file_id)).content
