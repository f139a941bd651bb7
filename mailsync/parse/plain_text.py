"""Plain text as sent into text as read: line ends, format=flowed (RFC 3676), invisible characters."""

import re

from mailsync.parse.characters import as_seen
from schema.text import clean

MOST_CHARACTERS = 200_000

_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_TOO_BLANK = re.compile(r"\n{4,}")


def readable(text: str) -> tuple[str, bool]:
    """Storable text with LF line ends and no invisible marks, and whether it had to be cut."""
    text = _LINE_END.sub("\n", text[: MOST_CHARACTERS * 2])
    text = as_seen(clean(text))
    # A pattern for blanks before a line's end would look at each blank of a run again.
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n"))
    text = _TOO_BLANK.sub("\n\n\n", text)
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


def unflow(text: str, *, delete_space: bool) -> str:
    """Paragraphs joined again: a line that ends in a space goes on in the next of the same quote depth."""
    paragraphs: list[list[str]] = []
    open_depth: int | None = None
    for line in _LINE_END.sub("\n", text).split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_mark = content == "-- "
        goes_on = content.endswith(" ") and not is_mark
        if open_depth != depth or is_mark:
            paragraphs.append([f"{'>' * depth} " if depth else ""])
        paragraphs[-1].append(content[:-1] if goes_on and delete_space else content)
        open_depth = depth if goes_on else None
    return "\n".join("".join(pieces) for pieces in paragraphs)
