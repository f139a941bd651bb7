"""The MIME tree of a message as a flat list of leaf parts, found without building the tree.

The standard library's parser has no depth limit and holds a message about four times over; here a part is
a pair of offsets into the bytes. Caps: 10 levels, 200 parts, 1 MiB of encoded text read.
A boundary that is missing or never occurs makes its part plain text.
"""

import binascii
import re
from collections.abc import Iterator
from email.message import Message
from email.utils import collapse_rfc2231_value

import msgspec

from mailsync.parse.headers import Head, decode_base64, decode_text, one_line, read_head

DEEPEST = 10
MOST_PARTS = 200
MOST_TEXT_BYTES = 1024 * 1024
_LONGEST_BOUNDARY = 2000
_LONGEST_NAME = 200

_LATE_HEAD = re.compile(rb"[\r\n]{1,4}(?=Content-(?:Type|Transfer-Encoding):)", re.IGNORECASE)
_LINE_END = re.compile(r"[\r\n]+")
_NO_SEMICOLON = re.compile(r"(\s*[^\s;=]{1,100}/[^\s;=]{1,100})\s+(?=[\w-]{1,40}=)")
_TOKEN = re.compile(r"[a-z0-9!#$&^_.+-]{1,100}/[a-z0-9!#$&^_.+-]{1,100}")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A leaf. `group` is the nearest multipart/alternative around it; offsets are those of its body."""

    media_type: str
    charset: str
    flowed: bool
    delete_space: bool
    method: str
    encoding: str
    disposition: str
    name: str
    group: int | None
    start: int
    end: int


class _Region(msgspec.Struct, frozen=True, kw_only=True):
    """An entity still to be looked at: head and body between two offsets."""

    start: int
    end: int
    depth: int
    group: int | None
    default_type: str


class Parts(msgspec.Struct, kw_only=True):
    leaves: list[Part]
    cut: bool = False


def leaf_parts(raw: bytes) -> Parts:
    """Every leaf in reading order; `cut` when a cap left some out."""
    found = Parts(leaves=[])
    waiting = [_Region(start=0, end=len(raw), depth=0, group=None, default_type="text/plain")]
    while waiting:
        region = waiting.pop()
        if len(found.leaves) >= MOST_PARTS:
            found.cut = True
            break
        children = _look(raw, region, found)
        waiting.extend(reversed(children))
    return found


def _look(raw: bytes, region: _Region, found: Parts) -> list[_Region]:
    """The children of a multipart, or nothing after adding a leaf."""
    head, body = read_head(raw, _head_start(raw, region), region.end)
    declared = content_type(head.raw("content-type"), region.default_type)
    boundary = declared.boundary
    if declared.media_type.startswith("multipart/") and boundary and region.depth < DEEPEST:
        children = list(_children(raw, body, region, declared))
        if children:
            return children
    found.cut = found.cut or region.depth >= DEEPEST
    found.leaves.append(_leaf(head, declared, body, region))
    return []


def _head_start(raw: bytes, region: _Region) -> int:
    """Behind an empty line that some senders leave before the fields of a part."""
    late = _LATE_HEAD.match(raw, region.start, region.end) if region.default_type == "text/plain" else None
    return late.end() if late else region.start


def _children(raw: bytes, body: int, region: _Region, declared: "ContentType") -> Iterator[_Region]:
    group = body if declared.media_type == "multipart/alternative" else region.group
    default = "message/rfc822" if declared.media_type == "multipart/digest" else "text/plain"
    for count, (start, end) in enumerate(_between(raw, declared.boundary, body, region.end)):
        if count >= MOST_PARTS:
            return
        yield _Region(start=start, end=end, depth=region.depth + 1, group=group, default_type=default)


def _between(raw: bytes, boundary: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches between delimiter lines. A missing closing delimiter ends with the region."""
    # Found by a pattern, as text full of almost-delimiters would take long line by line.
    delimiter = re.compile(rb"\n--" + re.escape(boundary) + rb"(?:(--)|(?=[ \t\r\n])|\Z)")
    opened: int | None = None
    # An entity may begin with a delimiter, so the line end before it is looked at as well.
    for found in delimiter.finditer(raw, max(0, start - 1), end):
        if opened is not None:
            yield opened, found.start() + 1
        if found[1]:
            return
        newline = raw.find(b"\n", found.end(), end)
        opened = end if newline < 0 else newline + 1
    if opened is not None:
        yield opened, end


