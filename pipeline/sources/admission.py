"""Which listings become postings, by rules that have a version. Pure.

A refusal needs a reason a reader can check. What only looks odd is admitted and marked: a person who is shown
one posting too many hides it, one that was kept from them they never see.
"""

import re

import msgspec

from pipeline.sources.types import Listing

#: Raise it when a rule changes: refused listings are then judged again out of what is stored, and all others
#: when their board is next read whole.
ADMISSION_VERSION = 2
_MAX_TITLE_CHARS = 300
_POOL = re.compile(
    r"\b(?:talent (?:pool|community|network|bank)|(?:general|open|spontaneous|speculative|unsolicited) "
    r"application|expressions? of interest|future (?:opportunit(?:y|ies)|openings|roles)|initiativbewerbung"
    r"|candidature spontan[ée]e|join our talent|don.t see (?:your|the|a|what))\b",
    re.IGNORECASE,
)
_TRIAL = re.compile(r"(?:test|test (?:job|posting|requisition|req)|do not (?:apply|use))", re.IGNORECASE)


class Verdict(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Whether a listing may become a posting. A refusal has a reason, and so has a mark."""

    rule: str
    is_admitted: bool = True
    reason: str | None = None
    version: int = ADMISSION_VERSION


def admitted(listing: Listing, canonical_url: str | None) -> Verdict:
    """The first rule that has something to say; every listing is stored whatever it is."""
    title = " ".join(listing.title[:_MAX_TITLE_CHARS].split())
    if not title:
        return _refused("has_title", "the platform gave no title")
    if not listing.is_listed:
        return _refused("is_listed", "the employer does not list it")
    if canonical_url is None:
        return _refused("has_address", "it has no web address")
    if _TRIAL.fullmatch(title.strip(" -*!()[]")):
        return Verdict(rule="is_no_trial", reason="its title reads like somebody trying out the platform")
    if _POOL.search(title):
        return Verdict(rule="is_one_opening", reason="its title reads like a pool for later openings")
    return Verdict(rule="all")


def _refused(rule: str, reason: str) -> Verdict:
    return Verdict(rule=rule, is_admitted=False, reason=reason)
