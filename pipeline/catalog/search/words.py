"""What a person typed as a text-search query, read the way `search_words` of the schema reads what is stored.

Pure. Understands what web searches do: words that must all be there, "a phrase" as it is written, `or`,
`-not`, and `begin*`. A word is looked for in its other forms too, and at the end of long words.
"""

import re
import unicodedata
from collections.abc import Iterator

from pipeline.catalog.search.forms import forms
from schema.text import clean

MOST_CHARS = 200
_MOST_WIDENED = 6
"""Words looked for in other forms; more than these are looked for as they are typed."""
_MOST_ENDS = 6
_SHORTEST_END = 6
_SHORTEST_BEGINNING = 2
_MARKS = re.compile("[\u0300-\u036f\u00ad\u200b-\u200d]")
_LETTERS = {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"} | dict(
    zip("øØłŁđĐı", "oOlLdDi", strict=True)
)
_SPELLED = str.maketrans(_LETTERS)
_NAMED = (
    (re.compile(r"\bc\+\+", re.ASCII), " cplusplus "),
    (re.compile(r"\b([cf])#", re.ASCII), r" \1sharp "),
    (re.compile(r"\.net\b", re.ASCII), " dotnet "),
    (re.compile(r"\b(node|react|vue|next|nuxt|angular|three|express|d3)\.?js\b", re.ASCII), r"\1 js"),
)
_BETWEEN = re.compile(
    "[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\ufe00-\ufe6f"
    "\U0001f000-\U0001faff]+"
)
_PIECE = re.compile(r'-?"[^"]*"?|\S+')
#: "Entwickler:in", "Développeur(se)", "Ingeniero/a": either.
_GENDERED = re.compile(
    r"(?<=\w{4})[:*/_(·.-]{1,2}(?:in|innen|r|e|ne|se|euse|rice|trice|ere|ère|a|as|o|os|n)\)?$", re.IGNORECASE
)
_ELIDED = re.compile("['\u2019\u02bc]")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"}
_WRITTEN_OUT = re.compile(r"(?<![aeq])([aou])e")


def searched(words: str) -> str:
    """Words with one space between them, as they are compared: small, without marks and punctuation."""
    folded = _MARKS.sub("", unicodedata.normalize("NFKD", words)).translate(_SPELLED)
    small = "".join(letter.lower() if letter.isascii() else letter for letter in folded)
    for pattern, named in _NAMED:
        small = pattern.sub(named, small)
    return _BETWEEN.sub(" ", small)


def words_query(text: str) -> str:
    """As `tsquery` text; empty when nothing in it can be a word."""
    groups: list[list[str]] = [[]]
    widened = 0
    for piece in _PIECE.findall(clean(text).strip()[:MOST_CHARS]):
        if piece.casefold() == "or":
            groups.append([])
            continue
        is_wide = widened < _MOST_WIDENED
        widened += 1
        if asked := _asked(piece, is_wide=is_wide):
            groups[-1].append(asked)
    return " | ".join(f"({' & '.join(group)})" for group in groups if group)


def place_query(text: str) -> str:
    """All of the words, as they are: names have no other forms."""
    return " & ".join(quoted(word) for word in searched(clean(text)[:MOST_CHARS]).split())


def quoted(text: str) -> str:
    escaped = clean(text).replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _asked(piece: str, *, is_wide: bool) -> str:
    if piece.startswith("-") and len(piece) > 1:
        inner = _asked(piece[1:], is_wide=is_wide)
        return f"!{inner}" if inner else ""
    if piece.startswith('"'):
        return _all(map(quoted, searched(piece).split()), " <-> ")
    if piece.endswith("*"):
        return _beginning(piece)
    whole = _GENDERED.sub("", piece)
    parts = _parts(whole)
    each = (_any(_widened(part, whole)) if is_wide else quoted(part) for part in parts)
    if len(parts) > 1 and "-" in whole:
        return f"({_all(each)} | {quoted(''.join(parts))})"
    return _all(each)


def _beginning(piece: str) -> str:
    parts = _parts(piece)
    if not parts:
        return ""
    last = quoted(parts[-1]) + (":*" if len(parts[-1]) >= _SHORTEST_BEGINNING else "")
    return _all([*map(quoted, parts[:-1]), last])


def _parts(piece: str) -> list[str]:
    """Of "l'équipe" the article says nothing."""
    parts = searched(piece).split()
    if len(parts) > 1 and _ELIDED.search(piece):
        return [part for part in parts if len(part) > 1] or parts
    return parts


def _widened(word: str, typed: str) -> Iterator[str]:
    wide = forms(word)
    yield from map(quoted, wide)
    yield from map(quoted, _spellings(word, typed))
    ends = [form for form in wide if len(form) >= _SHORTEST_END][:_MOST_ENDS]
    yield from (f"{quoted('=<' + form[::-1])}:*" for form in ends)


def _spellings(word: str, typed: str) -> Iterator[str]:
    """ "München", "Muenchen" and "Munchen"; letters that a server may not know how to make small."""
    composed = unicodedata.normalize("NFC", typed)
    if any(letter in _UMLAUTS for letter in composed):
        yield from searched("".join(_UMLAUTS.get(letter, letter) for letter in composed)).split()
    elif word.isascii() and (short := _WRITTEN_OUT.sub(r"\1", word)) != word:
        yield short
    if not word.isascii():
        yield from {word.lower(), word.upper(), word.capitalize()} - {word}


def _any(alternatives: Iterator[str]) -> str:
    return f"({' | '.join(dict.fromkeys(alternatives))})"


def _all(parts: Iterator[str] | list[str], join: str = " & ") -> str:
    """In brackets where there are several; empty where there is none."""
    found = list(parts)
    return f"({join.join(found)})" if len(found) > 1 else "".join(found)
