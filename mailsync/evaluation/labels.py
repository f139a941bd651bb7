"""The labels of a folder of mail, `labels.jsonl`, and how readings are compared with them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args

import msgspec

from schema.errors import Refusal
from schema.vocabulary import EventKind

Answer = Literal[
    "rejection",
    "acknowledgement",
    "interview_or_assessment",
    "outreach",
    "action_needed",
    "none",
    "offer",
    "status_update",
    "withdrawn",
]
"""What a message is, as labels tell it."""

ANSWERS: tuple[Answer, ...] = get_args(Answer)
MAIN: tuple[Answer, ...] = ANSWERS[:6]
"""Those whose F1 is averaged."""

OF_LABEL: Mapping[str, Answer] = {
    "rejection": "rejection",
    "position_closed": "rejection",
    "acknowledgement": "acknowledgement",
    "confirmation": "acknowledgement",
    "interview": "interview_or_assessment",
    "interview_invite": "interview_or_assessment",
    "interview_scheduled": "interview_or_assessment",
    "assessment": "interview_or_assessment",
    "assessment_invite": "interview_or_assessment",
    "offer": "offer",
    "outreach": "outreach",
    "recruiter": "outreach",
    "recruiter_outreach": "outreach",
    "action_needed": "action_needed",
    "info_request": "action_needed",
    "status_update": "status_update",
    "withdrawn": "withdrawn",
    "withdrawal_confirmed": "withdrawn",
    "none": "none",
    "job_alert": "none",
    "account": "none",
    "marketing": "none",
    "survey": "none",
    "unrelated": "none",
    "not_job_related": "none",
}
OF_KIND: Mapping[EventKind, Answer] = {
    "rejection": "rejection",
    "position_closed": "rejection",
    "acknowledgement": "acknowledgement",
    "interview_invite": "interview_or_assessment",
    "interview_scheduled": "interview_or_assessment",
    "assessment_invite": "interview_or_assessment",
    "offer": "offer",
    "recruiter_outreach": "outreach",
    "info_request": "action_needed",
    "status_update": "status_update",
    "withdrawal_confirmed": "withdrawn",
    "not_job_related": "none",
}


class NotLabelled(Refusal):
    """The folder has no labels that can be read."""

    code = "mail_not_labelled"
    kind = "invalid"


class Labelled(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the file. Other fields are allowed and not read."""

    file: str
    label: str
    employer: str | None = None
    role: str | None = None


def labelled(folder: Path) -> Iterator[Labelled]:
    path = folder / "labels.jsonl"
    if not path.is_file():
        raise NotLabelled(f"There is no labels.jsonl in {folder}.")
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if line.strip():
            yield _decoded(line, number)


def _decoded(line: bytes, number: int) -> Labelled:
    try:
        return msgspec.json.decode(line, type=Labelled)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotLabelled(f"Line {number} of labels.jsonl cannot be read: {error}") from error
