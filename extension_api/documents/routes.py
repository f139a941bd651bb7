"""`GET /documents/{id}/content`: a document's bytes for the device that attaches them."""

from urllib.parse import quote

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from extension_api.documents.store import content_of
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from schema.db import Database
from schema.errors import Missing, Unavailable
from schema.ids import DocumentId

BYTES = "application/octet-stream"
"""Always, so that nothing renders it; its true type stands beside it in the page's context."""


@get(
    "/documents/{document_id:int}/content",
    media_type=BYTES,
    opt={"refusals": [Missing, *GUARDED, Unavailable]},
    operation_id="extension_document_content",
)
async def document_content(
    document_id: FromPath[int], device: NamedDependency[Device], database: NamedDependency[Database]
) -> Response[bytes]:
    """The file as it was uploaded."""
    async with database.as_account(device.account_id) as unit:
        found = await content_of(unit, DocumentId(document_id))
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.file_name)}",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(found.content, media_type=BYTES, headers=headers)
