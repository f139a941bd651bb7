"""The one door: `parse_message`. Puts head, parts, text, quotes and links together into a `ParsedMessage`.

Time per message is bounded: over all its parts at most 1 MiB of text is read, of it 512 KiB and 30,000 tags
of HTML, 200,000 characters are kept, and every pattern runs in linear time. Attached messages are listed, and
read only when the sender wrote nothing else.
"""

import re

from mailsync.parse.addresses import parse_address, parse_addresses
from mailsync.parse.characters import as_seen
from mailsync.parse.charsets import decode
from mailsync.parse.dates import sent_at
from mailsync.parse.headers import Head, read_head
from mailsync.parse.html_text import (
    LONGEST_URL,
    MOST_HTML_CHARACTERS,
    MOST_TAGS,
    Anchor,
    Rendered,
    few_tags,
    render,
)
from mailsync.parse.labels import labels
from mailsync.parse.parts import (
    MOST_TEXT_BYTES,
    Part,
    Parts,
    decoded,
    decoded_size,
    leaf_parts,
)
from mailsync.parse.plain_text import readable, unflow
from mailsync.parse.quotes import Separated, separate
from mailsync.parse.types import Attachment, BulkHints, CalendarPart, Link, ParsedMessage
from mailsync.parse.undecoded import undone

MOST_CALENDAR_BYTES = 256 * 1024
MOST_CALENDARS = 10
MOST_ATTACHMENTS = 100
MOST_LINKS = 300
MOST_REFERENCES = 100
LONGEST_SUBJECT = 1000
LONGEST_ID = 900
_DEEPEST_ATTACHED = 3
_COVERED_SHARE = 0.8

_ID = re.compile(r"<([^<>\s]{1,900})>")
_WORD = re.compile(r"\w{2,}")
_URL = re.compile(r"https?://[^\s<>\"'\[\]{}|\\^`\x00-\x1f]{1,4000}", re.IGNORECASE)
_URL_TAIL = ".,;:!?)*_'\u2019\u201d»>"
_LOOKS_LIKE_HTML = re.compile(r"\s*(?:<!doctype html|<html|<body|<head|<table|<div)\b", re.IGNORECASE)
_HOLDS_HTML = re.compile(r"<(?:html|body|table|div)\b", re.IGNORECASE)
_TEXT_FOR_PROGRAMS = frozenset(
    f"text/{kind}"
    for kind in ("calendar", "vcard", "x-vcard", "directory", "csv", "css", "rtf", "xml", "rfc822-headers")
)
_OTHER_RENDERINGS = frozenset(("text/x-amp-html", "text/watch-html"))
"""The same letter once more for mail programs that run it; neither read nor listed."""
_CALENDAR_TYPES = frozenset(("text/calendar", "application/ics"))


class _Reading:
    """What the leaf parts gave so far."""

    def __init__(self, raw: bytes, depth: int) -> None:
        self.raw = raw
        self.depth = depth
        self.blocks: list[Rendered] = []
        self.calendars: list[CalendarPart] = []
        self.attachments: list[Attachment] = []
        self.attached: list[Part] = []
        self.defects: set[str] = set()
        self.left_bytes = MOST_TEXT_BYTES
        self.left_html = MOST_HTML_CHARACTERS
        self.left_tags = MOST_TAGS

    def read(self, parts: Parts) -> None:
        self.defects.update(["too_many_parts"] if parts.cut else [])
        groups: dict[int, list[Part]] = {}
        for part in parts.leaves:
            if part.media_type in _OTHER_RENDERINGS:
                continue
            if not self._is_text(part, is_first=not groups):
                self._set_aside(part)
            else:
                groups.setdefault(part.start if part.group is None else -part.group, []).append(part)
        for alternatives in groups.values():
            self.blocks.append(self._best(alternatives))
        self._read_attached()

    def _is_text(self, part: Part, *, is_first: bool) -> bool:
        """As in RFC 8621: text with a file name is a file, unless it comes before all other text."""
        inline = part.disposition != "attachment" and (is_first or not part.name)
        return inline and part.media_type.startswith("text/") and part.media_type not in _TEXT_FOR_PROGRAMS

    def _set_aside(self, part: Part) -> None:
        if part.media_type in _CALENDAR_TYPES and len(self.calendars) < MOST_CALENDARS:
            content = decoded(self.raw, part, MOST_CALENDAR_BYTES)
            self.calendars.append(CalendarPart(method=part.method, content=content))
        if part.media_type == "message/rfc822":
            self.attached.append(part)
        if part.media_type in _CALENDAR_TYPES and not part.name:
            return
        if len(self.attachments) < MOST_ATTACHMENTS:
            self.attachments.append(
                Attachment(name=part.name, media_type=part.media_type, size_bytes=decoded_size(part))
            )

    def _best(self, alternatives: list[Part]) -> Rendered:
        """Of plain text and HTML the one that says more; the plain one when it says nearly all."""
        plain = _joined([self._plain(part) for part in alternatives if part.media_type != "text/html"])
        rich = _joined([self._rich(part) for part in alternatives if part.media_type == "text/html"])
        if not rich.text.strip() or not plain.text.strip():
            return rich if rich.text.strip() else plain
        seen = set(_WORD.findall(rich.text.lower()))
        told = set(_WORD.findall(plain.text.lower()))
        if len(seen & told) >= _COVERED_SHARE * len(seen):
            return Rendered(text=plain.text, anchors=rich.anchors)
        return rich

    def _plain(self, part: Part) -> Rendered:
        text = self._text(part)
        if _LOOKS_LIKE_HTML.match(text) or (
            "undeclared_encoding" in self.defects and _HOLDS_HTML.search(text)
        ):
            return self._rendered(text)
        if part.flowed:
            text = unflow(text, delete_space=part.delete_space)
        return Rendered(text=text, anchors=())

    def _rich(self, part: Part) -> Rendered:
        return self._rendered(self._text(part))

    def _rendered(self, source: str) -> Rendered:
        kept, tags = few_tags(source[: self.left_html], self.left_tags)
        self.left_html -= len(kept)
        self.left_tags -= tags
        self.defects.update(["text_cut"] if len(kept) < len(source) else [])
        return render(kept)

    def _text(self, part: Part) -> str:
        size = part.end - part.start
        sent = decoded(self.raw, part, self.left_bytes)
        self.defects.update(["text_cut"] if size > self.left_bytes else [])
        self.left_bytes -= min(size, self.left_bytes)
        payload = undone(sent)
        if payload != sent:
            self.defects.add("undeclared_encoding")
        text, believable = decode(payload, part.charset)
        if not believable:
            self.defects.add("unknown_charset")
        return text

    def _read_attached(self) -> None:
        if any(block.text.strip() for block in self.blocks) or self.depth >= _DEEPEST_ATTACHED:
            return
        for part in self.attached[:1]:
            inner = _Reading(decoded(self.raw, part), self.depth + 1)
            inner.left_bytes, inner.left_html, inner.left_tags = (
                self.left_bytes,
                self.left_html,
                self.left_tags,
            )
            inner.read(leaf_parts(inner.raw))
            self.blocks = inner.blocks
            self.calendars.extend(inner.calendars)
            self.defects.add("only_an_attached_message")


