"""Messages written to take long: each shape was, or could have been, more than linear somewhere.

`python -m benchmarks.mail` prints the slowest; tests hold all of them to a generous multiple of the bar.
"""

import base64
import time
from collections.abc import Callable, Iterator

from benchmarks.table import Measure
from mailsync.classify.stages import read
from mailsync.parse.calendars import first_calendar
from mailsync.parse.message import parse_message

BAR_MS = 250.0

_TEXT = b"Content-Type: text/plain; charset=utf-8\n\n"
_FLOWED = b"Content-Type: text/plain; format=flowed; delsp=yes\n\n"
_MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"
_BASE64 = b"Content-Transfer-Encoding: base64\n\n"
_PRINTABLE = b"Content-Transfer-Encoding: quoted-printable\n\n"
_EVENT = b"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\n"


def _html(source: str) -> bytes:
    return b"Content-Type: text/html; charset=utf-8\n\n" + source.encode()


def _field(name: bytes, value: bytes) -> bytes:
    return name + b": " + value + b"\n\nx"


def _parts(part: bytes, count: int) -> bytes:
    return _MIXED + (b"--b\n" + part + b"\n") * count


def _nested(count: int) -> bytes:
    each = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(count))
    return b"".join(each)


def _numbered(shape: str, count: int) -> str:
    return "".join(shape.format(n) for n in range(count))


