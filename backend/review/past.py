"""A line of the history in words: what was said, about what, and what it replaced. Pure."""

from backend.http.words import word
from backend.review.effects import counted
from backend.review.names import named
from backend.review.patterns import title
from matcher.resolutions.types import HistoryEntry

_AUTOMATIC = {"confirm": "Attached by its evidence", "accept_status": "The status followed the mail"}
_ABOUT = {
    "status": "a proposed status",
    "ask": "what an employer waits for",
    "pair": "two records",
    "application": "an application",
}


def said(entry: HistoryEntry) -> str:
    """`Confirmed`, `Followed the mail: rejected`, `Not job mail, for 40 messages`."""
    head = word(entry.choice, "verb").text if entry.by_person else _AUTOMATIC.get(entry.choice, "Done")
    if entry.pattern is not None and entry.item is None:
        return f"{head}, for {counted(entry.messages, 'message', 'messages')}"
    return f"{head}: {_stage(entry.stage)}" if entry.stage else head


def other(entry: HistoryEntry) -> str:
    """The second record of a pair or a split; empty where there is none."""
    return named(entry.other_role, entry.other_company) if entry.other_application_id else ""


def about(entry: HistoryEntry) -> str:
    """What it was about, as its link reads."""
    if entry.pattern is not None and entry.item is None:
        return title(entry.pattern)
    if entry.subject is not None:
        return entry.subject or "no subject"
    kind = (entry.item or "").partition(":")[0]
    return _ABOUT.get(kind, "a message that is gone")


def before(entry: HistoryEntry) -> str:
    """What it replaced; empty when there was nothing."""
    if entry.replaced_outcome is not None:
        return word(entry.replaced_outcome, "outcome").text.lower()
    return _stage(entry.replaced_stage) if entry.replaced_stage else ""


def _stage(stage: str) -> str:
    return word(stage, "stage").text.lower()
