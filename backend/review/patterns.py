"""A pattern of evidence as a heading: the doubt, and what speaks for the likeliest application all the same.

A pattern reads `doubt:name+name`, as the matcher writes it; one that no release knows is other doubt. Pure.
"""

from typing import get_args
from urllib.parse import quote

import msgspec

from backend.http.words import word
from schema.vocabulary import EvidenceName

_NAMES: tuple[EvidenceName, ...] = get_args(EvidenceName)
_TITLES = {
    "weak": "Little evidence",
    "close": "Two fit equally well",
    "contradicted": "Something speaks against it",
    "unread": "Not understood",
    "outreach": "Outreach in a known conversation",
    "several": "About more than one application",
    "alone": "None of yours fits",
    "unproven": "No proof that you applied",
}


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """`doubt` is why it asks, `names` are the kinds of evidence that speak for the likeliest application."""

    doubt: str
    names: tuple[EvidenceName, ...]


def pattern_of(text: str) -> Pattern:
    doubt, _, rest = text.partition(":")
    parts = rest.split("+")
    return Pattern(doubt=doubt, names=tuple(name for name in _NAMES if name in parts))


def title(text: str) -> str:
    """A pattern as a heading: `Little evidence: employer's name, role`."""
    found = pattern_of(text)
    head = _TITLES.get(found.doubt, "Other doubt")
    return f"{head}: {evidence(found)}" if found.names else head


def path_of_pattern(text: str) -> str:
    """Where all messages with this pattern are decided at once."""
    return f"/review/pattern/{quote(text, safe='')}"


def evidence(found: Pattern) -> str:
    """`employer's name, role`; empty when nothing speaks for any application."""
    words = [word(name, "evidence").text for name in found.names]
    return ", ".join(text[:1].lower() + text[1:] for text in words)
