"""Evidence about what for: the title the message names against the title applied to. Pure.

Between two applications at one employer the one whose own words occur is meant, so a title that fits wholly
gives way to a longer one that fits wholly too. Levels must agree; an internship is never the full position.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from mailsync.classify.facts.page import unwrapped
from matcher.decisions.types import Piece, Span
from matcher.evidence.gendered import in_one_form, one_form
from matcher.evidence.title_like import titles_in_subject, titles_like
from matcher.evidence.types import Letter, Named
from matcher.evidence.ways_of_working import titled
from matcher.evidence.weights import Strength
from matcher.evidence.written import RARE_WORD_CHARS, Place, Written, is_beside_titles, places, written
from schema.identity.name_words import LEVELS
from schema.identity.names import TitleParts, company_words, title_parts
from schema.vocabulary import Direction, SpanSource

ALMOST_EQUAL = 92.0
"""Token-set ratio from which two different titles are one title misspelt."""

_BESIDE_CHARS = 24
_NUMBER_BEFORE = re.compile(r"\d{4}\w{0,9}[^\w\n]{1,3}$")
_NUMBER_BEHIND = re.compile(r"[^\w\n]{1,3}[A-Z]{0,5}[-_#]?\w{0,6}?-?\d{4}")
_DASH = re.compile(r"[ \u00a0](?:[-|\u2013\u2014]|//)[ \u00a0]")
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
    text: tuple[Written, ...]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A title as the message has it; `key` is equal for two spellings of one.

    `is_numbered` when a number stands right beside it, as of an opening.
    """

    key: str
    words: frozenset[str]
    is_numbered: bool


class RoleFit(msgspec.Struct, frozen=True, kw_only=True):
    """How a candidate's title fits; `words` are the candidate's, for comparing siblings.

    `is_loose` when it fits only without the way of working that stands behind it.
    """

    fit: Fit
    piece: Piece
    words: frozenset[str]
    is_loose: bool = False


def titles_of(letter: Letter) -> Titles:
    named = [Title(fact=fact, parts=_named_parts(fact.value)) for fact in letter.all_named("role")]
    sources: tuple[tuple[SpanSource, str], ...] = (
        ("subject", letter.subject),
        ("text", unwrapped(letter.body)),
    )
    return Titles(
        named=tuple(title for title in named if title.parts.role),
        guessed=() if named else tuple(_guessed(letter)),
        text=tuple(written(source, text) for source, text in sources),
    )


def _named_parts(value: str) -> TitleParts:
    return in_one_form(_without_label(titled(value)))


def _without_label(parts: TitleParts) -> TitleParts:
    """ "Ausschreibung Personalreferent" is the title with the word for its advertisement."""
    first = next((place for place, word in enumerate(parts.role) if not is_beside_titles(word)), 0)
    return msgspec.structs.replace(parts, role=parts.role[first:]) if first else parts


def _guessed(letter: Letter) -> Iterator[Title]:
    """Titles that no phrase known marks as one, by the words titles end or begin with."""
    for span in (*titles_in_subject(letter.subject), *titles_like(letter.body)):
        text = letter.subject if span.source == "subject" else letter.body
        value = " ".join(text[span.start : span.end].split())
        parts = comparable(value)
        if parts.role:
            yield Title(fact=Named(name="role", value=value, span=span, sure=False), parts=parts)


def role_fit(
    titles: Titles, role: str | None, strength: Strength, *, company: str | None = None
) -> RoleFit | None:
    """The best fit among the titles named; the title standing in the text when none is named.

    What only looks like a title is none where it is the employer's own name: "Pilot Schools Trust".
    """
    parts = comparable(role) if role else None
    if role is None or parts is None or not parts.role:
        return None
    seen = _seen(titles, role, parts, strength)
    if not titles.named and seen is not None:
        return seen
    own = frozenset(one_form(word) for word in company_words(company)) if company else frozenset[str]()
    guessed = [title for title in titles.guessed if not _is_of_a_name(title.parts.role, own)]
    fits = [_fitted(title, role, parts, strength) for title in titles.named or guessed]
    if seen is not None and seen.fit == "same":
        # The title as a whole says more than a part of it that was read as one.
        fits.append(seen)
    return max(fits, key=lambda found: (found.piece.direction != "veto", found.piece.strength), default=None)


def _is_of_a_name(words: Sequence[str], company: frozenset[str]) -> bool:
    """Nothing but words of the employer's name, or the whole name with its desk behind it."""
    return company.issuperset(words) or (bool(company) and company.issubset(words))


def is_one_title(one: str | None, other: str | None) -> bool:
    return bool(one and other) and compare(comparable(one or ""), comparable(other or "")) == "same"


def stands_whole(titles: Titles, role: str | None) -> Standing | None:
    """A title that the message names, or writes out anywhere, level and all; None when it does not.

    "Baker - Leeds" is named by "Baker" too: what stands behind the dash is often the place, which mail omits.
    """
    whole = role or ""
    for title in dict.fromkeys((whole, without_tail(whole))):
        parts = comparable(title)
        spans = list(_whole_at(titles, parts)) if parts.role else []
        if spans:
            is_numbered = any(_is_numbered(titles, span) for span in spans)
            return Standing(key=parts.key, words=_all_words(parts), is_numbered=is_numbered)
    return None


