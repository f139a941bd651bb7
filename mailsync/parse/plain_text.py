"""Plain text as sent into text as read: line ends, format=flowed (RFC 3676), invisible characters."""

import re

from mailsync.parse.characters import as_seen
from schema.text import clean

MOST_CHARACTERS = 200_000

_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_TRAILING = re.compile(r"[ \t]+(?=\n|$)")
_TOO_BLANK = re.compile(r"\n{4,}")


def readable(text: str) -> tuple[str, bool]:
    """Storable text with LF line ends and no invisible marks, and whether it had to be cut."""
    text = _LINE_END.sub("\n", text[: MOST_CHARACTERS * 2])
    text = as_seen(clean(text))
    text = _TOO_BLANK.sub("\n\n\n", _TRAILING.sub("", text))
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


def unflow(text: str, *, delete_space: bool) -> str:
    """Paragraphs joined again: a line that ends in a space goes on in the next of the same quote depth."""
    out: list[str] = []
    open_depth: int | None = None
    for line in _LINE_END.sub("\n", text).split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_mark = content == "-- "
        if open_depth == depth and not is_mark:
            out[-1] += content
        else:
            out.append(f"{'>' * depth} {content}" if depth else content)
        open_depth = depth if content.endswith(" ") and not is_mark else None
        if open_depth is not None and delete_space:
            out[-1] = out[-1][:-1]
    return "\n".join(out)
