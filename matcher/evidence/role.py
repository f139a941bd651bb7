"""Evidence about what for: the title the message names against the title applied to. Pure.

Between two applications at one employer the one whose own words occur is meant, so a title that fits wholly
gives way to a longer one that fits wholly too. Levels must agree; an internship is never the full position.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from matcher.decisions.types import Piece, Span
from matcher.evidence.title_like import titles_like
from matcher.evidence.types import Letter, Named
from matcher.evidence.weights import Strength
from matcher.evidence.words import MAX_TEXT_CHARS, Word, belongs_to_no_name, words_of
from schema.identity.name_words import LEVELS
from schema.identity.names import TitleParts, title_parts
from schema.vocabulary import SpanSource

ALMOST_EQUAL = 92.0
"""Token-set ratio from which two different titles are one title misspelt."""

_WORDS_AROUND = 2
_RARE_WORD_CHARS = 6

Fit = Literal["same", "longer", "shorter", "other", "level_missing", "level_more", "level_other", "intern"]
_SAYS: dict[Fit, str] = {
    "same": "It is about {theirs}, the title you applied to.",
    "longer": "It is about {theirs}, which has every word of {ours}.",
    "shorter": "It is about {theirs}; you applied to {ours}.",
    "other": "It is about {theirs}; you applied to {ours}.",
    "level_missing": "It is about {theirs}; you applied to {ours}, and only one of them names a level.",
    "level_more": "It is about {theirs}, on a level that {ours} does not name.",
    "level_other": "It is about {theirs}, another level than {ours}.",
    "intern": "Only one of {theirs} and {ours} is an internship.",
}


class Title(msgspec.Struct, frozen=True, kw_only=True):
    """A title the message names, taken apart."""

    fact: Named
    parts: TitleParts


class Titles(msgspec.Struct, frozen=True, kw_only=True):
    """What the message says it is about, read once for every candidate."""

    named: tuple[Title, ...]
    guessed: tuple[Title, ...]
    text: tuple[tuple[SpanSource, tuple[Word, ...]], ...]


class RoleFit(msgspec.Struct, frozen=True, kw_only=True):
    """How a candidate's title fits; `words` are the candidate's, for comparing siblings."""

    fit: Fit
    piece: Piece
    words: frozenset[str]


def titles_of(letter: Letter) -> Titles:
    named = [Title(fact=fact, parts=_parts(fact.value)) for fact in letter.all_named("role")]
    sources: tuple[tuple[SpanSource, str], ...] = (("subject", letter.subject), ("text", letter.body))
    return Titles(
        named=tuple(title for title in named if title.parts.role),
        guessed=() if named else tuple(_guessed(letter)),
        text=tuple((source, tuple(words_of(text[:MAX_TEXT_CHARS]))) for source, text in sources),
    )


def _guessed(letter: Letter) -> Iterator[Title]:
    """Titles that no phrase known marks as one, by the words titles end or begin with."""
    for span in titles_like(letter.body):
        value = " ".join(letter.body[span.start : span.end].split())
        parts = _parts(value)
        if parts.role:
            yield Title(fact=Named(name="role", value=value, span=span, sure=False), parts=parts)


def role_fit(titles: Titles, role: str | None, strength: Strength) -> RoleFit | None:
    """The best fit among the titles named; the title standing in the text when none is named."""
    parts = _parts(role) if role else None
    if role is None or parts is None or not parts.role:
        return None
    seen = _seen(titles, role, parts, strength)
    if not titles.named and seen is not None:
        return seen
    fits = [_fitted(title, role, parts, strength) for title in titles.named or titles.guessed]
    if seen is not None and seen.fit == "same":
        # The title as a whole says more than a part of it that was read as one.
        fits.append(seen)
    return max(fits, key=lambda found: (found.piece.direction != "veto", found.piece.strength), default=None)


def stands_whole(titles: Titles, role: str | None) -> frozenset[str] | None:
    """The words of a title that the message names, or writes out anywhere, level and all; None when not."""
    parts = _parts(role) if role else None
    if role is None or parts is None or not parts.role:
        return None
    named = any(compare(title.parts, parts) == "same" for title in titles.named)
    return _all_words(parts) if named or _is_written_out(titles, parts) else None


def _is_written_out(titles: Titles, ours: TitleParts) -> bool:
    if len(ours.role) == 1 and len(ours.role[0]) < _RARE_WORD_CHARS:
        return False
    return any(
        _levels_around(words, place, place + len(ours.role) - 1) == _plain(ours)
        for _, words in titles.text
        for place in _places(words, ours.role)
    )


def beside(found: RoleFit | None, siblings: Sequence[RoleFit | None], strength: Strength) -> RoleFit | None:
    """The longest-sibling rule: a whole fit counts little when a sibling with more words fits wholly too.

    `siblings` are the fits of the other candidates at the same employer.
    """
    if found is None or found.fit not in {"same", "longer"}:
        return found
    longer = any(
        other is not None and other.fit in {"same", "longer"} and found.words < other.words
        for other in siblings
    )
    return _demoted(found, strength) if longer else found


def compare(theirs: TitleParts, ours: TitleParts) -> Fit:
    """How the message's title stands to the one applied to."""
    if ("intern" in theirs.levels) != ("intern" in ours.levels):
        return "intern"
    words = _compare_words(theirs, ours)
    if words != "same" or theirs.levels == ours.levels:
        return words
    return _compare_levels(theirs.levels, ours.levels)


