"""The lists of each cycle in order, and the queries of the hiring-shaped ones. Pure.

Gmail lists newest first and without saying when a message arrived. So every id enters the ledger by a walk,
and the ledger decides what is fetched when. Hiring-shaped lists come first; a query that would not fit one
request becomes several lists.
"""

import tomllib
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import quote_plus

import msgspec

from mailsync.gmail.types import HIRING, NEW_MAIL, REST, Cycle

LONGEST_QUERY = 1500
"""Encoded. Longer addresses are sent in another way, which not everything between here and Google knows."""
OVERLAP = timedelta(days=2)
"""Search lags behind, and no two clocks agree: what is listed anew begins so much earlier."""
_MOST_TERMS = 1000
_EVERYTHING = "everything"

Purpose = Literal["want", "leave_out", "see"]


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """One list. `want`: its ids are to be fetched; `leave_out`: they never are; `see`: they still exist."""

    name: str
    purpose: Purpose = "want"
    rank: int = REST
    query: str = ""
    labels: tuple[str, ...] = ()
    include_spam: bool = False
    reason: str | None = None


class Hiring(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data file: see the head of `hiring.toml`."""

    subjects: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()


class Narrowing(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wants of a mailbox. The query narrows walks; labels narrow new mail too."""

    query: str = ""
    labels: tuple[str, ...] = ()
    include_spam: bool = False


def decode_hiring(content: bytes) -> Hiring:
    """Raises `msgspec.ValidationError`, `tomllib.TOMLDecodeError` or `UnicodeDecodeError`."""
    return msgspec.convert(tomllib.loads(content.decode()), Hiring)


def hiring_queries(hiring: Hiring, domains: Iterable[str]) -> list[str]:
    """Any of these words in the subject, or any of these domains as the sender."""
    subjects = [f'subject:"{term}"' for term in map(_plain, hiring.subjects) if term]
    senders = [
        f"from:{term}" for term in map(_plain, (*hiring.senders, *domains)) if term and " " not in term
    ]
    return _portions([*dict.fromkeys((*subjects, *senders))][:_MOST_TERMS])


def cycle(kind: Cycle, narrowing: Narrowing, queries: list[str], since: datetime | None) -> list[Walk]:
    """The walks of a cycle, in order."""
    everything = _narrowed(Walk(name=_EVERYTHING), narrowing)
    drafts = Walk(name="drafts", purpose="leave_out", labels=("DRAFT",), reason="draft")
    chats = Walk(name="chats", purpose="leave_out", labels=("CHAT",), reason="chat")
    if kind == "first":
        hiring = [Walk(name=f"hiring:{i}", rank=HIRING, query=query) for i, query in enumerate(queries)]
        return [drafts, *(each for walk in hiring for each in _narrowed(walk, narrowing)), chats, *everything]
    recent = Walk(name="recent", rank=NEW_MAIL, query=after(since) if since else "")
    # A query narrows the past, and this is new mail that nobody told us of.
    new = msgspec.structs.replace(narrowing, query="") if since else narrowing
    see = Walk(name="see", purpose="see", include_spam=True)
    return [drafts, *_narrowed(recent, new), *everything, see]


def named(walks: list[Walk], name: str) -> Walk:
    """The walk of this name; the first when the lists are others by now."""
    return next((walk for walk in walks if walk.name == name), walks[0])


def comes_first(walk: Walk) -> bool:
    """Few pages that lead to what is fetched first; longer lists are walked between two fetches."""
    return walk.rank < REST or walk.name == "drafts"


def following(walks: list[Walk], name: str) -> Walk | None:
    """The walk behind the one of this name; the first when there is none of this name any more."""
    names = [walk.name for walk in walks]
    if name not in names:
        return walks[0]
    position = names.index(name) + 1
    return walks[position] if position < len(walks) else None


def completes(walk: Walk, next_one: Walk | None) -> bool:
    """Its end is the end of the lists of everything, of which there is one for each label wanted."""
    return _is_everything(walk) and not (next_one and _is_everything(next_one))


def _is_everything(walk: Walk) -> bool:
    return walk.name.split(":")[0] == _EVERYTHING


def after(since: datetime) -> str:
    """Seconds are exact; a date would begin at midnight in California, and milliseconds match nothing."""
    return f"after:{max(int((since - OVERLAP).timestamp()), 0)}"


def _narrowed(walk: Walk, narrowing: Narrowing) -> list[Walk]:
    """A list for each label: asked for several at once, Gmail lists only what has all of them."""
    parts = [part for part in (walk.query, f"({narrowing.query})" if narrowing.query else "") if part]
    whole = msgspec.structs.replace(walk, query=" ".join(parts), include_spam=narrowing.include_spam)
    return [
        msgspec.structs.replace(whole, name=f"{walk.name}:{label}", labels=(label,))
        for label in narrowing.labels
    ] or [whole]


def _plain(term: str) -> str:
    """A term without what would mean something in a query."""
    return " ".join("".join(" " if char in '"(){}:' else char for char in term).split())[:100]


def _portions(terms: list[str]) -> list[str]:
    portions: list[list[str]] = []
    length = LONGEST_QUERY
    for term in terms:
        length += len(quote_plus(term)) + 1
        if length > LONGEST_QUERY:
            portions.append([])
            length = len(quote_plus(term)) + 40
        portions[-1].append(term)
    return ["{" + " ".join(portion) + "} -in:chats -in:drafts" for portion in portions]