def _joined(rendered: list[Rendered]) -> Rendered:
    return Rendered(
        text="\n\n".join(each.text for each in rendered),
        anchors=tuple(anchor for each in rendered for anchor in each.anchors),
    )


def parse_message(raw: bytes) -> ParsedMessage:
    """The message, whatever the bytes are; what was broken stands in `defects`."""
    if b"\n" not in raw[:MOST_CALENDAR_BYTES] and b"\r" in raw:
        raw = raw.replace(b"\r", b"\n")
    head, _ = read_head(raw)
    reading = _Reading(raw, 0)
    reading.read(leaf_parts(raw))
    everything = _joined(reading.blocks)
    text, cut = readable(everything.text)
    subject = head.text("subject", LONGEST_SUBJECT)
    separated = separate(text, subject)
    reading.defects.update(["text_cut"] if cut else [])
    reading.defects.update([] if len(head) else ["no_head"])
    return _message(head, subject, separated, everything.anchors, reading)


def _message(
    head: Head, subject: str, separated: Separated, anchors: tuple[Anchor, ...], reading: _Reading
) -> ParsedMessage:
    when, source = sent_at(head)
    return ParsedMessage(
        message_id=next(iter(_ids(head, "message-id")), None),
        in_reply_to=next(iter(_ids(head, "in-reply-to")), None),
        references=tuple(_ids(head, "references")),
        sender=parse_address(head.raw("from") or head.raw("sender")),
        reply_to=parse_addresses(head.raw("reply-to")),
        recipients=tuple(
            address
            for field in ("to", "cc", "delivered-to")
            for value in head.every(field)[:10]
            for address in parse_addresses(value)
        )[:MOST_REFERENCES],
        subject=subject,
        sent_at=when,
        sent_at_source=source,
        bulk=_bulk_hints(head),
        provider_thread=head.text("x-gm-thrid", 40) or None,
        labels=labels(head),
        body=separated.written,
        signature=separated.signature,
        quoted=separated.quoted,
        is_forward=separated.is_forward,
        links=_links(separated.written, anchors),
        calendars=tuple(reading.calendars),
        attachments=tuple(reading.attachments),
        defects=tuple(sorted(reading.defects)),
    )


def _ids(head: Head, name: str) -> list[str]:
    """Message ids without their brackets; a bare word counts when there is no bracket at all."""
    text = head.text(name, MOST_REFERENCES * LONGEST_ID)
    found = _ID.findall(text)[-MOST_REFERENCES:]
    bare = text.strip("<>").split()
    return found or [word[:LONGEST_ID] for word in bare[:1] if "@" in word]


def _bulk_hints(head: Head) -> BulkHints:
    automatic = head.text("auto-submitted", 100).lower()
    return BulkHints(
        list_id=head.text("list-id", 300),
        list_unsubscribe=head.has("list-unsubscribe"),
        precedence=head.text("precedence", 40).lower(),
        auto_submitted=automatic not in ("", "no"),
        feedback_id=head.text("feedback-id", 300),
    )


def _links(body: str, anchors: tuple[Anchor, ...]) -> tuple[Link, ...]:
    """Links whose text stands in what the sender wrote, each with its place; history carries none."""
    links = [
        Link(url=url, start=found.start(), end=found.start() + len(url))
        for found in _URL.finditer(body)
        if len(url := found[0].rstrip(_URL_TAIL)) > len("https://")
    ]
    position = missed = 0
    for anchor in anchors:
        shown = as_seen(anchor.shown[:LONGEST_URL])
        start = body.find(shown, position) if shown else -1
        missed += start < 0
        if missed > MOST_LINKS:
            break
        if start < 0:
            continue
        links.append(Link(url=anchor.url, start=start, end=start + len(shown)))
        position = start
    links.sort(key=lambda link: (link.start, link.end, link.url))
    return tuple(links[:MOST_LINKS])