def _compare_levels(theirs: frozenset[str], ours: frozenset[str]) -> Fit:
    """Mail often drops the level; a level that it adds is another opening's, unless its number says not."""
    if not theirs:
        return "level_missing"
    return "level_other" if ours else "level_more"


def _compare_words(theirs: TitleParts, ours: TitleParts) -> Fit:
    named, applied = _all_words(theirs), _all_words(ours)
    if named == applied:
        return "same"
    if theirs.levels and ours.levels and theirs.levels != ours.levels:
        return "other"
    if applied < named and _begins(ours, theirs):
        return "longer"
    if named < applied and _begins(theirs, ours):
        return "shorter"
    return "same" if _misspelt(named - applied, applied - named) else "other"


def _begins(short: TitleParts, long: TitleParts) -> bool:
    """A title is shortened from its end; "Centre Manager" is no short form of "Centre Operations Manager"."""
    return short.role == long.role[: len(short.role)] or set(short.role) == set(long.role)


def _misspelt(one: frozenset[str], other: frozenset[str]) -> bool:
    """One word written two ways ("Enginer", "Developers"); a digit or a letter of a short word is meant."""
    first, second = " ".join(sorted(one)), " ".join(sorted(other))
    long_enough = min(len(first), len(second)) > _RARE_WORD_CHARS
    has_digits = any(letter.isdigit() for letter in first + second)
    return long_enough and not has_digits and fuzz.token_set_ratio(first, second) >= ALMOST_EQUAL


def _fitted(title: Title, role: str, ours: TitleParts, strength: Strength) -> RoleFit:
    fit = compare(title.parts, ours)
    return RoleFit(
        fit=fit,
        words=_all_words(ours),
        piece=_piece(fit, title.fact.value, role, title.fact.span, strength, sure=title.fact.sure),
    )


def _seen(titles: Titles, role: str, ours: TitleParts, strength: Strength) -> RoleFit | None:
    """The whole title stands in the text, with its level beside it."""
    if len(ours.role) == 1 and len(ours.role[0]) < _RARE_WORD_CHARS:
        return None
    for source, words in titles.text:
        for place in _places(words, ours.role):
            end = place + len(ours.role) - 1
            around, own = _levels_around(words, place, end), _plain(ours)
            fit: Fit = "same" if around == own else "level_missing" if own else "level_more"
            span = Span(source=source, start=words[place].start, end=words[end].end)
            piece = _piece(fit, role, role, span, strength, sure=True)
            return RoleFit(fit=fit, words=_all_words(ours), piece=piece)
    return None


def _places(words: Sequence[Word], wanted: Sequence[str]) -> Iterator[int]:
    """Where the title stands, not as part of a longer one."""
    keys = tuple(word.key for word in words)
    length = len(wanted)
    for place, key in enumerate(keys):
        if key == wanted[0] and keys[place : place + length] == tuple(wanted):
            before = words[place - 1] if place and _touch(words[place - 1], words[place]) else None
            last = place + length - 1
            after = (
                words[last + 1] if last + 1 < len(words) and _touch(words[last], words[last + 1]) else None
            )
            if not _goes_on(before) and not _goes_on(after):
                yield place


def _touch(one: Word, other: Word) -> bool:
    return other.start - one.end == 1


def _goes_on(word: Word | None) -> bool:
    """A capital word right beside a title belongs to it, unless it is a level or stands around names."""
    return word is not None and word.starts_name and word.key not in LEVELS and not belongs_to_no_name(word)


def _levels_around(words: Sequence[Word], first: int, last: int) -> frozenset[str]:
    beside = [*words[max(first - _WORDS_AROUND, 0) : first], *words[last + 1 : last + 1 + _WORDS_AROUND]]
    return frozenset(LEVELS[word.key] for word in beside if word.key in LEVELS and word.key != "i")


def _plain(parts: TitleParts) -> frozenset[str]:
    return parts.levels & frozenset(LEVELS.values())


def _demoted(found: RoleFit, strength: Strength) -> RoleFit:
    says = f"{found.piece.says.rstrip('.')}, but another of your applications fits more closely."
    piece = msgspec.structs.replace(found.piece, strength=strength.role_sibling, says=says)
    return msgspec.structs.replace(found, piece=piece)


def _piece(fit: Fit, theirs: str, ours: str, span: Span, strength: Strength, *, sure: bool) -> Piece:
    counts: dict[Fit, float] = {
        "same": strength.role_same,
        "longer": strength.role_longer,
        "shorter": strength.role_shorter,
        "other": strength.role_other,
        "level_missing": strength.level_missing,
        "level_more": strength.level_more,
        "level_other": strength.level_other,
        "intern": 0.0,
    }
    return Piece(
        name="role",
        direction="veto" if fit == "intern" else "for" if counts[fit] > 0 else "against",
        strength=counts[fit],
        says=_SAYS[fit].format(theirs=theirs, ours=ours),
        value=theirs,
        span=span,
        sure=sure,
    )


def _all_words(parts: TitleParts) -> frozenset[str]:
    return frozenset((*parts.role, *(word for bracket in parts.brackets for word in bracket.split())))


@lru_cache(maxsize=20_000)
def _parts(title: str) -> TitleParts:
    return title_parts(title)
