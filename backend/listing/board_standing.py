"""Why the postings of a board are as new as they are, or are not, in words for everyone. Pure.

Says nothing that only an operator can use: no numbers of tasks, no evidence, no codes.
"""

from datetime import datetime, timedelta

import msgspec

from backend.listing.board_words import problem_said
from pipeline.catalog.boards.types import BoardLine
from pipeline.closing.types import Incident
from pipeline.sources.registry import why_forbidden
from schema.identity.spelling import spelled

LATE_AFTER = timedelta(days=1)
"""Longer than any pause between two reads of a sound board."""
_STAYS = "What it showed stays as it was last seen."


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A word and its tone, what it means for the postings, and when that may change, if known."""

    text: str
    tone: str
    why: str = ""
    until: datetime | None = None

    @property
    def is_sound(self) -> bool:
        return self.tone == "good"


def standing(board: BoardLine, incidents: dict[str, Incident], now: datetime) -> Standing:
    """The first of these that holds explains the rest: it is not read, it cannot be, it is read in part."""
    return (
        _unread(board, now)
        or _troubled(board, incidents.get(board.platform), now)
        or _doubted(board)
        or _in_part(board, now)
        or Standing(text="up to date", tone="good")
    )


def _unread(board: BoardLine, now: datetime) -> Standing | None:
    forbidden = why_forbidden(board.platform, now)
    if forbidden:
        return Standing(text="not read", tone="quiet", why=f"{forbidden} {_STAYS}")
    if board.off_since:
        reason = f"it could not be read {board.failures_in_a_row} times in a row"
        trouble = f", the last time because {problem_said(board.problem)}" if board.problem else ""
        return Standing(text="no longer read", tone="warn", why=f"Given up: {reason}{trouble}. {_STAYS}")
    if not board.enabled:
        why = f"Whoever looks after this Jobtrail switched it off. {_STAYS}"
        return Standing(text="switched off", tone="quiet", why=why)
    if board.last_pull_at is None:
        return Standing(text="not read yet", tone="plain", why="It was added, and waits for its first read.")
    return None


def _troubled(board: BoardLine, incident: Incident | None, now: datetime) -> Standing | None:
    if incident is not None:
        why = f"{spelled(board.platform)} has a trouble that several of its boards share. {_STAYS}"
        return Standing(text="waits", tone="warn", why=why, until=_ahead(incident.open_until, now))
    if board.failures_in_a_row or board.coverage == "failed":
        trouble = problem_said(board.problem)
        why = f"The last read failed{f': {trouble}' if trouble else ''}. It is tried again. {_STAYS}"
        return Standing(
            text="could not be read", tone="warn", why=why, until=_ahead(board.blocked_until, now)
        )
    if board.blocked_until and board.blocked_until > now:
        why = f"Its host asked for a pause. {_STAYS}"
        return Standing(text="waits", tone="warn", why=why, until=board.blocked_until)
    return None


def _doubted(board: BoardLine) -> Standing | None:
    if not board.doubts:
        return None
    why = (
        "It suddenly shows far fewer openings than before. Until that is confirmed, openings that may be "
        "gone stay open here."
    )
    return Standing(text="doubted", tone="warn", why=why, until=board.doubted_until)


def _in_part(board: BoardLine, now: datetime) -> Standing | None:
    if board.coverage == "capped":
        why = (
            "Its platform gives only the first part of its list. Openings beyond that are missing here, and "
            "the list tells of none that it is gone."
        )
        return Standing(text="in part", tone="warn", why=why)
    if board.coverage == "partial":
        trouble = f", because {problem_said(board.problem)}" if board.problem else ""
        why = (
            f"Not all of its list could be read{trouble}: openings may be missing, and ones that are gone "
            "may stand."
        )
        return Standing(text="in part", tone="warn", why=why)
    if board.last_pull_at is not None and now - board.last_pull_at > LATE_AFTER and not _rests(board, now):
        why = "Its turn to be read is over, and nothing read it: no worker may be running."
        return Standing(text="late", tone="warn", why=why)
    return None


def _rests(board: BoardLine, now: datetime) -> bool:
    return board.rests_until is not None and board.rests_until > now


def _ahead(at: datetime | None, now: datetime) -> datetime | None:
    return at if at is not None and at > now else None
