"""Text that is plainly still base64 or quoted-printable although no header says so. Pure.

Exports and forwarders leave it so. Decoded is only what cannot be anything else: lines of base64 that hold
readable text, or marks of quoted-printable that nobody types. Everything around stays as it is.
"""

import binascii
import re

from mailsync.parse.charsets import decode

_LETTER = rb"[A-Za-z0-9+/]"
# Long lines of base64 and a shorter last one; exports also put blanks where the line ends were.
_BASE64 = re.compile(
    rb"(?<![^\s>])(?P<lines>(?:" + _LETTER + rb"{56,}[ \t\r\n]+){0,20000}" + _LETTER + rb"{56,}={0,2})"
    rb"(?P<last>[ \t\r\n]+" + _LETTER + rb"{1,76}={0,2})?(?![^\s<])"
)
_WHOLLY_BASE64 = re.compile(rb"\s*" + _LETTER + rb"{24,}={0,2}\s*")
_BREAK = re.compile(rb"[ \t\r\n]+")
_READABLE_SHARE = 0.97
_LEAST_BLANKS = 0.04

_SEQUENCE = rb"=E[0-9A-F]=[89AB][0-9A-F]=[89AB][0-9A-F]|=[CD][0-9A-F]=[89AB][0-9A-F]"
_MARK = re.compile(_SEQUENCE + rb"|=3D[\"'\w/]|=20\r?\n|(?<![=\s])=\r?\n")
_LEAST_MARKS = 2
_BROKEN_BY_A_BLANK = re.compile(rb"(?<=[^\s=])= (?=\S)")


def undone(payload: bytes) -> bytes:
    """The payload with undeclared transfer encodings undone; the very same when there are none."""
    if _WHOLLY_BASE64.fullmatch(payload):
        return _read_base64(payload) or payload
    payload = _BASE64.sub(_in_place, payload)
    marks = list(_MARK.finditer(payload))
    if len(marks) + sum(len(mark[0]) > len(b"=C3=A9") for mark in marks) < _LEAST_MARKS:
        return payload
    return binascii.a2b_qp(_BROKEN_BY_A_BLANK.sub(b"", payload))


def _in_place(found: re.Match[bytes]) -> bytes:
    last = found["last"] or b""
    if text := _read_base64(found[0]):
        return text
    text = _read_base64(found["lines"]) if last else None
    return found[0] if text is None else text + last


def _read_base64(encoded: bytes) -> bytes | None:
    """What it holds, when that is text; letters behind the last whole group are lost anyway."""
    letters = _BREAK.sub(b"", encoded).rstrip(b"=")
    whole = letters[: len(letters) // 4 * 4] if len(letters) % 4 == 1 else letters
    try:
        content = binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
    except binascii.Error:
        return None
    return content if _is_text(content) else None


def _is_text(content: bytes) -> bool:
    text, _ = decode(content, "utf-8")
    readable = sum(letter.isprintable() or letter in "\r\n\t\u200f\u200e" for letter in text)
    blanks = text.count(" ") + text.count("\n")
    return readable >= _READABLE_SHARE * len(text) and blanks >= _LEAST_BLANKS * len(text) > 0
