"""The shape of a sentence: what stays when all that varies from letter to letter is taken out. Pure.

Numbers, addresses and names become marks, so that the same letter to other people about other jobs has the
same shape. Capitals mark no names in a title that writes every long word with one, nor in German; there only
names that are known are masked, so that two letters rather stay apart than become one.
"""

import re
from collections.abc import Iterable

from mailsync.classify.languages.load import languages

LINK, NUMBER, NAME = "[link]", "[number]", "[name]"
MOST_CHARACTERS = 300
_LONG_WORD = 5
_LEAST_NAME = 2

_ADDRESS = re.compile(r"(?:https?://|www\.)\S{1,2000}|\S{1,64}@\S{1,200}")
_DIGITS = re.compile(r"[#(]?\d(?:[\w.,:/%-]{0,40}[\w%])?\)?")
_WORD = re.compile(r"\[\w+\]|[^\W\d_][\w'\u2019&.-]{0,60}")
_CAPITALS = re.compile(r"(?<![\w\[])[^\W\d_a-z][\w'\u2019&-]{0,60}(?:\.(?=\s\S))?")
_NAMES = re.compile(r"\[name\](?:(?:[\s,&|/+-]|\band\b|\bof\b){1,8}\[name\]){1,20}")


def shape_of(text: str, names: Iterable[str] = ()) -> str:
    """`thank you for applying to [name] ([number])`; empty for a text without words."""
    masked = _ADDRESS.sub(LINK, " ".join(text[:MOST_CHARACTERS].split()))
    for name in sorted({each for each in names if len(each) >= _LEAST_NAME}, key=len, reverse=True):
        masked = re.sub(
            rf"(?<!\w){re.escape(' '.join(name.split()))}(?!\w)", NAME, masked, flags=re.IGNORECASE
        )
    masked = _DIGITS.sub(NUMBER, masked)
    if not _is_capitalised(masked):
        masked = _without_capitals(masked)
    return _NAMES.sub(NAME, masked).lower().strip(" .!?:;,-*|>")


def _is_capitalised(text: str) -> bool:
    words = _WORD.findall(text)
    has_small = any(len(word) >= _LONG_WORD and word[0].islower() for word in words[1:])
    return not has_small or _is_german([word.lower() for word in words])


def _is_german(words: list[str]) -> bool:
    """By its small words, of which even a short sentence has some."""
    hits = {language.code: sum(word in language.stopwords for word in words) for language in languages()}
    german = hits.pop("de", 0)
    return german > max(hits.values(), default=0)


def _without_capitals(text: str) -> str:
    """The first word of a sentence is written large whatever it is."""

    def mask(found: re.Match[str]) -> str:
        before = text[: found.start()].rstrip(" \"'([*>-")
        begins = not before or before[-1] in ".!?:"
        return found[0] if begins or found[0] == "I" else NAME

    return _CAPITALS.sub(mask, text)
