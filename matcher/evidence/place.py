"""Evidence about where: the place told apart two openings of one title at one employer. Pure.

Only where the title leaves several applications open, and only for one whose posting says where it is; a
place that every opening shares tells nothing.
"""

from collections.abc import Sequence
from functools import cache
from typing import Literal

from matcher.decisions.types import Piece, Span
from matcher.evidence.around_names import words_around
from matcher.evidence.keys import role_key
from matcher.evidence.types import Candidate, Letter
from matcher.evidence.weights import Strength
from matcher.evidence.words import words_of
from schema.identity.tokens import folded, words
from schema.vocabulary import SpanSource

MOST_TEXT_CHARS = 4_000


@cache
def _no_places() -> frozenset[str]:
    return words_around(lambda around: around.no_place)


def place_piece(
    letter: Letter, candidate: Candidate, siblings: Sequence[Candidate], strength: Strength
) -> Piece | None:
    """`siblings` are the other candidates at the same employer."""
    twins = [other for other in siblings if other.places and _same_title(other, candidate)]
    own = _cities(candidate)
    theirs = frozenset[str]().union(*(_cities(other) for other in twins))
    if not own or not twins:
        return None
    here, there = _seen(letter, own - theirs), _seen(letter, theirs - own)
    if here is not None and there is None:
        says = (
            f"It speaks of {here[0]}, the place you applied to; other openings of this title are elsewhere."
        )
        return _piece("for", strength.place_same, says, here)
    if there is not None and here is None:
        says = f"It speaks of {there[0]}; you applied to {', '.join(candidate.places)}."
        return _piece("against", strength.place_other, says, there)
    return None


def _same_title(one: Candidate, other: Candidate) -> bool:
    return bool(one.role and other.role) and role_key(one.role or "") == role_key(other.role or "")


def _cities(candidate: Candidate) -> frozenset[str]:
    """ "Leeds, England (Hybrid)" is known by its first part."""
    firsts = (place.partition(",")[0].partition("(")[0] for place in candidate.places)
    found = (" ".join(words(folded(first))) for first in firsts)
    return frozenset(city for city in found if city and city not in _no_places())


def _seen(letter: Letter, cities: frozenset[str]) -> tuple[str, Span] | None:
    """The first of the cities that is named, or stands whole in the subject or the text."""
    for fact in letter.all_named("place"):
        if fact.sure and " ".join(words(folded(fact.value.partition(",")[0]))) in cities:
            return fact.value, fact.span
    wanted = [tuple(city.split()) for city in sorted(cities)]
    texts: tuple[tuple[SpanSource, str], ...] = (
        ("subject", letter.subject),
        ("text", letter.body[:MOST_TEXT_CHARS]),
    )
    for source, text in texts:
        read = words_of(text)
        plain = [folded(text[word.start : word.end]) for word in read]
        for city in wanted:
            for place in range(len(read) - len(city) + 1):
                if tuple(plain[place : place + len(city)]) == city and read[place].starts_name:
                    start, end = read[place].start, read[place + len(city) - 1].end
                    return text[start:end], Span(source=source, start=start, end=end)
    return None


def _piece(direction: Literal["for", "against"], strength: float, says: str, seen: tuple[str, Span]) -> Piece:
    return Piece(name="role", direction=direction, strength=strength, says=says, value=seen[0], span=seen[1])
