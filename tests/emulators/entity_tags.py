"""Answers with a weak entity tag of their content, as some platforms give them; 304 to who knows it."""

import hashlib
import json

from emulators.web import Asked, Reply


def tagged(asked: Asked, content: object) -> Reply:
    body = json.dumps(content).encode()
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    if asked.headers.get("if-none-match") == etag:
        return Reply(b"", 304, headers={"ETag": etag})
    return Reply(body, headers={"ETag": etag, "Cache-Control": "max-age=0, private, must-revalidate"})
