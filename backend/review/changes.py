"""What changed between what somebody looked at and how it stands now, in sentences. Pure.

The form of an item carries what it showed; it decides nothing, the version does. It only lets the page say
what is different, so that nobody has to compare.
"""

import hashlib
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from backend.http.words import word
from matcher.resolutions.types import AskItem, Item, MessageItem, PairItem, StatusItem
from schema.ids import ApplicationId
from schema.vocabulary import MatchOutcome

Names = Mapping[ApplicationId, str]
_MARK_CHARS = 16
WEIGHED_ANEW = "What speaks for and against was weighed anew."
_STANDS: dict[str, str] = {
    "asks": "waits for you",
    "none": "no application fits",
    "not_an_application": "not about an application",
    "not_job_mail": "not job mail",
    "not_examined": "not looked at",
    "merged": "one application",
    "kept_apart": "two applications",
    "person": "done",
    "message": "settled by newer mail",
    "open": "open",
    "": "no proposal",
}


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What an item showed: how it stood, what it was attached to, and which applications were offered."""

    state: str = ""
    attached: list[ApplicationId] = []
    offered: list[ApplicationId] = []


def seen(item: Item) -> Seen:
    match item:
        case MessageItem():
            offered = [found.application_id for found in item.candidates]
            return Seen(state=item.outcome, attached=item.application_ids, offered=offered)
        case StatusItem():
            return Seen(state=item.proposal or "")
        case AskItem():
            return Seen(state=item.settled_by or "open")
        case PairItem():
            return Seen(state=item.answer or "open")
        case _:
            return Seen()


def shows(item: Item) -> str:
    """A mark of all that an answer could rest on: the same for one that was only written anew, wherever in
    the queue it stands now."""
    bare = replace(item, version="", rank=2)
    if isinstance(bare, MessageItem):
        bare = replace(bare, decision_id=None)
    return hashlib.sha256(msgspec.json.encode(bare)).hexdigest()[:_MARK_CHARS]


def named_in(before: Seen, item: Item) -> set[ApplicationId]:
    """The applications whose names `changes` may need."""
    now = seen(item)
    return {*before.attached, *before.offered, *now.attached, *now.offered}


def changes(before: Seen, item: Item, names: Names) -> list[str]:
    now = seen(item)
    found: list[str] = []
    if (before.state, before.attached) != (now.state, now.attached):
        who = ", decided by you" if isinstance(item, MessageItem) and item.by_person else ""
        found.append(f"Before: {_stands(before, names)}. Now: {_stands(now, names)}{who}.")
    found += [f"New among the applications offered: {_name(key, names)}." for key in _more(now, before)]
    found += [f"No longer offered: {_name(key, names)}." for key in _more(before, now)]
    if not found and before.offered != now.offered:
        found.append("The order of the applications offered changed.")
    return found or [WEIGHED_ANEW]


def _more(one: Seen, other: Seen) -> list[ApplicationId]:
    return [key for key in one.offered if key not in other.offered]


def _stands(what: Seen, names: Names) -> str:
    if what.attached:
        return "attached to " + " and ".join(_name(key, names) for key in what.attached)
    if what.state in _STANDS:
        return _STANDS[what.state]
    return _stage(what.state)


def _stage(state: str) -> str:
    try:
        return f"proposed as {word(state, 'stage').text.lower()}"
    except KeyError:
        return "something else"


def _name(key: ApplicationId, names: Names) -> str:
    return names.get(key, "an application that is gone")


OUTCOMES: tuple[MatchOutcome, ...] = ("asks", "none", "not_an_application", "not_job_mail")
"""Each has its words above; attached ones are told by their applications."""
