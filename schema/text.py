"""Text as PostgreSQL and JSON can hold it. Everything that comes from outside passes here once."""

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    """`text` without NUL and lone surrogates, which no text column can hold."""
    # Nearly every text is fine, and finding that out by the expression takes twenty times as long.
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return _UNSTORABLE.sub("", text)
    return text.replace("\x00", "")


def shorten(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, the cut shown by an ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def grouped(number: int) -> str:
    """`1 500` with a narrow space that never breaks: the one way people read a number from us."""
    return f"{number:,}".replace(",", "\u202f")
