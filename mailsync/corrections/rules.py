"""Which messages are like one another: one sender, one rule, and one shape of what they say. Pure.

Letters that no stage could tell have no sentence that counts; there the subject and the first whole sentence
must both be alike, so that a receipt and a refusal under one subject stay two.
"""

import hashlib
from collections.abc import Sequence

from mailsync.classify.sentences import sentences
from mailsync.classify.shapes import shape_of
from mailsync.corrections.types import Candidate, Like, Pattern
from schema.ids import MessageId

_LEAST_WORDS = 6
_MARK_CHARACTERS = 24


def pattern_of(message: Candidate) -> Pattern | None:
    """None for a message that has no sender or no words: nothing is like it."""
    domain = message.sender_address.rpartition("@")[2]
    if message.sentence is not None:
        shape = shape_of(message.sentence, message.names)
    else:
        parts = (message.subject, _first_sentence(message.beginning))
        shape = " / ".join(found for part in parts if (found := shape_of(part, message.names)))
    return Pattern(domain=domain, rule=message.rule, shape=shape) if domain and shape else None


def _first_sentence(text: str) -> str:
    """The first that is no greeting."""
    found = sentences(text, "text")
    return next((each.text for each in found if len(each.text.split()) >= _LEAST_WORDS), "")


def like(message: Candidate, of_domain: Sequence[Candidate], *, most: int) -> Like | None:
    """Of the domain's messages those like this one. What a person said of another stands."""
    pattern = pattern_of(message)
    if pattern is None:
        return None
    others = [
        each for each in of_domain if each.message_id != message.message_id and pattern_of(each) == pattern
    ]
    free = [message, *(each for each in others if not each.by_person)]
    return Like(
        pattern=pattern,
        messages=free,
        mark=mark_of([each.message_id for each in free]),
        said_already=len(others) + 1 - len(free),
        is_cut=len(of_domain) >= most,
    )


def mark_of(message_ids: Sequence[MessageId]) -> str:
    told = ",".join(str(each) for each in sorted(message_ids))
    return hashlib.sha256(told.encode()).hexdigest()[:_MARK_CHARACTERS]