def _leaf(head: Head, declared: "ContentType", body: int, region: _Region) -> Part:
    disposition, filename = content_disposition(head.raw("content-disposition"))
    media_type = declared.media_type
    if media_type.startswith("multipart/"):
        media_type = "text/plain"
    return Part(
        media_type=media_type,
        charset=declared.charset,
        flowed=declared.flowed,
        delete_space=declared.delete_space,
        method=declared.method,
        encoding=decode_text(head.raw("content-transfer-encoding")).lower().strip("\"' ;")[:40],
        disposition=disposition,
        name=filename or declared.name,
        group=region.group,
        start=body,
        end=max(body, region.end),
    )


class ContentType(msgspec.Struct, frozen=True, kw_only=True):
    media_type: str
    boundary: bytes = b""
    charset: str = ""
    name: str = ""
    method: str = ""
    flowed: bool = False
    delete_space: bool = False


def content_type(value: bytes, default: str = "text/plain") -> ContentType:
    """What a Content-Type field says; an unreadable one counts as `default`."""
    parameters = _parameters(value)
    media_type = next(iter(parameters), "").strip().lower()
    if not _TOKEN.fullmatch(media_type):
        media_type = default
    return ContentType(
        media_type=media_type,
        boundary=parameters.get("boundary", "").encode("latin-1", "replace")[:_LONGEST_BOUNDARY].strip(),
        charset=parameters.get("charset", ""),
        name=_readable(parameters.get("name", "")),
        method=parameters.get("method", "").upper()[:40],
        flowed=parameters.get("format", "").lower() == "flowed",
        delete_space=parameters.get("delsp", "").lower() == "yes",
    )


def content_disposition(value: bytes) -> tuple[str, str]:
    """The disposition in lower case and the file name, each possibly empty."""
    parameters = _parameters(value)
    return next(iter(parameters), "").strip().lower()[:40], _readable(parameters.get("filename", ""))


def _parameters(value: bytes) -> dict[str, str]:
    """The value (as the first key) and its parameters, RFC 2231 pieces joined; empty when unreadable."""
    if not value.strip():
        return {}
    holder = Message()
    try:
        # Spaces inside are kept: a boundary may hold two.
        told = _LINE_END.sub("", value[:4000].decode("latin-1")).strip()
        holder["x"] = _NO_SEMICOLON.sub(r"\1; ", told, count=1)
        pairs = [(name.lower(), collapse_rfc2231_value(found)) for name, found in holder.get_params([], "x")]
    except (ValueError, TypeError, LookupError, AttributeError, UnicodeError):
        return {}
    # The media type comes first; of a parameter given twice the first counts.
    return dict(pairs[:1]) | dict(reversed(pairs[1:]))


def _readable(name: str) -> str:
    """A file's name without the folders of the sender's machine."""
    shown = one_line(decode_text(name.encode("latin-1", "replace")))
    return re.split(r"[\\/]", shown)[-1].strip()[:_LONGEST_NAME]


def decoded(raw: bytes, part: Part, limit: int = MOST_TEXT_BYTES) -> bytes:
    """The part's bytes with transfer encoding undone, from at most `limit` encoded bytes."""
    payload = raw[part.start : min(part.end, part.start + limit)]
    if part.encoding == "base64":
        return decode_base64(payload)
    if part.encoding == "quoted-printable":
        return binascii.a2b_qp(payload)
    return payload


def decoded_size(part: Part) -> int:
    """Size in bytes after transfer decoding, estimated for base64 (line ends counted out)."""
    size = part.end - part.start
    return size * 3 * 76 // (4 * 78) if part.encoding == "base64" else size
