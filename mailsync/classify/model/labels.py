"""The labels of the model: kinds of events, reasons of mail about jobs in general, and two of nothing.

Only names and which of them are good or bad news.
"""

from typing import Literal, get_args

from mailsync.classify.types import NoiseReason
from schema.vocabulary import EventKind

Label = Literal[
    "rejection",
    "position_closed",
    "acknowledgement",
    "assessment_invite",
    "interview_invite",
    "interview_scheduled",
    "info_request",
    "offer",
    "recruiter_outreach",
    "withdrawal_confirmed",
    "status_update",
    "job_alert",
    "account",
    "marketing",
    "survey",
    "one_time_code",
    "unrelated",
    "unclear",
]
"""`unclear` is hiring mail that has said nothing yet: never decided."""

LABELS: tuple[Label, ...] = get_args(Label)

NEGATIVE: frozenset[Label] = frozenset(("rejection", "position_closed"))
POSITIVE: frozenset[Label] = frozenset(
    (
        "acknowledgement",
        "assessment_invite",
        "interview_invite",
        "interview_scheduled",
        "info_request",
        "offer",
        "recruiter_outreach",
    )
)
"""What must never be said of a refusal."""

NOISE: dict[Label, NoiseReason | None] = {
    "job_alert": "job_alert",
    "account": "account",
    "marketing": "marketing",
    "survey": "survey",
    "one_time_code": "one_time_code",
    "unrelated": None,
}


def kind_of(label: Label) -> EventKind:
    """The kind an event of this label has. `unclear` has none and must not be asked."""
    if label in NOISE:
        return "not_job_related"
    if label == "unclear":
        raise ValueError(label)
    return _KINDS[label]


_KINDS: dict[Label, EventKind] = {
    "rejection": "rejection",
    "position_closed": "position_closed",
    "acknowledgement": "acknowledgement",
    "assessment_invite": "assessment_invite",
    "interview_invite": "interview_invite",
    "interview_scheduled": "interview_scheduled",
    "info_request": "info_request",
    "offer": "offer",
    "recruiter_outreach": "recruiter_outreach",
    "withdrawal_confirmed": "withdrawal_confirmed",
    "status_update": "status_update",
}
