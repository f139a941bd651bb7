"""Evidence about which posting it is: its address, its place on a board, its requisition number. Pure."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from matcher.decisions.types import Piece, Span
from matcher.evidence.around_names import either
from matcher.evidence.types import Candidate, Letter, Named
from matcher.evidence.weights import Strength
from matcher.evidence.words import MAX_TEXT_CHARS
from schema.identity.requisitions import requisition_key
from schema.identity.urls import PostingUrl, posting_url
from schema.vocabulary import SpanSource

MOST_LINKS_OF_ONE_MATTER = 3
"""More postings than this in one message are a list, and a list is about none of them."""

_RARE_CHARS = 5
_COULD_BE_A_NUMBER = re.compile(
    r"(?<![\w/.@-])(?:[A-Z]{1,4}[ ](?=\d))?[A-Za-z]{0,6}[-_/]?\d[\w/-]{3,24}(?![\w@])"
)
_LABEL_CHARS = 30

_MADE_AS_OF_AN_OPENING = re.compile(
    r"(?:[A-Z]{2,4}|[RJ])[-_]?\d{5,8}|\d{5,7}BR|\d{4,6}-[A-Z]{2,3}|20\d\d[-/]\d{3,6}|REF\d{4,6}[A-Z]?"
)


@cache
def _of_application() -> re.Pattern[str]:
    what = either(lambda around: around.application_number)
    return re.compile(rf"\b(?:{what})(?!\w)[^\w\n]{{0,4}}(?:\w{{2,6}}[^\w\n]{{1,3}})?$", re.IGNORECASE)


class Link(msgspec.Struct, frozen=True, kw_only=True):
    fact: Named
    target: PostingUrl

    @property
    def keys(self) -> frozenset[str]:
        return frozenset((self.target.key, self.target.canonical))


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """`of_application` when the words before it say that it is a receipt's own ("Application ID")."""

    fact: Named
    key: str
    of_application: bool


class Identifiers(msgspec.Struct, frozen=True, kw_only=True):
    """What the message names a posting by, read once for every candidate.

    `standing` is everything that could be a number, by key: it counts only where it is the very one recorded.
    """

    links: tuple[Link, ...]
    numbers: tuple[Number, ...]
    standing: dict[str, Named]
    boards: frozenset[tuple[str, str]]

    @property
    def is_a_list(self) -> bool:
        postings = {link.target.key for link in self.links if link.target.kind == "posting"}
        return len(postings) > MOST_LINKS_OF_ONE_MATTER


def identifiers_of(letter: Letter) -> Identifiers:
    links = [
        Link(fact=fact, target=target)
        for fact in letter.all_named("posting_url")
        if (target := posting_url(fact.value)) is not None
    ]
    numbers = [
        Number(fact=fact, key=key, of_application=_is_of_application(letter, fact))
        for fact in letter.all_named("requisition")
        if (key := requisition_key(fact.value))
    ]
    return Identifiers(
        links=tuple(links),
        numbers=tuple(numbers),
        standing=dict(_standing(letter)),
        boards=_boards(letter, links),
    )


def _standing(letter: Letter) -> Iterator[tuple[str, Named]]:
    texts: tuple[tuple[SpanSource, str], ...] = (
        ("subject", letter.subject),
        ("text", letter.body[:MAX_TEXT_CHARS]),
    )
    for source, text in texts:
        for found in _COULD_BE_A_NUMBER.finditer(text):
            key = requisition_key(found[0])
            if sum(letter.isdigit() for letter in key) >= _RARE_CHARS - 1 and len(key) >= _RARE_CHARS:
                if _of_application().search(text[: found.start()][-_LABEL_CHARS:]) is not None:
                    continue
                span = Span(source=source, start=found.start(), end=found.end())
                yield key, Named(name="requisition", value=found[0], span=span, sure=True)


def posting_pieces(found: Identifiers, candidate: Candidate, strength: Strength) -> list[Piece]:
    """At most one piece for the posting and one for the requisition, which may be a veto."""
    same = _link_piece(found, candidate, strength) or _board_piece(found, candidate, strength)
    if same is not None and same.strength >= strength.posting_url:
        return [same]
    numbered = _requisition_piece(found, candidate, strength)
    other = _other_link(found, candidate, strength) if numbered is None and same is None else None
    return [piece for piece in (same, numbered, other) if piece is not None]


def _link_piece(found: Identifiers, candidate: Candidate, strength: Strength) -> Piece | None:
    for link in found.links:
        if link.target.kind != "board" and link.keys & candidate.posting_keys:
            return Piece(
                name="posting_url",
                direction="for",
                strength=strength.posting_listed if found.is_a_list else strength.posting_url,
                says="It links to the posting you applied to, among others."
                if found.is_a_list
                else "It links to the posting you applied to.",
                value=link.target.canonical,
                span=link.fact.span,
                sure=link.fact.sure,
            )
    return None


