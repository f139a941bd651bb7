"""Which draft of this posting a field asks for. Pure.

A text the person wrote or accepted is filled; a machine's text that nobody has read is only shown.
"""

from collections.abc import Sequence

from extension_api.answers.agreement import agreement
from extension_api.answers.remembering import asked_text
from extension_api.answers.wording import question_key, wording
from extension_api.protocol import Draft, FieldDescription, Reason


def draft_for(field: FieldDescription, drafts: Sequence[Draft]) -> Draft | None:
    """The draft for the same question; None when there is none, or two that differ."""
    label = asked_text(field)
    exact = [draft for draft in drafts if question_key(draft.question) == question_key(label)]
    said = wording(label)
    found = exact or [draft for draft in drafts if agreement(said, wording(draft.question)) == "same"]
    return found[0] if len(found) == 1 else None


def why_not(draft: Draft, field: FieldDescription) -> Reason | None:
    """Why a draft is left; None when it is fit to be used."""
    is_writing = draft.state == "writing" and not is_the_persons(draft)
    if is_writing or draft.state in {"empty", "failed"} or not draft.text.strip():
        return "draft_not_ready"
    if field.max_length is not None and 0 < field.max_length < len(draft.text):
        return "too_long"
    return None


def is_the_persons(draft: Draft) -> bool:
    """The person wrote it, or read and accepted it."""
    return draft.is_accepted or draft.author == "person"
