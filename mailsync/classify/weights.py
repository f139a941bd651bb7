"""Which of several events in one message weighs most, and which are not worth saying beside it. Pure."""

from collections.abc import Iterable

from schema.vocabulary import EventKind

ORDER: tuple[EventKind, ...] = (
    "rejection",
    "position_closed",
    "offer",
    "assessment_invite",
    "interview_scheduled",
    "interview_invite",
    "info_request",
    "withdrawal_confirmed",
    "recruiter_outreach",
    "status_update",
    "acknowledgement",
    "not_job_related",
)


def _kinds(*kinds: EventKind) -> frozenset[EventKind]:
    return frozenset(kinds)


NEGATIVE = _kinds("rejection", "position_closed")
ADVANCES = _kinds("offer", "interview_scheduled", "interview_invite", "assessment_invite")
MILD = _kinds("status_update", "withdrawal_confirmed")
"""What may be said although an unexplained sign of bad news stands in the message."""

_POLITE = _kinds("acknowledgement", "status_update")
# What the heavier event makes not worth saying: an invitation thanks for the application too.
_SILENCES: dict[EventKind, frozenset[EventKind]] = {
    "rejection": _POLITE | _kinds("recruiter_outreach", "info_request"),
    "position_closed": _POLITE | _kinds("recruiter_outreach", "info_request"),
    "offer": _POLITE | _kinds("recruiter_outreach", "interview_invite"),
    "interview_scheduled": _POLITE | _kinds("recruiter_outreach", "interview_invite"),
    "interview_invite": _POLITE,
    "assessment_invite": _kinds("status_update", "recruiter_outreach"),
    "withdrawal_confirmed": _POLITE,
    "recruiter_outreach": _kinds("interview_invite", "info_request"),
    "acknowledgement": _kinds("status_update"),
}


def heaviest_first(kinds: Iterable[EventKind]) -> list[EventKind]:
    return sorted(kinds, key=ORDER.index)


def unsilenced(kinds: Iterable[EventKind]) -> list[EventKind]:
    """The kinds that none of the others silences."""
    found = set(kinds)
    silent = {silenced for kind in found for silenced in _SILENCES.get(kind, frozenset[EventKind]())}
    return [kind for kind in heaviest_first(found) if kind not in silent]
