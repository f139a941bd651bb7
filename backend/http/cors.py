"""Cross-origin answers: only to browser extensions, only on the extension's own API, never with credentials.

A device token is pinned to the origin it was paired with, so that one extension's token is of no use to
another; what is answered here only lets a browser read the answer at all.
"""

from litestar.types import HTTPScope, Send

from backend.http.origin import EXTENSION_ORIGIN, EXTENSION_PATH

Headers = tuple[tuple[bytes, bytes], ...]
_PREFLIGHT: Headers = (
    (b"access-control-allow-methods", b"GET, POST, PUT, DELETE"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
    (b"content-length", b"0"),
)
_READABLE = b"retry-after, x-request-id, content-disposition"


def headers_for(path: str, origin: str | None) -> Headers:
    """What lets the extension at `origin` read the answer; nothing for anybody else."""
    if origin is None or not path.startswith(EXTENSION_PATH) or not EXTENSION_ORIGIN.fullmatch(origin):
        return ()
    return (
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", _READABLE),
        (b"vary", b"Origin"),
    )


def is_preflight(scope: HTTPScope, allowed: Headers) -> bool:
    asked = any(name == b"access-control-request-method" for name, _ in scope["headers"])
    return bool(allowed) and scope["method"] == "OPTIONS" and asked


async def answer_preflight(send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": list(_PREFLIGHT)})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