HTML: dict[str, Callable[[], bytes]] = {
    "nested divs": lambda: _html("<div>" * 20_000 + "x" + "</div>" * 20_000),
    "nested bold": lambda: _html("<b>" * 60_000 + "x"),
    "bold and paragraphs": lambda: _html("<b><p>" * 30_000),
    "fonts reopened in each paragraph": lambda: _html("<font>" * 290 + "<p>" * 50_000),
    "nested tables": lambda: _html("<table><tr><td>" * 20_000),
    "text between rows": lambda: _html("<table>" + "<b>x" * 40_000),
    "list items": lambda: _html("<li>" * 100_000),
    "line breaks": lambda: _html("<br>" * 120_000),
    "attributes of one tag": lambda: _html("<p " + _numbered("a{}=1 ", 60_000) + ">x</p>"),
    "entities": lambda: _html("&amp;" * 100_000 + "&#x41;" * 10_000),
    "styles, nested too deep": lambda: _html("<div>" * 400 + "<style></style>" * 30_000),
    "comments that never end": lambda: _html("<!--" * 120_000),
    "quotes that hold forwards": lambda: _html(
        ("<div class=gmail_quote>Forwarded" + "x" * 50) * 290 + "y" * 200_000
    ),
    "links": lambda: _html(_numbered("<a href='http://x.y/{0}'>z{0}</a>", 15_000)),
    "links whose text is broken": lambda: _html(
        _numbered("<a href='http://x.y'><i>z</i> <br>{}</a>", 10_000)
    ),
    "links around everything": lambda: _html("<a href='http://x.y'>" * 250 + "w " * 200_000),
    "html parts": lambda: _parts(b"Content-Type: text/html\n\n" + b"<p>word</p>" * 20_000, 100),
}
TEXT: dict[str, Callable[[], bytes]] = {
    "attributions that never end": lambda: _TEXT + (b"On a " + b"a " * 400 + b"\n") * 1_200,
    "attributions without a verb": lambda: _TEXT + b"On 1\n" * 200_000,
    "fields without a sender": lambda: _TEXT + b"Subject: x\n" * 90_000,
    "quoted lines": lambda: _TEXT + b"> x\n" * 240_000,
    "quote marks": lambda: _TEXT + b">" * 900_000,
    "rules": lambda: _TEXT + b"----\n" * 200_000,
    "signature marks": lambda: _TEXT + b"-- \n" * 240_000,
    "blanks before a letter": lambda: _TEXT + (b" " * 5_000 + b"x") * 200,
    "empty lines": lambda: _TEXT + b"\n" * 1_000_000,
    "one flowed paragraph": lambda: _FLOWED + b"> a \n" * 200_000,
    "addresses of pages": lambda: _TEXT + b"http://a.b " * 90_000,
    "one address of a page": lambda: _TEXT + b"http://" + b"a)" * 450_000,
    "accents in towers": lambda: _TEXT + ("e" + "\u0316\u0301" * 200_000).encode(),
    "letters in pieces": lambda: _TEXT + "e\u0301".encode() * 200_000,
    "nothing but NUL": lambda: b"\x00" * 5_000_000,
    "old line ends": lambda: b"a\r" * 2_000_000,
}
HEADS: dict[str, Callable[[], bytes]] = {
    "fields": lambda: b"X: y\n" * 50_000 + b"\nx",
    "folds": lambda: _field(b"Subject", b"a\n" + b" a\n" * 80_000),
    "a field of ten megabytes": lambda: _field(b"Subject", b"a" * 10_000_000),
    "recipients": lambda: (b"To: " + b"a@b.c, " * 2_300 + b"\n") * 16 + b"\nx",
    "brackets": lambda: _field(b"To", b"(" * 8_000 + b"<" * 8_000),
    "open quotes": lambda: _field(b"To", b'"\\' * 8_000),
    "half addresses": lambda: _field(b"To", b"a@" * 8_000),
    "encoded words": lambda: _field(b"Subject", b"=?utf-8?q?a?= =?koi8-r?q?b?= " * 500),
    "broken encoded words": lambda: _field(b"Subject", b"=?utf-8?q?" * 1_600),
    "references": lambda: _field(b"References", b"<a@b> " * 40_000),
    "pieces of a parameter": lambda: _parts(
        b"Content-Type: a/b" + b"".join(b"; n*%d*=a" % n for n in range(250)) + b"\n\nx", 200
    ),
}
PARTS: dict[str, Callable[[], bytes]] = {
    "parts": lambda: _parts(b"\nx", 100_000),
    "large parts": lambda: _parts(b"\n" + b"word " * 50_000, 200),
    "deep parts": lambda: _nested(5_000) + b"deep",
    "deep parts, often": lambda: _parts(_nested(9), 3_000),
    "one boundary on every level": lambda: _parts(b"Content-Type: multipart/mixed; boundary=b\n", 20_000),
    "almost boundaries": lambda: _MIXED + b"--bb\n" * 300_000,
    "messages in messages": lambda: b"Content-Type: message/rfc822\n\n" * 5_000 + b"Subject: x\n\nhi",
    "base64": lambda: _BASE64 + b"QUJD" * 4_000_000,
    "base64, all padding": lambda: _BASE64 + b"QQ==\n" * 200_000,
    "base64 nobody declared": lambda: (
        _TEXT + (base64.b64encode(b"hello there my friend, " * 33) + b"\n\n ") * 1_000
    ),
    "almost base64": lambda: _TEXT + (b"Q" * 57 + b" ") * 17_000,
    "quoted-printable": lambda: _PRINTABLE + b"=41" * 300_000,
    "quoted-printable, blanks": lambda: _PRINTABLE + (b" " * 2_000 + b"\n") * 500,
    "marks of quoted-printable": lambda: _TEXT + b"=C3=A9= a" * 100_000,
    "properties of an event": lambda: _EVENT + b"DTSTART:20200101T000000Z\n" * 20_000,
    "folds of an event": lambda: _EVENT + b"SUMMARY:x\n" + b" a\n" * 80_000,
    "parameters of an event": lambda: _EVENT + b"DTSTART" + b';A="' * 16_000 + b":2020\n",
    "events": lambda: _EVENT + b"BEGIN:VEVENT\nDTSTART;TZID=No/Where:20200101T000000\nEND:VEVENT\n" * 1_000,
}
SHAPES = HTML | TEXT | HEADS | PARTS


def seconds_to_parse(raw: bytes) -> float:
    """Processor time of everything `parse/` does with a message."""
    began = time.process_time()
    first_calendar(parse_message(raw).calendars)
    return time.process_time() - began


def slowest() -> Iterator[Measure]:
    """Warm, as what is loaded once is no message's fault."""
    seconds_to_parse(_EVENT)
    parsed = {name: seconds_to_parse(shape()) for name, shape in SHAPES.items()}
    yield _measure("slowest message, parse", parsed)
    yield _measure(
        "slowest message, read", {name: _seconds_to_read(shape()) for name, shape in SHAPES.items()}
    )


def _seconds_to_read(raw: bytes) -> float:
    message = parse_message(raw)
    began = time.process_time()
    read(message)
    return time.process_time() - began


def _measure(name: str, seconds: dict[str, float]) -> Measure:
    worst = max(seconds, key=seconds.__getitem__)
    return Measure(f"{name} ({worst})", 1000 * seconds[worst], "ms", BAR_MS)
