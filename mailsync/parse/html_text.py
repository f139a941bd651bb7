"""HTML of a message as the text a person would see, with its links. Never raises, never fetches.

Hidden preheaders, scripts and styles are dropped; quoted history is marked with `>` so that one rule cuts
it for both kinds of body. Caps: 512 KiB of HTML, 30,000 tags, 2,000 links. Before the real parser sees it, a
linear scan estimates depth and repeated formatting elements; what would make parsing quadratic is stripped
by pattern.
"""

import html
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_HTML_CHARACTERS = 512 * 1024
MOST_TAGS = 30_000
MOST_LINKS = 2000
LONGEST_URL = 4000
_DEEPEST_NESTING = 300
_MOST_REPEATED_FORMATS = 100_000
_MOST_WORDS = 2000

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})")


def _names(tags: str) -> frozenset[str]:
    return frozenset(tags.split())


_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_SELF_CLOSING = _names("p li td th tr dd dt option thead tbody tfoot")
_FORMATTING = _names("a b big code em font i nobr s small strike strong tt u")
_UNSEEN = _names("script style head title template noscript object svg math select textarea iframe canvas")
_BLOCKS = _names(
    "address article aside blockquote br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6"
    " header hr li main nav ol p pre section table tbody tfoot thead tr ul"
)
_PARAGRAPHS = _names("p h1 h2 h3 h4 h5 h6 table ul ol blockquote")
_CELLS = _names("td th")
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:max-height|font-size|opacity)\s*:\s*0(?![.\d])"
)
_QUOTE_CLASSES = _names(
    "gmail_quote yahoo_quoted moz-cite-prefix protonmail_quote zmail_extra tutanota_quote"
)
_QUOTE_IDS = _names("appendonsend divrplyfwdmsg mail-editor-reference-message-container")
_FORWARD = re.compile(r"-{3,}\s*forwarded message|begin forwarded message", re.IGNORECASE)


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """A link and the text it was shown as; in text order."""

    url: str
    shown: str


class Rendered(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    anchors: tuple[Anchor, ...]


def few_tags(source: str, most: int) -> tuple[str, int]:
    """The source up to its tag number `most`, and how many it holds."""
    starts = [tag.start() for tag in islice(_TAG.finditer(source), most + 1)]
    return (source, len(starts)) if len(starts) <= most else (source[: starts[most]], most)


def render(source: str) -> Rendered:
    """The seen text, block elements on lines of their own, and the links in it."""
    source = source[:MOST_HTML_CHARACTERS].replace("\x00", "")
    if not _is_cheap(source):
        return Rendered(text=strip_tags(source), anchors=())
    with suppress(Exception):
        root = LexborHTMLParser(source).root
        if root is not None:
            writer = _Writer()
            writer.walk(root)
            return writer.rendered()
    return Rendered(text=strip_tags(source), anchors=())


def _is_cheap(source: str) -> bool:
    """Whether parsing stays linear: nesting is shallow and few formats are re-opened in each block."""
    if any(len(stretch.split(None, _MOST_WORDS)) > _MOST_WORDS for stretch in source.split(">")):
        return False  # attributes of one tag are compared with each other
    depth = deepest = formats = repeated = 0
    for closing, name in _TAG.findall(source):
        tag = name.lower()
        if tag in _VOID:
            continue
        step = -1 if closing else 1
        if tag in _FORMATTING:
            formats = max(0, formats + step)
        elif tag not in _SELF_CLOSING:
            depth = max(0, depth + step)
            deepest = max(deepest, depth)
        if not closing:
            repeated += formats
    return deepest + formats <= _DEEPEST_NESTING and repeated <= _MOST_REPEATED_FORMATS


_SCRIPT = re.compile(r"<(script|style|title)\b", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,20})[^<>]{0,4000}>|<!--|-->|<![^<>]{0,400}>")
_HUGE_REFERENCE = re.compile(r"&#[0-9xX][0-9a-fA-F]{7,};?")


def strip_tags(source: str) -> str:
    """The text without tags, by patterns alone: for HTML no parser should be given."""
    kept: list[str] = []
    lowered = source.lower()
    position = 0
    while (script := _SCRIPT.search(source, position)) is not None:
        kept.append(source[position : script.start()])
        end = lowered.find(f"</{script[1].lower()}", script.end()) if len(kept) < MOST_LINKS else -1
        if end < 0:
            position = len(source)
            break
        position = end
    kept.append(source[position:])
    text = _ANY_TAG.sub(_blank, "".join(kept))
    with suppress(ValueError):
        text = html.unescape(_HUGE_REFERENCE.sub("", text))
    return text


