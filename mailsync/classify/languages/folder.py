"""The files of one language, read, and their patterns written out. Their notation:

- A pattern is one text or a list of alternatives. A line break with its indentation is no part of it.
- `<name>` stands for a fragment: of the file itself, or of `words.toml` for all files of the folder.
- `<4>` is up to four words with a space before each, as few as possible; `<4_>` with a space behind each.
  `<1>` and `<_>` are one such word or none. A word is anything without spaces.
- `cues` are literal, with a bar between them.
"""

import re
import tomllib
from pathlib import Path

import msgspec

from mailsync.classify.languages.language import Pattern

_FOLDER = Path(__file__).parent
_INNER = re.compile(r"(?<!\?P)<(?:(?P<fragment>[a-z][a-z_]+)|(?P<most>\d{1,2})?(?P<behind>_?))>")
_DEEPEST = 8

Text = str | tuple[str, ...]


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    fragments: dict[str, Text] = {}


class _Words(Strict, frozen=True, kw_only=True):
    code: str
    stopwords: str


class Folder:
    """The files of one language, and what their patterns stand for."""

    def __init__(self, name: str) -> None:
        self._folder = _FOLDER / name
        words = self.read("words")
        self.words = msgspec.convert(words, _Words)

    def read(self, file: str) -> dict[str, object]:
        return tomllib.loads((self._folder / f"{file}.toml").read_text(encoding="utf-8"))

    def compiled(self, text: Text, own: dict[str, Text], flags: re.RegexFlag = re.NOFLAG) -> Pattern:
        return re.compile(self._written_out(_joined(text), {**self.words.fragments, **own}, 0), flags)

    def _written_out(self, text: str, fragments: dict[str, Text], depth: int) -> str:
        if depth > _DEEPEST:
            raise ValueError(f"A fragment of {self._folder.name} holds itself.")

        def meant(found: re.Match[str]) -> str:
            if name := found["fragment"]:
                return self._written_out(_joined(fragments[name]), fragments, depth + 1)
            return _words(found["most"] or "1", is_behind=bool(found["behind"]))

        return _INNER.sub(meant, text)


def _joined(text: Text) -> str:
    parts = (text,) if isinstance(text, str) else text
    return "|".join(one_line(part) for part in parts)


def one_line(text: str) -> str:
    """Indentation goes; a text of one line keeps its spaces."""
    return text if "\n" not in text else "".join(line.lstrip() for line in text.split("\n"))


def _words(most: str, *, is_behind: bool) -> str:
    one = r"(?:\S+ )" if is_behind else r"(?: \S+)"
    return f"{one}?" if most == "1" else f"{one}{{0,{most}}}?"