def _whole_at(titles: Titles, parts: TitleParts) -> Iterator[Span]:
    for found in titles.named:
        if compare(found.parts, parts) == "same":
            yield found.fact.span
    yield from (place.span for place in places(titles.text, parts) if _is_whole(place, parts))


def _is_numbered(titles: Titles, span: Span) -> bool:
    """ "46914BR (Baker)", "Baker (R-4711)"."""
    text = next((part.text for part in titles.text if part.source == span.source), "")
    before = text[max(0, span.start - _BESIDE_CHARS) : span.start]
    return (
        _NUMBER_BEFORE.search(before) is not None
        or _NUMBER_BEHIND.match(text, span.end, span.end + _BESIDE_CHARS) is not None
    )


def title_words_of(role: str | None) -> frozenset[str]:
    """Of a title as recorded, level left out; none where nobody recorded one."""
    return _all_words(comparable(role)) if role else frozenset()


def without_tail(title: str) -> str:
    """ "Baker" of "Baker - Leeds"."""
    return _DASH.split(title, 1)[0]


def beside(
    found: RoleFit | None, role: str | None, siblings: Sequence[RoleFit | None], strength: Strength
) -> RoleFit | None:
    """What a fit is worth among the other candidates at the same employer, whose fits are `siblings`.

    The longest-sibling rule: a whole fit counts little when a sibling with more words fits wholly too. Part
    of a title counts little beside one that fits word by word; one that does not occur is another one then.
    """
    whole = [other for other in siblings if other is not None and other.fit in {"same", "longer"}]
    exact = next((other for other in whole if other.fit == "same" and other.piece.sure), None)
    if found is None:
        return _another(exact, role, strength) if exact is not None and role is not None else None
    if found.is_loose and any(other is not None and other.fit == "shorter" for other in siblings):
        # Both recorded titles go on behind the one named, each in another way.
        return _shortened(found, strength)
    if found.fit in {"same", "longer"}:
        longer = any(found.words < other.words for other in whole)
        return _demoted(found, strength) if longer else found
    if exact is not None and found.fit in {"shorter", "level_missing"}:
        return _demoted(found, strength)
    return found


def _another(exact: RoleFit, role: str, strength: Strength) -> RoleFit | None:
    parts, span = comparable(role), exact.piece.span
    if not parts.role or span is None or exact.words == _all_words(parts):
        return None
    piece = _piece("other", exact.piece.value, role, span, strength, sure=exact.piece.sure)
    return RoleFit(fit="other", piece=piece, words=_all_words(parts))


def compare(theirs: TitleParts, ours: TitleParts) -> Fit:
    """How the message's title stands to the one applied to, both as `comparable` takes them apart."""
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
    long_enough = min(len(first), len(second)) > RARE_WORD_CHARS
    has_digits = any(letter.isdigit() for letter in first + second)
    return long_enough and not has_digits and fuzz.token_set_ratio(first, second) >= ALMOST_EQUAL


def _fitted(title: Title, role: str, ours: TitleParts, strength: Strength) -> RoleFit:
    fit = compare(title.parts, ours)
    return RoleFit(
        fit=fit,
        words=_all_words(ours),
        is_loose=fit == "same" and _goes_on_with_work(role) and not _goes_on_with_work(title.fact.value),
        piece=_piece(fit, title.fact.value, role, title.fact.span, strength, sure=title.fact.sure),
    )


def _seen(titles: Titles, role: str, ours: TitleParts, strength: Strength) -> RoleFit | None:
    """The whole title stands in the text; where it stands with its own level, if it does anywhere."""
    found = list(places(titles.text, ours))
    if not found:
        return None
    place = next((one for one in found if _is_whole(one, ours)), found[0])
    fit = _fit_at(place, ours)
    piece = _piece(fit, role, role, place.span, strength, sure=True)
    is_loose = fit == "same" and _goes_on_with_work(role)
    return RoleFit(fit=fit, words=_all_words(ours), piece=piece, is_loose=is_loose)


@lru_cache(maxsize=20_000)
def _goes_on_with_work(title: str) -> bool:
    """ "Baker - Full Time"."""
    return titled(title).key != title_parts(title).key


def _fit_at(place: Place, ours: TitleParts) -> Fit:
    if place.levels != _plain(ours):
        return "level_missing" if _plain(ours) else "level_more"
    return "same" if place.has_brackets else "shorter"


def _is_whole(place: Place, ours: TitleParts) -> bool:
    return _fit_at(place, ours) == "same"


def _plain(parts: TitleParts) -> frozenset[str]:
    return parts.levels & frozenset(LEVELS.values())


def _demoted(found: RoleFit, strength: Strength) -> RoleFit:
    says = f"{found.piece.says.rstrip('.')}, but another of your applications fits more closely."
    direction: Direction = "for" if strength.role_sibling > 0 else "against"
    piece = msgspec.structs.replace(
        found.piece, strength=strength.role_sibling, direction=direction, says=says
    )
    return msgspec.structs.replace(found, piece=piece)


def _shortened(found: RoleFit, strength: Strength) -> RoleFit:
    piece = msgspec.structs.replace(found.piece, strength=strength.role_shorter)
    return msgspec.structs.replace(found, fit="shorter", piece=piece)


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
def comparable(title: str) -> TitleParts:
    """A title taken apart for comparing: in one form for both genders, without the way of working."""
    return in_one_form(titled(title))
