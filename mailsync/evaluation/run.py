"""Reads every message of a labelled folder through stages 1 to 3 and keeps what it was read as."""

from pathlib import Path

import msgspec

from mailsync.classify.languages.choose import languages_of
from mailsync.classify.screen import screen
from mailsync.classify.stages import read
from mailsync.classify.types import Reading
from mailsync.evaluation.labels import OF_KIND, OF_LABEL, Answer, Labelled, labelled
from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """`said` is None when the message was left open. `dropped`: the screen found nothing about jobs in it.

    `language` is the likeliest of those the rules read, which for a short message is the first they know.
    """

    line: Labelled
    truth: Answer
    said: Answer | None
    dropped: bool
    language: str
    reading: Reading

    @property
    def is_right(self) -> bool:
        """Nothing said of a message that says nothing is right as well."""
        return self.said == self.truth or (self.said is None and self.truth == "none")


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """`unread` tells one sentence of each line whose message could not be judged."""

    judged: tuple[Judged, ...]
    unread: tuple[str, ...]


def evaluated(folder: Path) -> Outcome:
    judged: list[Judged] = []
    unread: list[str] = []
    for line in labelled(folder):
        truth = OF_LABEL.get(line.label)
        path = folder / line.file
        if truth is None:
            unread.append(f"{line.file}: the label {line.label!r} is not known.")
        elif not path.is_file():
            unread.append(f"{line.file}: there is no such file.")
        else:
            judged.append(_judged(line, truth, parse_message(path.read_bytes())))
    return Outcome(judged=tuple(judged), unread=tuple(unread))


def _judged(line: Labelled, truth: Answer, message: ParsedMessage) -> Judged:
    reading = read(message)
    dropped = not reading.events and screen(message, reading).kept == "identity"
    said = "none" if dropped else OF_KIND[reading.events[0].kind] if reading.events else None
    language = languages_of(f"{message.subject}\n{message.body}")[0].code
    return Judged(line=line, truth=truth, said=said, dropped=dropped, language=language, reading=reading)
