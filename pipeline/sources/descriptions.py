"""A posting's text made fit to store and show: sanitised, hidden parts dropped, known by its content. Pure.

What a posting says is data; nothing in it is ever followed, loaded or run.
"""

import hashlib
import html
import re

import msgspec
import nh3
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pipeline.sources.nesting import is_deeper_than
from schema.text import clean, shorten

MAX_CHARS = 300_000
_MAX_DEPTH = 200

_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2",
    "h3", "h4", "h5", "h6", "hr", "i", "ins", "li", "ol", "p", "pre", "q", "s", "small", "span", "strong",
    "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul",
}  # fmt: skip
#: Their content is no text for people.
_DROPPED = {
    "script", "style", "template", "noscript", "title", "iframe", "object", "svg", "math", "textarea",
    "select",
}  # fmt: skip
_UNSEEN = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden"
    r"|(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:[;!]|$))",
    re.IGNORECASE,
)
_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    clean_content_tags=_DROPPED,
    attributes={"a": {"href"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)
#: What `_UNSEEN` speaks of: a style that names none of it hides nothing, unless it is written in references.
_HIDING = (b"display", b"visibility", b"font-size", b"opacity", b"&#")
#: Of sanitised HTML, where tags are in lower case and none of these has attributes.
_READS_AS = {"li": "- ", "br": "\n", "hr": "\n"} | {
    f"/{block}": "\n"
    for block in (
        "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table", "blockquote", "pre",
        "dd", "dt", "dl",
    )
}  # fmt: skip


class Description(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """`content_hash` is the SHA-256 of `raw`; `html` holds allowed tags only; `text` a line per block."""

    content_hash: str
    raw: str
    html: str
    text: str


def described(raw: str) -> Description | None:
    """None when nothing readable is left: the posting has an empty description."""
    raw = shorten(clean(raw), MAX_CHARS)
    data = raw.encode()
    sanitised = _CLEANER.clean(_without_hidden(raw, data.lower())).strip()
    text = _as_text(sanitised)
    if not text:
        return None
    return Description(content_hash=hashlib.sha256(data).hexdigest(), raw=raw, html=sanitised, text=text)


def _without_hidden(raw: str, lower: bytes) -> str:
    if is_deeper_than(_MAX_DEPTH, raw):
        # Parsers take time that grows with the square of the depth; no honest posting is this deep.
        return re.sub(r"<[^<>]*>?", " ", raw)
    if not _may_hide(lower):
        return raw
    tree = LexborHTMLParser(raw)
    hidden = [node for node in tree.css("[hidden], [style]") if _is_hidden(node)]
    marks = {node.mem_id for node in hidden}
    # What lies inside a hidden part goes with it; touching it afterwards would touch freed memory.
    for node in [node for node in hidden if not _lies_in(node, marks)]:
        node.decompose()
    return tree.body.inner_html or "" if tree.body else ""


def _may_hide(lower: bytes) -> bool:
    """Whether it is worth a parser's time: most boards style every line, and hardly any hides one."""
    return b"hidden" in lower or (b"style" in lower and any(word in lower for word in _HIDING))


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return "hidden" in attributes or bool(_UNSEEN.search(attributes.get("style") or ""))


def _lies_in(node: LexborNode, marks: set[int]) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.mem_id in marks:
            return True
        parent = parent.parent
    return False


def _as_text(sanitised: str) -> str:
    # All angles but those of tags are escaped, so that every second part is what stands in a tag.
    parts = _in_one_line(sanitised).replace(">", "<").split("<")
    parts[1::2] = [_READS_AS.get(name, "") for name in parts[1::2]]
    lines: list[str] = []
    for line in html.unescape("".join(parts)).split("\n"):
        words = line.strip()
        if words or (lines and lines[-1]):
            lines.append(words)
    return "\n".join(lines).strip()


def _in_one_line(text: str) -> str:
    """Without line ends and spaces too many. Printable text has no other space than the plain one."""
    return text if text.isprintable() and "  " not in text else " ".join(text.split())
