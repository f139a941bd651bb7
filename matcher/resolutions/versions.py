"""The opaque version of anything a person answers: a digest of all that their answer could rest on. Pure."""

import hashlib
from datetime import datetime

import msgspec

Part = str | int | bool | datetime | None
_CHARS = 16


def version(*parts: Part | tuple[Part, ...] | list[tuple[Part, ...]]) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:_CHARS]
