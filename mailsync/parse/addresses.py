"""Address fields: names and addresses out of anything, in one pass. Cap: 100 addresses a field.

`email.utils.getaddresses` answers a whole field with nothing when one entry is odd and recurses on
comments; here each entry stands alone, and words are decoded after splitting so a comma inside a decoded
name separates nothing.
"""

import re
from collections.abc import Iterator

import msgspec

from mailsync.parse.charsets import decode
from mailsync.parse.headers import decode_words, one_line
from mailsync.parse.types import Address

MOST_ADDRESSES = 100
LONGEST_ADDRESS = 320
LONGEST_NAME = 300
NOBODY = Address(address="")

_TOKEN = re.compile(
    r'(?P<quoted>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<comment>\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)?)"
    r"|(?P<angle><[^<>]*>?)"
    r"|(?P<separator>[,;])"
    r"|(?P<group>:)"
    r'|(?P<words>(?:[^"(<,;:\\]|\\.)+)'
)
_BARE = re.compile(r"[^\s<>()\[\],;:\"']{1,200}@[^\s<>()\[\],;:\"']{1,120}")
_ESCAPED = re.compile(r"\\(.)")
_QUOTES = "\"' \t"
_UNOPENED = f"{_QUOTES})"


class _Entry(msgspec.Struct):
    """One entry being read: words outside brackets, what stood in the bracket, a comment."""

    words: str = ""
    angle: str = ""
    comment: str = ""

    def add(self, kind: str, token: str) -> None:
        match kind:
            case "quoted":
                self.words += _ESCAPED.sub(r"\1", token.strip('"'))
            case "comment":
                self.comment = self.comment or token.strip("()")
            case "angle":
                self.angle = self.angle or token.strip("<>").strip()
            case _:
                self.words += _ESCAPED.sub(r"\1", token)

    def address(self) -> Address | None:
        bare = _BARE.search(self.angle) or (None if self.angle else _BARE.search(self.words))
        address = bare[0] if bare else self.angle
        outside = self.words.replace(address, " ", 1) if bare and not self.angle else self.words
        name = _tidy(outside) or _tidy(self.comment)
        if not address and not name:
            return None
        return Address(address=one_line(address).lower()[:LONGEST_ADDRESS], name=name)


def parse_addresses(value: bytes) -> tuple[Address, ...]:
    """Every address of a field. Groups are flattened, their names dropped."""
    text = " ".join(decode(value)[0].split())
    found = (entry.address() for entry in _entries(text))
    return tuple(address for address in found if address is not None)[:MOST_ADDRESSES]


def parse_address(value: bytes) -> Address:
    """The first address of a field, or one with nothing in it."""
    return next(iter(parse_addresses(value)), NOBODY)


def _entries(text: str) -> Iterator[_Entry]:
    entry = _Entry()
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup or "words"
        if kind == "separator":
            yield entry
            entry = _Entry()
        elif kind == "group":
            entry = _Entry()
        else:
            entry.add(kind, token[0])
    yield entry


def _tidy(text: str) -> str:
    words = one_line(decode_words(text)).strip(_QUOTES)
    if words.count(")") > words.count("("):
        words = words.rstrip(_UNOPENED)
    return " ".join(words.split())[:LONGEST_NAME]