def _other_link(found: Identifiers, candidate: Candidate, strength: Strength) -> Piece | None:
    """A link to another posting of the same platform; a list of postings says nothing against any."""
    if not candidate.vendor_id or found.is_a_list:
        return None
    for link in found.links:
        if link.target.kind == "posting" and link.target.platform == candidate.platform:
            return Piece(
                name="posting_url",
                direction="against",
                strength=strength.posting_other,
                says="It links to another posting than the one you applied to.",
                value=link.target.canonical,
                span=link.fact.span,
                sure=link.fact.sure,
            )
    return None


def _board_piece(found: Identifiers, candidate: Candidate, strength: Strength) -> Piece | None:
    if not candidate.platform or not candidate.board or not candidate.vendor_id:
        return None
    if (candidate.platform, candidate.board.casefold()) not in found.boards:
        return None
    number = _equal(found, requisition_key(candidate.vendor_id))
    if number is None:
        return None
    return Piece(
        name="board_posting",
        direction="for",
        strength=strength.board_posting,
        says=f"It names posting {number.fact.value} on the board you applied through.",
        value=number.fact.value,
        span=number.fact.span,
        sure=number.fact.sure,
    )


def _requisition_piece(found: Identifiers, candidate: Candidate, strength: Strength) -> Piece | None:
    own = [key for key in (candidate.requisition_key, _vendor_key(candidate)) if key]
    equal = next(((number.key, number.fact) for number in found.numbers if number.key in own), None)
    equal = equal or next(((key, found.standing[key]) for key in own if key in found.standing), None)
    if equal is not None:
        key, fact = equal
        return Piece(
            name="requisition",
            direction="for",
            strength=strength.requisition if len(key) >= _RARE_CHARS else strength.requisition_short,
            says=f"It names requisition {fact.value}, the one you applied to.",
            value=fact.value,
            span=fact.span,
            sure=fact.sure,
        )
    return _other_requisition(found, candidate) or _unlike_requisition(found, candidate, strength)


def _other_requisition(found: Identifiers, candidate: Candidate) -> Piece | None:
    """A number made like the requisition, but not it."""
    own = candidate.requisition_key
    other = next((number.fact for number in found.numbers if own and _made_alike(number.key, own)), None)
    if other is None:
        return None
    return Piece(
        name="requisition",
        direction="veto",
        strength=0.0,
        says=f"It names requisition {other.value}; you applied to {candidate.requisition_id}.",
        value=other.value,
        span=other.span,
        sure=other.sure,
    )


def _unlike_requisition(found: Identifiers, candidate: Candidate, strength: Strength) -> Piece | None:
    """A number made otherwise, or not read as one: another opening's or the platform's; enough to ask."""
    own = candidate.requisition_key
    other = next(_others(found, own, candidate.requisition_id or ""), None) if own else None
    if other is None:
        return None
    return Piece(
        name="requisition",
        direction="against",
        strength=strength.requisition_unlike,
        says=f"It names the number {other.value}; you applied to {candidate.requisition_id}.",
        value=other.value,
        span=other.span,
        sure=other.sure,
    )


def _others(found: Identifiers, own: str, requisition_id: str) -> Iterator[Named]:
    """Read as an opening's, or made as those are or as this one is: letters or signs, and a long number."""
    yield from (
        number.fact
        for number in found.numbers
        if not number.of_application and _digits(number.key) != _digits(own)
    )
    yield from (
        fact
        for key, fact in found.standing.items()
        if _digits(key) != _digits(own)
        and (_MADE_AS_OF_AN_OPENING.fullmatch(fact.value) or _written_like(fact.value, requisition_id))
    )


def _written_like(one: str, other: str) -> bool:
    """ "2025-3481" and "2025-8817"; plain numbers are all written alike."""
    masks = {re.sub(r"[A-Za-z]", "A", re.sub(r"\d", "9", text)) for text in (one, other)}
    return len(masks) == 1 and not one.isdigit()


def _is_of_application(letter: Letter, fact: Named) -> bool:
    text = letter.subject if fact.span.source == "subject" else letter.body
    return _of_application().search(text[: fact.span.start][-_LABEL_CHARS:]) is not None


def _digits(key: str) -> str:
    return "".join(letter for letter in key if letter.isdigit())


def _made_alike(one: str, other: str) -> bool:
    (letters, digits), (other_letters, other_digits) = _shape(one), _shape(other)
    return letters == other_letters and abs(digits - other_digits) <= 1


def _shape(key: str) -> tuple[str, int]:
    """The letters in order, and how many digits."""
    letters = "".join(letter for letter in key if not letter.isdigit())
    return letters, len(key) - len(letters)


def _vendor_key(candidate: Candidate) -> str | None:
    return requisition_key(candidate.vendor_id) if candidate.vendor_id else None


def _equal(found: Identifiers, key: str) -> Number | None:
    return next((number for number in found.numbers if number.key == key), None)


def _boards(letter: Letter, links: list[Link]) -> frozenset[tuple[str, str]]:
    linked = {(link.target.platform or "", link.target.board or "") for link in links}
    named = {
        (platform, board)
        for fact in letter.all_named("board")
        for platform, _, board in [fact.value.replace(":", "/").partition("/")]
    }
    return frozenset((platform, board.casefold()) for platform, board in linked | named if platform and board)
