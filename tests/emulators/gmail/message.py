"""One message as the mailbox holds it: exact bytes, labels, and what search needs, read when first asked."""

import re
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message as Mime
from functools import cached_property

FOLD = re.compile(r"\r?\n(?=[ \t])")
WORD = re.compile(r"\w+")
TAG = re.compile(r"<[^<>]*>")
SENT_IDS = re.compile(r"<[^<>\s]+>")
CODED = re.compile(rb"\ncontent-transfer-encoding:[ \t]*(?:base64|quoted)", re.IGNORECASE)
PARTED = re.compile(rb"\ncontent-type:[ \t]*(?:multipart|text/html)", re.IGNORECASE)
TEXT = re.compile(rb"\ncontent-type:[ \t]*text/(?:plain|html)", re.IGNORECASE)
PREVIEW = 4_096


def decoded(value: str) -> str:
    """A header with its encoded words read, as the API shows it."""
    if "=?" not in value:
        return value
    try:
        return str(make_header(decode_header(value)))
    except (LookupError, ValueError, UnicodeError):
        return value


def words(text: str) -> str:
    """Text as ` word word word `, in which a phrase is a substring."""
    return f" {' '.join(WORD.findall(text.lower()))} "


@dataclass
class Message:
    id: str
    thread_id: str
    raw: bytes
    labels: set[str]
    internal_date: int
    history_id: int = 0
    delivered_at: float = 0.0
    attachments: dict[str, bytes] = field(default_factory=dict)
    _words: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, str]:
        """Where it stands in every list."""
        return self.internal_date, self.id

    @cached_property
    def headers(self) -> list[tuple[str, str]]:
        return read_headers(self.raw)

    def header(self, name: str) -> str:
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    @cached_property
    def mime(self) -> Mime:
        return message_from_bytes(self.raw, policy=policy.compat32)

    @cached_property
    def text(self) -> str:
        """The words of the body, markup dropped."""
        return _text(self.raw)

    def searched(self, name: str) -> str:
        """The words of a header; whom it is to is told by three."""
        if name not in self._words:
            named = ("to", "cc", "bcc") if name == "to" else (name,)
            self._words[name] = "".join(words(self.header(each)) for each in named)
        return self._words[name]

    @cached_property
    def everything(self) -> str:
        return "".join(self.searched(name) for name in ("from", "to", "subject")) + words(self.text)

    @cached_property
    def snippet(self) -> str:
        return " ".join(preview(self.raw[:PREVIEW]).split())[:200]

    @cached_property
    def has_attachment(self) -> bool:
        return b"ilename" in self.raw and any(part.get_filename() for part in self.mime.walk())


def _text(raw: bytes) -> str:
    head, gap, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    if gap and not CODED.search(b"\n" + head) and not PARTED.search(b"\n" + head):
        return body.decode("utf-8", "replace")
    parts = message_from_bytes(raw, policy=policy.compat32).walk()
    return " ".join(_part_text(part) for part in parts if part.get_content_maintype() == "text")


def preview(beginning: bytes) -> str:
    """The first text of a letter, cut out without reading its structure: every `get` shows one."""
    found = TEXT.search(beginning) if PARTED.search(beginning) else None
    if found is None:
        return _text(beginning)
    part = message_from_bytes(beginning[found.start() + 1 :].partition(b"\n--")[0], policy=policy.compat32)
    return _part_text(part)


def _part_text(part: Mime) -> str:
    return TAG.sub(" ", unify(part)) if part.get_content_subtype() == "html" else unify(part)


def part_bytes(part: Mime) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def unify(part: Mime) -> str:
    """A text part as Unicode whatever it claims to be."""
    try:
        return part_bytes(part).decode(part.get_content_charset("utf-8"), "replace")
    except (LookupError, ValueError):
        return part_bytes(part).decode("latin-1")


def read_headers(raw: bytes) -> list[tuple[str, str]]:
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0].decode("utf-8", "replace")
    lines = (line.partition(":") for line in FOLD.sub("", head).splitlines())
    return [(name.strip(), decoded(value.strip())) for name, colon, value in lines if colon]


def message_ids(message: Message, *names: str) -> list[str]:
    return SENT_IDS.findall(" ".join(message.header(name) for name in names))
