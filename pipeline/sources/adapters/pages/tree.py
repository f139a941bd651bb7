"""Bytes of a web page as a parsed tree: its charset honoured, its size and depth within limits. Pure."""

import codecs
import re
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.sources.nesting import is_deeper_than

MAX_BYTES = 4 * 1024 * 1024
_MAX_DEPTH = 2_000
_HEAD_BYTES = 4_096
_IN_HEADER = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?([A-Za-z0-9._-]{1,40})", re.IGNORECASE)
_IN_PAGE = re.compile(
    rb"<meta[^<>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9._-]{1,40})", re.IGNORECASE
)
#: Browsers read these as Windows does; so are they written.
_WINDOWS = {
    "iso-8859-1": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
#: Codecs that turn bytes into text and are ones of the web.
_OF_THE_WEB = re.compile(
    r"utf-8|iso8859-\d{1,2}|cp125\d|cp874|koi8-[ru]|shift_jis|cp932|euc_(?:jp|kr)|gb18030|big5|mac-roman"
)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_UNSEEN_TEXT = frozenset({"script", "style", "template", "noscript"})


def decoded(html: bytes, content_type: str = "") -> str:
    """The text of a page: by its byte order mark, the header, its own word; else UTF-8 or Windows."""
    for mark, codec in _MARKS:
        if html.startswith(mark):
            return html.decode(codec, "replace")
    header, page = _IN_HEADER.search(content_type[:300]), _IN_PAGE.search(html[:_HEAD_BYTES])
    names = [found[1] for found in (header,) if found] + [
        found[1].decode("ascii") for found in (page,) if found
    ]
    for name in names:
        if (codec := _codec(name)) is not None:
            return html.decode(codec, "replace")
    try:
        return html.decode()
    except UnicodeDecodeError:
        return html.decode("cp1252", "replace")


def _codec(name: str) -> str | None:
    try:
        found = codecs.lookup(_WINDOWS.get(name.lower(), name)).name
    except (LookupError, ValueError):
        return None
    found = _WINDOWS.get(_spelled(found), found)
    return found if _OF_THE_WEB.fullmatch(found) else None


def _spelled(codec: str) -> str:
    return codec.replace("iso8859", "iso-8859")


def parsed(html: bytes, content_type: str = "") -> LexborHTMLParser | None:
    """None for what is too large or too deep to be a page that somebody wrote."""
    if len(html) > MAX_BYTES:
        return None
    text = decoded(html, content_type).replace("\x00", "")
    return None if is_deeper_than(_MAX_DEPTH, text) else LexborHTMLParser(text)


def told(node: LexborNode | None, most_nodes: int = 500) -> str:
    """What a reader sees there, in one line; what lies behind `most_nodes` parts of it is not looked at."""
    if node is None:
        return ""
    pieces: list[str] = []
    waiting = [node]
    for _ in range(most_nodes):
        if not waiting:
            break
        each = waiting.pop()
        if each.is_text_node:
            pieces.append(each.text_content or "")
        elif each.tag not in _UNSEEN_TEXT:
            waiting.extend(reversed(list(islice(each.iter(include_text=True), most_nodes))))
    return " ".join("".join(pieces).split())
