"""Whether a message names an application: who hires, and the title that was applied for. Pure.

Wording tells much mail about an application from other mail, in the languages there are rules for. The two
names together tell it in any language: few strangers write both within a year of an application. One name
alone keeps nothing. What went to many lists openings too, so there the employer must be who writes; or
a board names it in the subject within days of the application, as one does that confirms it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise

from mailsync.classify.model.process import of_an_application
from mailsync.classify.noise import is_bulk
from mailsync.classify.own_domains import own_label
from mailsync.classify.screen import Screened
from mailsync.classify.senders import known_sender
from mailsync.classify.types import Reading
from mailsync.parse.types import ParsedMessage
from mailsync.tracked.types import Mentions, Tracked
from schema.identity.names import comparable_company, title_parts, title_words
from schema.identity.tokens import folded, words

BEFORE = timedelta(days=3)
"""Clocks differ, and an application is sometimes recorded after its confirmation came."""
AFTER = timedelta(days=400)
WRITES_WITHIN = timedelta(days=200)
"""So long an employer is heard that names no title."""
LIKELY = 0.5
_MOST_WORDS = 5
_LEAST_CHARS = 3
_MOST_LINES = 60
_MOST_CHARS = 3_000
_PIECE = re.compile(r"[^\W_][\w.'\u2019+#-]{0,60}|&")
_TAIL = re.compile(r"\s(?:[-|\u2013\u2014]|//)\s")


def mentions_of(message: ParsedMessage, reading: Reading, screened: Screened) -> Mentions | None:
    """None for mail that is kept anyway, that a rule tells to be something else, or that the person wrote."""
    is_told = bool(reading.events) and reading.stage != "local_model"
    if screened.kept == "whole" or is_told or reading.note == "own_mail":
        return None
    shown = (message.sender.name, message.subject, *message.body[:_MOST_CHARS].split("\n"))
    lines = [line for line in shown if line.strip()][:_MOST_LINES]
    companies = frozenset(_runs(message.sender.name)) | _domain(message)
    confirms = frozenset(_runs(message.subject)) if _is_from_a_board(message) else frozenset[str]()
    if not is_bulk(message):
        companies |= {key for line in lines for key in _runs(line)}
    return Mentions(
        companies=companies | confirms,
        confirmed=confirms - companies,
        writer=_writer(message),
        lines=tuple(lines),
        sent_at=message.sent_at,
    )


def _writer(message: ParsedMessage) -> frozenset[str]:
    if is_bulk(message) or of_an_application(message) < LIKELY:
        return frozenset()
    return frozenset({comparable_company(message.sender.name).replace(" ", "")} - {""}) | _domain(message)


def _is_from_a_board(message: ParsedMessage) -> bool:
    sender = known_sender(message.sender)
    return sender is not None and sender.kind == "board"


def _domain(message: ParsedMessage) -> frozenset[str]:
    label = own_label(message.sender, known_sender(message.sender))
    return frozenset({label.replace("-", "")} if label else ())


def names_one(mentions: Mentions, applications: Iterable[Tracked]) -> bool:
    """Titles are looked for only once an employer is named, which is so of little mail."""
    named = [
        each for each in applications if each.name_key in mentions.companies and _is_in_time(mentions, each)
    ]
    if any(_writes(mentions, each) for each in named):
        return True
    lines = list(_broken(mentions.lines)) if named else []
    return any(
        _stands_in(title, line) for each in named for title in _titles(each.role or "") for line in lines
    )


def _writes(mentions: Mentions, application: Tracked) -> bool:
    applied = _applied(application)
    if application.name_key not in mentions.writer or mentions.sent_at is None or applied is None:
        return False
    return mentions.sent_at <= applied + WRITES_WITHIN


def _broken(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The words of each line, and of each with the next: long titles are broken where the line ends."""
    words_of = [tuple(title_words(line)) for line in lines]
    yield from words_of
    yield from (first + second for first, second in pairwise(words_of))


def _runs(line: str) -> Iterator[str]:
    """Keys of the runs of words that begin like a name: not with a small letter."""
    pieces = [(piece, _key(piece)) for piece in _PIECE.findall(line)]
    for start, (piece, _) in enumerate(pieces):
        if piece[0].islower() or piece == "&":
            continue
        key = ""
        for _, part in pieces[start : start + _MOST_WORDS]:
            key += part
            if len(key) >= _LEAST_CHARS:
                yield key


@lru_cache(maxsize=20_000)
def _key(piece: str) -> str:
    return "".join(words(folded(piece)))


@lru_cache(maxsize=20_000)
def _titles(role: str) -> tuple[tuple[str, ...], ...]:
    """The title, and the title without what stands behind a dash, which is often the place."""
    found = (title_parts(text).role for text in dict.fromkeys((role, _TAIL.split(role, maxsplit=1)[0])))
    return tuple(title for title in found if title)


def _stands_in(title: tuple[str, ...], line: tuple[str, ...]) -> bool:
    length = len(title)
    return any(line[place : place + length] == title for place in range(len(line) - length + 1))


def _is_in_time(mentions: Mentions, application: Tracked) -> bool:
    applied = _applied(application)
    sent_at = mentions.sent_at
    if application.name_key in mentions.confirmed:
        return sent_at is not None and applied is not None and abs(sent_at - applied) <= BEFORE
    return sent_at is None or applied is None or applied - BEFORE <= sent_at <= applied + AFTER


def _applied(application: Tracked) -> datetime | None:
    if application.applied_at is not None or application.applied_on is None:
        return application.applied_at
    return datetime.combine(application.applied_on, time.min, UTC)
