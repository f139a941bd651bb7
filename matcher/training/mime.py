"""From a composed letter to the bytes a server would deliver: text, HTML or both, in the usual encodings."""

import base64
import html
import quopri
import random
import textwrap
from datetime import datetime
from email.utils import format_datetime
from typing import Literal

import msgspec

Body = Literal["text", "html", "both"]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A letter before it becomes bytes. `quoted` is the history below, `links` addresses behind words."""

    subject: str
    paragraphs: tuple[str, ...]
    sign: tuple[str, ...] = ()
    footer: str = ""
    quoted: str = ""
    links: tuple[tuple[str, str], ...] = ()
    body: Body = "text"


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a letter that is not said in it."""

    from_name: str
    from_address: str
    to_name: str
    to_address: str
    sent_at: datetime
    message_id: str
    reply_to: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    thread: str = ""
    labels: tuple[str, ...] = ()
    bulk: bool = False
    calendar: str = ""
    method: str = ""
    attached: bytes = b""


def delivered(draft: Draft, envelope: Envelope, chance: random.Random) -> bytes:
    head = _head(draft.subject, envelope)
    parts = _letter_parts(draft, chance)
    if envelope.calendar:
        kind = f'text/calendar; charset="utf-8"; method={envelope.method}'
        parts.append(_part(kind, envelope.calendar, "base64"))
    if envelope.attached:
        parts.append(
            b"Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n" + envelope.attached
        )
    if len(parts) == 1:
        return head + b"MIME-Version: 1.0\r\n" + parts[0]
    kind = "mixed" if envelope.attached else "alternative"
    return head + b"MIME-Version: 1.0\r\n" + _together(parts, kind, chance)


def address(name: str, mailbox: str) -> str:
    if not name:
        return mailbox
    written = f'"{name}"' if name.isascii() else encoded(name)
    return f"{written} <{mailbox}>"


def encoded(text: str) -> str:
    """Plain where it is, else as encoded words of at most a dozen characters, none of them cut."""
    if text.isascii():
        return text
    words = (base64.b64encode(text[at : at + 12].encode()).decode() for at in range(0, len(text), 12))
    return "\r\n ".join(f"=?utf-8?B?{word}?=" for word in words)


def _head(subject: str, envelope: Envelope) -> bytes:
    fields = [
        ("X-GM-THRID", envelope.thread),
        ("X-Gmail-Labels", ",".join(envelope.labels)),
        ("From", address(envelope.from_name, envelope.from_address)),
        ("To", address(envelope.to_name, envelope.to_address)),
        ("Reply-To", envelope.reply_to),
        ("Subject", encoded(subject)),
        ("Date", format_datetime(envelope.sent_at)),
        ("Message-ID", f"<{envelope.message_id}>"),
        ("In-Reply-To", f"<{envelope.in_reply_to}>" if envelope.in_reply_to else ""),
        ("References", " ".join(f"<{each}>" for each in envelope.references)),
        (
            "List-Unsubscribe",
            f"<https://mailer.example/u/{envelope.message_id[:10]}>" if envelope.bulk else "",
        ),
    ]
    return "".join(f"{name}: {value}\r\n" for name, value in fields if value).encode()


def _letter_parts(draft: Draft, chance: random.Random) -> list[bytes]:
    coding = chance.choice(("8bit", "8bit", "quoted-printable", "base64"))
    parts: list[bytes] = []
    if draft.body != "html":
        parts.append(_text_part(_as_text(draft, chance), coding, chance))
    if draft.body != "text":
        parts.append(_part('text/html; charset="utf-8"', _as_html(draft, chance), coding))
    return parts


def _text_part(text: str, coding: str, chance: random.Random) -> bytes:
    """Some old systems still write Latin 1 where it suffices."""
    is_old = chance.random() < 0.12 and all(letter < "\u0100" for letter in text)
    charset = "iso-8859-1" if is_old else chance.choice(('"utf-8"', "UTF-8"))
    return _part(f"text/plain; charset={charset}", text, coding, "iso-8859-1" if is_old else "utf-8")


def _part(kind: str, text: str, coding: str, charset: str = "utf-8") -> bytes:
    raw = text.replace("\n", "\r\n").encode(charset)
    if coding == "base64":
        raw = base64.encodebytes(raw).replace(b"\n", b"\r\n")
    elif coding == "quoted-printable":
        raw = quopri.encodestring(raw.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n".encode() + raw + b"\r\n"


def _together(parts: list[bytes], kind: str, chance: random.Random) -> bytes:
    mark = f"=_{chance.getrandbits(64):016x}"
    head = f'Content-Type: multipart/{kind}; boundary="{mark}"\r\n\r\n'.encode()
    return head + b"".join(f"--{mark}\r\n".encode() + part for part in parts) + f"--{mark}--\r\n".encode()


def _as_text(draft: Draft, chance: random.Random) -> str:
    blocks = [*draft.paragraphs, *(f"{label}: {url}" for label, url in draft.links)]
    if draft.sign:
        blocks.append("\n".join(draft.sign))
    if draft.footer:
        blocks.append(chance.choice(("", "--\n", "____\n")) + draft.footer)
    text = "\n\n".join(blocks)
    if chance.random() < 0.3:
        width = chance.choice((64, 72, 78))
        text = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    return f"{text}\n\n{draft.quoted}\n" if draft.quoted else f"{text}\n"


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def _as_html(draft: Draft, chance: random.Random) -> str:
    blocks = [html.escape(each, quote=False).replace("\n", "<br>") for each in draft.paragraphs]
    blocks += [f'<a href="{html.escape(url)}">{html.escape(label)}</a>' for label, url in draft.links]
    if draft.sign:
        blocks.append("<br>".join(html.escape(line, quote=False) for line in draft.sign))
    page = _laid_out(blocks, chance)
    if draft.footer:
        page += f'<div style="color:#888;font-size:11px">{html.escape(draft.footer, quote=False)}</div>'
    if draft.quoted:
        page += f'<div class="gmail_quote">{_quoted_html(draft.quoted)}</div>'
    if chance.random() < 0.4:
        page += '<img src="https://mailer.example/open.gif" width="1" height="1" alt="">'
    return f"<html><head><style>body{{font-family:Arial}}</style></head><body>{page}</body></html>"


def _laid_out(blocks: list[str], chance: random.Random) -> str:
    drawn = chance.random()
    if drawn < 0.4:
        return "".join(f"<p>{each}</p>\n" for each in blocks)
    if drawn < 0.7:
        rows = "".join(f'<tr><td style="padding:8px 24px">{each}</td></tr>\n' for each in blocks)
        return f'<table width="600" cellpadding="0" role="presentation">{rows}</table>'
    return "<div>" + "<br><br>\n".join(blocks) + "</div>"


def _quoted_html(quoted: str) -> str:
    head, _, rest = quoted.partition("\n")
    lines = "<br>".join(html.escape(line.removeprefix("> "), quote=False) for line in rest.split("\n"))
    return f"{html.escape(head, quote=False)}<br><blockquote>{lines}</blockquote>"