def _blank(tag: re.Match[str]) -> str:
    name = (tag[1] or "").lower()
    return "\n" if name in _BLOCKS else " " if name in _CELLS else ""


class _Writer:
    """Walks the tree without recursion and writes lines; a line inside quoted history begins with `>`."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.anchors: list[Anchor] = []
        self.quotes = 0
        self.fresh = True
        self.preformatted = 0

    def rendered(self) -> Rendered:
        return Rendered(text="".join(self.out), anchors=tuple(self.anchors))

    def walk(self, root: LexborNode) -> None:
        stack: list[LexborNode | tuple[str, ...]] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                self._leave(item)
            elif item.is_text_node:
                self._text(item.text_content or "")
            elif item.is_element_node and not _is_unseen(item):
                stack.append(self._enter(item))
                stack.extend(reversed(list(_children(item))))
            elif item.is_document_node:
                stack.extend(reversed(list(_children(item))))

    def _enter(self, node: LexborNode) -> tuple[str, ...]:
        """Writes what opens the element; returns what `_leave` needs to close it."""
        tag = node.tag or ""
        quoted = not self.quotes and _is_history(node)
        if tag in _BLOCKS or quoted:
            self._line(blank=tag in _PARAGRAPHS)
        elif tag in _CELLS:
            self._text(" ")
        self.quotes += quoted
        self.preformatted += tag == "pre"
        if tag == "li":
            self._text("- ")
        elif tag == "img":
            self._text(_attribute(node, "alt")[:200])
        return (tag, "quoted" if quoted else "", _target(node) if tag == "a" else "", str(len(self.out)))

    def _leave(self, opened: tuple[str, ...]) -> None:
        tag, quoted, url, position = opened
        if url:
            self._anchor(url, "".join(self.out[int(position) :]))
        if tag in _BLOCKS or quoted:
            self._line(blank=tag in _PARAGRAPHS)
        self.quotes -= bool(quoted)
        self.preformatted -= tag == "pre"

    def _anchor(self, url: str, shown: str) -> None:
        if not shown.strip():
            self._text("[link]")
            shown = "[link]"
        if len(self.anchors) < MOST_LINKS and not self.quotes:
            self.anchors.append(Anchor(url=url, shown=shown.strip()))

    def _line(self, *, blank: bool) -> None:
        if not self.fresh:
            self.out.append("\n")
        if blank and self.out and not "".join(self.out[-2:]).endswith("\n\n"):
            self.out.append("> \n" if self.quotes else "\n")
        self.fresh = True

    def _text(self, text: str) -> None:
        if self.preformatted and "\n" in text:
            first, *rest = text.split("\n")
            self._words(first)
            for line in rest:
                self._line(blank=False)
                self._words(line)
            return
        self._words(text)

    def _words(self, text: str) -> None:
        words = " ".join(text.replace("\xa0", " ").split())
        if not words:
            if text and not self.fresh and not self.out[-1].endswith(" "):
                self.out.append(" ")
            return
        if self.fresh:
            self.out.append("> " if self.quotes else "")
        elif text[0].isspace() and not self.out[-1].endswith(" "):
            words = " " + words
        self.out.append(words + (" " if text[-1].isspace() else ""))
        self.fresh = False


def _children(node: LexborNode) -> Iterator[LexborNode]:
    return node.iter(include_text=True)


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _is_unseen(node: LexborNode) -> bool:
    if node.tag in _UNSEEN or "hidden" in node.attributes:
        return True
    style = _attribute(node, "style")
    return bool(style) and _HIDDEN_STYLE.search(style[:2000].lower()) is not None


def _is_history(node: LexborNode) -> bool:
    """Whether the element holds the message being answered; a forwarded one is what the sender sends."""
    if node.tag == "blockquote":
        told = _attribute(node, "type") == "cite" or "gmail_quote" in _attribute(node, "class")
        return told and not _holds_forward(node)
    classes = _attribute(node, "class").split()
    if not _QUOTE_CLASSES.intersection(classes) and _attribute(node, "id").lower() not in _QUOTE_IDS:
        return False
    return not _holds_forward(node)


def _holds_forward(node: LexborNode) -> bool:
    return _FORWARD.search(node.text()[:400]) is not None


def _target(node: LexborNode) -> str:
    href = _attribute(node, "href").strip()[:LONGEST_URL]
    return href if href.lower().startswith(("http://", "https://")) else ""
