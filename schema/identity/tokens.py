"""Text as comparable words: one spelling of accents, case, dots and joiners, in any script. Pure."""

import re
import unicodedata

#: Names longer than this are prose; what follows is not looked at.
MAX_NAME_CHARS = 500

_ACCENTS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "&": " and "}
)
_APOSTROPHES = re.compile("['`\u2018\u2019\u00b4\u02bc]")
#: Most names are written in plain letters, and those are spelled by tables alone.
_PLAIN_APART = str.maketrans(
    {
        letter: letter if letter.isalnum() else None if letter in "'`" else " "
        for letter in map(chr, range(128))
    }
)
_SIGNS = (
    (re.compile(r"(?<!\w)([cf])#(?!\w)"), r"\1sharp"),
    (re.compile(r"(?<!\w)c\+\+(?!\w)"), "cpp"),
    (re.compile(r"(?<!\w)\.net\b"), "dotnet"),
)


def folded(text: str) -> str:
    """Compatibility forms resolved, case folded, accents of Latin, Greek and Cyrillic letters dropped."""
    text = text[:MAX_NAME_CHARS]
    if text.isascii():
        return text.lower().replace("&", " and ")
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart).translate(_LETTERS))


def words(text: str) -> list[str]:
    """The words of already folded text; "a.b.c." and "s. a." become one word each, "o'neil" stays one."""
    if "#" in text or "++" in text or ".net" in text:
        for sign, spelled in _SIGNS:
            text = sign.sub(spelled, text)
    if text.isascii():
        return _with_singles_joined(text.translate(_PLAIN_APART).split())
    spaced = "".join(letter if _in_word(letter) else " " for letter in _APOSTROPHES.sub("", text))
    return _with_singles_joined(spaced.split())


def _in_word(letter: str) -> bool:
    # Vowel signs of Indic and other scripts are marks, not letters, and belong to their word.
    return unicodedata.category(letter)[0] in "LNM"


def _with_singles_joined(given: list[str]) -> list[str]:
    joined: list[str] = []
    run = ""
    for word in given:
        if len(word) == 1 and word.isalpha():
            run += word
            continue
        joined += [run, word] if run else [word]
        run = ""
    return [*joined, run] if run else joined
