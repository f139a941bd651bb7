"""Where the message itself says that two names are one house: "Globex (formerly Initech)". Pure.

The words between the two names say so; which of both the application stands under is not known here. Speaks
of no client: whom an agency recruits for is another house.
"""

import re
from collections.abc import Iterator

import msgspec

from matcher.decisions.types import Span
from matcher.evidence.keys import company_key
from matcher.evidence.words import MAX_TEXT_CHARS, belongs_to_no_name, names_in, words_of
from schema.vocabulary import SpanSource

MOST_PAIRS = 10
_LEFT_CHARS = 60
_RIGHT_CHARS = 80
_JOINT = re.compile(
    r"(?P<open>[,(\[]|\s[-\u2013\u2014]|\bis|\bist|\best|\bes)?\s{0,2}"
    r"(?:(?:now\s|previously\s|once\s)?(?:formerly|previously|f/?k/?a|formerly\sknown\sas|doing\sbusiness\sas|d/?b/?a"
    r"|trading\sas|a\strading\s(?:name|style)\sof|operating\sas|now\sknown\sas|(?:now\s)?part\sof|a\s(?:subsidiary|division|brand|company|member|unit)\sof"
    r"|an?\s(?:wholly\sowned\s)?subsidiary\sof|owned\sby"
    r"|ehemals|vormals|fr\u00fcher|jetzt|(?:ein\s)?(?:Unternehmen|Teil)\sder|eine\s(?:Tochter|Marke|Gesellschaft)\s(?:der|von)"
    r"|ein\sTochterunternehmen\s(?:der|von)|(?:ein\s)?Teil\s(?:der|von)|Mitglied\sder"
    r"|anciennement|ex-|(?:une\s)?(?:filiale|soci\u00e9t\u00e9|marque|entit\u00e9|entreprise)\s(?:de|du|d['\u2019])|filiale\s(?:de|du)"
    r"|(?:qui\s)?fait\spartie\s(?:de|du)|membre\sdu"
    r"|antes|anteriormente|(?:una\s)?(?:filial|empresa|marca)\s(?:de|del)|filial\s(?:de|del)|(?:que\s)?forma\sparte\s(?:de|del)"
    r"|parte\s(?:de|del))\s(?:known\sas\s|the\s|der\s|die\s|la\s|le\s|el\s)?)(?-i:groupe\s|grupo\s|gruppe\s)?"
    r"(?=[^\W_])",
    re.IGNORECASE,
)
_SAYS_SO = (
    "formerly", "previously", "fka", "fk/a", "f/k", "doing business", "dba", "db/a", "d/b", "trading as",
    "trading name", "trading style", "operating as", "known as", "part of", "subsidiary of", "division of",
    "brand of", "company of", "member of", "unit of", "owned by",
    "ehemals", "vormals", "fr\u00fcher", "jetzt", "unternehmen der", "teil der", "teil von", "tochter",
    "marke der", "marke von", "gesellschaft der", "gesellschaft von", "mitglied der",
    "ancienn", "ex-", "filiale d", "soci\u00e9t\u00e9 d", "marque d", "entit\u00e9 d", "entreprise d",
    "partie d", "membre du", "antes", "anterior", "filial d", "empresa d", "marca d", "parte d",
)  # fmt: skip
"""Without any of these no joint is there: most messages hold none, and looking for one is dear."""
_OF_A_HOUSE = re.compile(
    r"[,(]\s?an?\s(?=[^\W\d_])([^,()\n]{2,50}?)\s(?:company|business|brand|group\scompany)\b"
)
_GROUP = frozenset(("group", "gruppe", "groupe", "grupo", "holding", "holdings", "family", "konzern"))


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two names of one house in comparable form; `span` and `says` are the words that say so."""

    first: str
    second: str
    says: str
    span: Span


def pairs_in(text: str, source: SpanSource) -> list[Pair]:
    """At most ten, in the order of the text."""
    text = text[:MAX_TEXT_CHARS]
    found: list[Pair] = []
    for start, right in _joints(text):
        left = _left(text, start)
        if left is None or right is None:
            continue
        (first, place), (second, last) = left, right
        span = Span(source=source, start=place, end=last)
        for key in _with_and_without_group(second):
            if key != first:
                says = " ".join(text[place:last].split())
                found.append(Pair(first=first, second=key, says=says, span=span))
    return found[:MOST_PAIRS]


def _joints(text: str) -> Iterator[tuple[int, tuple[str, int] | None]]:
    """Where what joins two names starts, and the name behind it."""
    folded = " ".join(text.casefold().split())
    may_join = any(word in folded for word in _SAYS_SO)
    for joint in _JOINT.finditer(text) if may_join else ():
        yield joint.start(), _right(text, joint.end())
    for joint in _OF_A_HOUSE.finditer(text):
        name = _right(text, joint.start(1))
        yield joint.start(), name if name and name[1] >= joint.end(1) else None


def _left(text: str, end: int) -> tuple[str, int] | None:
    """The longest name that ends where the joint starts."""
    start = max(0, end - _LEFT_CHARS)
    piece = text[start:end].rstrip(" ,(-\u2013\u2014")
    ending = [
        found.span.start
        for found in names_in(piece, "subject")
        if found.span.end == len(piece) and not _stands_around(piece[found.span.start :])
    ]
    first = min(ending, default=None)
    key = None if first is None else company_key(piece[first:])
    return None if first is None or key is None else (key, start + first)


def _right(text: str, start: int) -> tuple[str, int] | None:
    """The longest name that begins there."""
    beginning = [
        found for found in names_in(text[start : start + _RIGHT_CHARS], "subject") if not found.span.start
    ]
    length = max((found.span.end for found in beginning), default=0)
    key = company_key(text[start : start + length]) if length else None
    return None if key is None else (key, start + length)


def _stands_around(name: str) -> bool:
    """ "Your Globex" is Globex."""
    return belongs_to_no_name(words_of(name)[0])


def _with_and_without_group(key: str) -> list[str]:
    """ "the Initech Group" is Initech as well."""
    plain = {key.removesuffix(word) for word in _GROUP} | {key.removeprefix(word) for word in _GROUP}
    return [key, *sorted(one for one in plain if one != key and len(one) > 1)]
