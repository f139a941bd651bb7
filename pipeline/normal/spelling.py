"""Names of places in the form they are compared in. Pure."""

import unicodedata
from itertools import filterfalse

_LETTERS = str.maketrans({
    "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "\u0131": "i", "ð": "d", "þ": "th",
    "\u2019": "'", "臺": "台",
})  # fmt: skip
_APART = str.maketrans({"-": " ", "\u2010": " ", "\u2011": " ", "/": " ", ".": None, "'": None, "`": None})


def folded(text: str) -> str:
    """`text` as names are compared: without case, accents, dots, hyphens and spaces too many."""
    plain = text.casefold()
    if not plain.isascii():
        apart = unicodedata.normalize("NFKD", plain.translate(_LETTERS))
        plain = "".join(filterfalse(unicodedata.combining, apart))
    return " ".join(plain.translate(_APART).split())
