"""Styles, scripts and pictures of the pages: read once at start, served from memory, cacheable for ever.

An address with the fingerprint of the content may be kept a year; one without is asked about again.
"""

import hashlib
import mimetypes
from pathlib import Path

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from backend.http.rendering import STATIC
from backend.http.requests import Req
from schema.errors import Missing

_YEAR = "public, max-age=31536000, immutable"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Asset(msgspec.Struct, frozen=True, kw_only=True):
    content: bytes
    media_type: str
    mark: str


class Assets:
    """Every file of the static folder."""

    def __init__(self, folder: Path = STATIC) -> None:
        self.by_name = {path.name: _asset(path) for path in sorted(folder.iterdir()) if path.is_file()}


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    known = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return Asset(
        content=content,
        media_type=known or "application/octet-stream",
        mark=hashlib.sha256(content).hexdigest()[:12],
    )


@get("/static/{name:str}", include_in_schema=False, sync_to_thread=False)
def static_file(request: Req, name: FromPath[str], assets: NamedDependency[Assets]) -> Response[bytes]:
    asset = assets.by_name.get(name)
    if asset is None:
        raise Missing
    kept = request.url.query == f"v={asset.mark}"
    headers = {"cache-control": _YEAR if kept else "no-cache", "etag": f'"{asset.mark}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
