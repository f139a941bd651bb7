"""Characters nobody sees, and several ways to write one letter, made one. Pure; linear in the text.

What is left reads as it looks: no direction marks, no zero width, one kind of blank, accents composed (NFC).
A pile of combining marks is cut at 30 first, as composing orders them pairwise.
"""

import re
import unicodedata
from functools import lru_cache

_MOST_MARKS = 30
_LAST_SCRIPT = 0x1F000
# Controls but line ends and tabs; soft hyphen; fillers; direction, joiners; variation selectors; tags.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U000e0000-\U000e0fff]"
)
_BLANK = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def as_seen(text: str) -> str:
    """The text as a reader sees it, each letter in its composed form."""
    if text.isascii():
        return _UNSEEN.sub("", text)
    text = _BLANK.sub(" ", _UNSEEN.sub("", text))
    return unicodedata.normalize("NFC", _piled_marks().sub(r"\1", text))


@lru_cache(maxsize=1)
def _piled_marks() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(0x300, _LAST_SCRIPT) if unicodedata.combining(chr(code)))
    return re.compile(f"([{re.escape(marks)}]{{{_MOST_MARKS}}})[{re.escape(marks)}]+")
