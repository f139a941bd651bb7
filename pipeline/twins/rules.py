"""When two postings look like one opening on two platforms, and on what evidence. Pure.

The same employer and the same title are where looking starts and prove nothing: of the postings of one board
that share a title, seven in ten are openings of their own. A place in common is needed too, and one thing
that two openings do not share by accident.
"""

import functools
import re
from typing import Literal

import msgspec

from schema.identity.names import comparable_company, title_parts
from schema.identity.requisitions import requisition_key
from schema.ids import PostingId

TwinEvidence = Literal["same_requisition", "same_text", "near_text", "same_apply_url"]
_MAX_KEY_CHARS = 600
#: Of all runs of four words in either text, so many stand in both.
_NEAR = 0.7
_SHINGLE_WORDS = 4
_MAX_WORDS = 2_000
_FEWEST_WORDS = 40
_WORD = re.compile(r"\w+")


class TwinSide(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of a posting. `places` are comparable; empty means that it states none."""

    id: PostingId
    platform: str
    board: str
    locations: list[str]
    countries: list[str]
    workplace: str | None
    requisition_id: str | None
    apply_url: str | None
    canonical_url: str
    description_hash: str | None
    text: str | None


def twin_key(company: str | None, title: str) -> str | None:
    """Equal for two spellings of one employer and one title; None when either says nothing."""
    employer = _employer(company) if company else ""
    key = title_parts(title).key
    if not employer or not key.strip(" |"):
        return None
    return f"{employer} / {key}"[:_MAX_KEY_CHARS]


@functools.lru_cache(maxsize=1_000)
def _employer(company: str) -> str:
    return comparable_company(company)


def twin_evidence(one: TwinSide, other: TwinSide) -> list[TwinEvidence]:
    """What speaks for one opening, the strongest first; empty when it is not enough. Both have one key."""
    if one.platform == other.platform or not _overlap(one, other):
        return []
    found: list[TwinEvidence] = []
    if one.requisition_id and other.requisition_id:
        key = requisition_key(one.requisition_id)
        if key and key == requisition_key(other.requisition_id):
            found.append("same_requisition")
    if _addresses(one) & _addresses(other):
        found.append("same_apply_url")
    text = _text_evidence(one, other)
    return [*found, text] if text else found


def _overlap(one: TwinSide, other: TwinSide) -> bool:
    """A place in common; two that are both remote and name no other country will do."""
    if _named(one) & _named(other):
        return True
    both_remote = one.workplace == other.workplace == "remote"
    return both_remote and (
        not one.countries or not other.countries or bool({*one.countries} & {*other.countries})
    )


def _named(side: TwinSide) -> set[str]:
    """Whole places and their first part, which is the city."""
    spelled = (
        " ".join(_WORD.findall(part.casefold()))
        for each in side.locations
        for part in (each, each.split(",")[0])
    )
    return {place for place in spelled if place}


def _addresses(side: TwinSide) -> set[str]:
    return {address for address in (side.apply_url, side.canonical_url) if address}


def _text_evidence(one: TwinSide, other: TwinSide) -> TwinEvidence | None:
    if one.description_hash is not None and one.description_hash == other.description_hash:
        return "same_text"
    first, second = _words(one.text), _words(other.text)
    if min(len(first), len(second)) < _FEWEST_WORDS:
        return None
    if first == second:
        return "same_text"
    ours, theirs = _shingles(first), _shingles(second)
    return "near_text" if len(ours & theirs) >= _NEAR * len(ours | theirs) else None


def _shingles(words: list[str]) -> set[tuple[str, ...]]:
    return set(zip(*(words[start:] for start in range(_SHINGLE_WORDS)), strict=False))


def _words(text: str | None) -> list[str]:
    return _WORD.findall((text or "").casefold())[:_MAX_WORDS]
