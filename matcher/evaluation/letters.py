"""A message of a truth file as bytes: given whole, or put together from its fields. Pure.

What a mailbox knows besides, its thread and that the owner sent it, is written as Google's archives do it.
"""

import base64
import binascii
import hashlib
import re
from datetime import UTC, date, datetime, time
from email.message import EmailMessage
from email.utils import format_datetime, formataddr

from matcher.evaluation.fields import Fields

_THREAD_CHARS = 40
_HEAD = re.compile(r"\s*(?:From |[!-9;-~]{1,100}:)")
_LINES = re.compile(r"[\r\n\0]+")
_BASE64 = ("eml", "eml_base64", "eml_b64", "raw", "raw_base64", "mime", "rfc822")
_TEXT = ("eml_text", "raw_text", "source")
FILE = ("file", "path", "eml_file", "eml_path", "filename")
BODY = ("body", "text", "body_text", "plain", "content")
PLAIN = (*BODY, "html", "body_html", "subject", "from", "sender", "from_address")
CARRIERS = (*_BASE64, *_TEXT, *FILE, *PLAIN)


def whole(fields: Fields) -> bytes | None:
    """The message where the row carries it; None when a file does."""
    raw = _carried(fields)
    if raw is None and not fields.has(*PLAIN):
        return None
    return marked(raw if raw is not None else _composed(fields), fields)


def marked(raw: bytes, fields: Fields) -> bytes:
    """With the thread and the owner's mark as the mailbox has them."""
    lines: list[str] = []
    thread = fields.text("thread", "thread_id", "provider_thread", "x_gm_thrid", "gmail_thread")
    if thread and b"x-gm-thrid:" not in raw[:4000].lower():
        lines.append(f"X-GM-THRID: {_short(thread)}")
    if fields.flag("from_owner", "outgoing", "is_sent", "sent_by_owner"):
        lines.append("X-Gmail-Labels: Sent")
    start = raw.find(b"\n") + 1 if raw.startswith(b"From ") else 0
    return raw[:start] + "".join(f"{line}\r\n" for line in lines).encode() + raw[start:]


def _carried(fields: Fields) -> bytes | None:
    if text := fields.get(*_TEXT):
        return str(text).encode("utf-8", "surrogatepass")
    found = fields.get(*_BASE64)
    if found is None:
        return None
    if not isinstance(found, str):
        raise fields.wrong("eml", "the whole message as base64 or as text is expected.")
    if _HEAD.match(found) and "\n" in found:
        return found.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode("".join(found.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise fields.wrong("eml", "this is neither base64 nor a message.") from error


def _composed(fields: Fields) -> bytes:
    message = EmailMessage()
    for name, value in _head(fields):
        if value:
            message[name] = _LINES.sub(" ", value)
    html, calendar = fields.text("html", "body_html"), fields.text("calendar", "ics")
    body = fields.text(*BODY)
    message.set_content(
        body or "" if body or not html else html, subtype="plain" if body or not html else "html"
    )
    if body and html:
        message.add_alternative(html, subtype="html")
    if calendar:
        message.add_attachment(calendar.encode(), maintype="text", subtype="calendar", filename="invite.ics")
    return message.as_bytes()


def _head(fields: Fields) -> list[tuple[str, str | None]]:
    sender = fields.text("from", "sender", "from_address", "from_email", "sender_address")
    name = fields.text("from_name", "sender_name")
    more = fields.inside("headers")
    answered = fields.text("in_reply_to", "reply_to_message", "in_reply_to_id")
    return [
        ("From", formataddr((name, sender)) if name and sender and "<" not in sender else sender or name),
        ("To", ", ".join(fields.texts("to", "recipient", "recipients"))),
        ("Subject", fields.text("subject")),
        ("Date", _date(fields)),
        ("Message-ID", _id(fields.text("message_id", "rfc_message_id", "rfc822_message_id"))),
        ("In-Reply-To", _id(answered)),
        ("References", " ".join(_id(each) or "" for each in _references(fields))),
        *([(key, more.text(key.lower().replace("-", "_"))) for key in _MORE] if more else []),
    ]


_MORE = ("Reply-To", "Cc", "List-Unsubscribe", "List-Id", "Auto-Submitted", "Precedence", "X-GM-THRID")


def _references(fields: Fields) -> list[str]:
    return [each for text in fields.texts("references") for each in text.split()]


def _date(fields: Fields) -> str | None:
    at = fields.time("sent_at", "date", "sent", "received_at", "timestamp", "time")
    if at is None:
        return None
    return format_datetime(at if isinstance(at, datetime) else datetime.combine(at, time(12), UTC))


def _id(text: str | None) -> str | None:
    return None if not text else text if text.startswith("<") else f"<{text}>"


def _short(thread: str) -> str:
    """A name of any length, told apart as well in the space a mailbox has for it."""
    fits = len(thread) <= _THREAD_CHARS and thread.isascii() and thread.isprintable()
    return thread if fits else hashlib.sha256(thread.encode()).hexdigest()[:_THREAD_CHARS]


def day_of(at: datetime | date | None) -> date | None:
    return at if at is not None and not isinstance(at, datetime) else None


def instant_of(at: datetime | date | None) -> datetime | None:
    return at if isinstance(at, datetime) else None
