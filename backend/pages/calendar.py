"""The calendar for other programs: a file behind a secret address, without a cookie and without a sign-in."""

import hashlib

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from backend.calendar.feed import calendar
from backend.calendar.writing import MEDIA_TYPE
from backend.http.parts import Parts
from backend.http.requests import Req
from schema.errors import Missing

SUFFIX = ".ics"
SECRET_MAX = 200


@get("/calendar/{name:str}", include_in_schema=False, opt={"open": True})
async def file(request: Req, parts: NamedDependency[Parts], name: FromPath[str]) -> Response[bytes]:
    """Answers like an address that never was, whatever is wrong with the secret."""
    if not name.endswith(SUFFIX) or len(name) > SECRET_MAX:
        raise Missing
    peer = request.client.host if request.client else "unknown"
    address = parts.settings.http.public_url.rstrip("/") or f"http://{request.headers['host']}"
    content = await calendar(
        parts.database, parts.clock, name.removesuffix(SUFFIX), peer=peer, address=address
    )
    mark = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"etag": mark, "cache-control": "private, no-cache", "x-robots-tag": "noindex"}
    if mark in _asked(request):
        return Response(b"", status_code=304, headers=headers, media_type=MEDIA_TYPE)
    return Response(content, headers=headers, media_type=MEDIA_TYPE)


def _asked(request: Req) -> list[str]:
    """The marks the reader has already; a proxy that compresses weakens them."""
    sent = request.headers.get("if-none-match", "")
    return [mark.strip().removeprefix("W/") for mark in sent.split(",")]


ROUTES = (file,)
