"""What of a message is kept for its own sake. Pure, and decided by the message alone.

Bodies of messages that are not about jobs are not kept. A message that the rules left open stays whole when
it speaks of hiring, its quoted history included: an answer of one line is told by what it answers. So does
one that names a job, or comes from where a hiring team writes: not everybody who hires says so.
What is kept for the conversation it stands in is decided in `conversations/`.
"""

import re
from typing import Literal

import msgspec

from mailsync.classify.languages.language import Signs
from mailsync.classify.languages.load import languages
from mailsync.classify.model.process import of_an_application
from mailsync.classify.noise import is_bulk, is_personal
from mailsync.classify.senders import known_sender
from mailsync.classify.types import Reading
from mailsync.parse.types import Address, ParsedMessage
from schema.vocabulary import FactName

VERSION = 9
NO_WORDS = "no_hiring_words"
"""Why mail is not kept that says nothing of jobs."""
_MOST_CHARACTERS = 20_000
_LEAST_WORDS = 2
_LIKELY = 0.75
_SURELY = 0.9
_NAME_A_JOB: frozenset[FactName] = frozenset({"role", "requisition", "posting_url", "board"})
_OF_A_DESK = re.compile(
    r"(?:^|[._+-])(?:careers?|jobs?|talent[os]?|recruit\w{0,12}|hiring|hr|people|bewerb\w{0,12}|karriere"
    r"|personal(?:abteilung)?|empleo|seleccion|reclut\w{0,12}|rrhh|rh|recrut\w{0,12}|candidatures?|emploi)"
    r"(?![a-z])"
)
_CALLED_A_DESK = re.compile(
    r"\b(?:careers?|recruit(?:ing|ment|ers?)|talent(?:o|s)?|hiring|hr|human resources|bewerb\w{0,20}|karriere"
    r"|personalabteilung|personalmanagement|rrhh|recursos humanos|selecci[o\u00f3]n|reclutamiento|empleo"
    r"|rh|ressources humaines|recrutement|emploi)\b"
)
_SPACE = re.compile(r"\s+")

Kept = Literal["whole", "headers", "identity"]


class Screened(msgspec.Struct, frozen=True, kw_only=True):
    kept: Kept
    reason: str | None = None


WHOLE = Screened(kept="whole")


def screen(message: ParsedMessage, reading: Reading) -> Screened:
    """`headers` for mail about jobs in general (alerts, accounts), `identity` for all other mail."""
    if reading.events and reading.events[0].kind == "not_job_related":
        return Screened(kept="headers", reason=reading.events[0].reason or "not_job_related")
    if reading.events or names_a_job(reading) or _speaks_of_hiring(message):
        return WHOLE
    return Screened(kept="identity", reason=NO_WORDS)


def names_a_job(reading: Reading) -> bool:
    """By a title, a number or an address of an opening."""
    return any(fact.name in _NAME_A_JOB for fact in reading.facts)


def is_from_a_platform(message: ParsedMessage) -> bool:
    """One that hires or tests for employers, and writes about nothing else."""
    sender = known_sender(message.sender)
    return sender is not None and sender.kind in ("ats", "vendor")


def _is_of_a_board(message: ParsedMessage) -> bool:
    """It writes of jobs alone: to one reader about an application, or to many, which is told apart before."""
    sender = known_sender(message.sender)
    return sender is not None and sender.kind == "board"


def is_a_desk(sender: Address) -> bool:
    """Whether a hiring team writes there, not one person."""
    return _OF_A_DESK.search(sender.local_part.lower()) is not None


def _speaks_of_hiring(message: ParsedMessage) -> bool:
    if is_from_a_platform(message):
        return True
    parts = (message.subject, message.body[:_MOST_CHARACTERS], message.quoted[:_MOST_CHARACTERS])
    text = _SPACE.sub(" ", " ".join(parts)).lower()
    signs = [language.signs for language in languages()]
    if any(each.applied.search(text) for each in signs):
        return True
    if not is_personal(message) and message.bulk.list_unsubscribe:
        return False
    if is_a_desk(message.sender):
        return True
    return _CALLED_A_DESK.search(message.sender.name.lower()) is not None or _has_words(message, text, signs)


def _has_words(message: ParsedMessage, text: str, signs: list[Signs]) -> bool:
    """Two weak ones, a strong one, or few where the model knows the letter as a whole."""
    weak = {word for each in signs for word in each.weak.findall(text)}
    if len(weak) >= _LEAST_WORDS or any(each.strong.search(text) for each in signs):
        return True
    if is_bulk(message):
        return False
    hints = {word for each in signs for word in each.hints.findall(text)}
    if len(hints) >= _LEAST_WORDS or any(each.plain.search(text) for each in signs):
        # As one person writes to another about a job: "the offer went to the other finalist".
        return True
    if not (weak or hints or _is_of_a_board(message)):
        return False
    return of_an_application(message) >= (_SURELY if hints and not weak else _LIKELY)
