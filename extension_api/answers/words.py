"""Page text in comparable form: the words of a label, of an option, of a control's name. Pure.

Comparable text is for comparing only, never for showing.
"""

import re
import unicodedata
from functools import lru_cache

MAX_WORDS = 60
"""A longer text is no plain question for a fact; nothing compares it."""
_CACHED = 4_096
"""Texts this process took apart lately: a form is read several times over, and forms ask alike."""

_APOSTROPHES = re.compile("['\u2018\u2019`\u00b4]")
_DOTTED = re.compile(r"\b(?:[a-z]\.){2,4}")
_WORD = re.compile(r"[^\W_]+")
_JOINED = tuple(
    (re.compile(rf"\b{apart}\b"), apart.replace(" ", ""))
    for apart in ("e mail", "linked in", "git hub", "post code")
)
_HINT = re.compile(
    r"[(\[]\s*(?:e\.?\s?g\b|ex\b|i\.?\s?e\b|z\.\s?b|example|for example|such as|like|format|please|max|pdf"
    r"|if (?:any|applicable)|optional|required|erforderlich|facultatif|obligatoire|opcional)"
    r"[^()\[\]]{0,300}[)\]]"
)
_ASKED = re.compile(
    r"\b(?:required|optional|pflichtfeld|erforderlich|obligatoire|facultatif|obligatorio)\s*$"
)
_NUMBERING = re.compile(r"^\s*(?:q(?:uestion)?\s*)?\d{1,2}\s*[.):]\s+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=_CACHED)
def plain(text: str) -> str:
    """Without case, accents and apostrophes; "U.S." reads "us" and "ß" reads "ss"."""
    flat = unicodedata.normalize("NFKD", text).replace("ß", "ss").casefold()
    if not flat.isascii():
        flat = "".join(char for char in flat if not unicodedata.combining(char))
    return _DOTTED.sub(lambda found: found[0].replace(".", ""), _APOSTROPHES.sub("", flat))


@lru_cache(maxsize=_CACHED)
def words(text: str) -> tuple[str, ...]:
    """The words of a text, at most sixty and one; digits count as words."""
    found = " ".join(_WORD.findall(plain(text[:4_000]))[: MAX_WORDS + 1])
    for apart, joined in _JOINED:
        found = apart.sub(joined, found)
    return tuple(found.split())


def question(text: str) -> str:
    """A label without numbering, hints in brackets and the word that says an answer is required."""
    asked = _NUMBERING.sub("", plain(text[:4_000])).replace("(s)", "s")
    return _ASKED.sub("", _HINT.sub(" ", asked).strip(" *:"))


def name_words(name: str) -> tuple[str, ...]:
    """The words of a control's name or id: `job_application[firstName]` reads job application first name."""
    return words(_CAMEL.sub(" ", name[:300]).replace("_", " "))


def same(one: str, other: str) -> bool:
    """The texts read alike, and say something."""
    mine = words(one)
    return bool(mine) and mine == words(other)


def word_set(text: str) -> frozenset[str]:
    """A set written as the words of one text, as long lists of them read best."""
    return frozenset(text.split())
