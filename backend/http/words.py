"""The closed words of the schema as people read them: one English phrase each, and a tone for its badge.

A tone is carried by a shape as well as by a color. A rejection is `quiet`: an end is a fact, not an alarm.
Nothing here decides anything; a test holds that no word of `schema.vocabulary` lacks its phrase.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

Tone = Literal["plain", "good", "warn", "bad", "quiet"]


class Word(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    tone: Tone = "plain"


def _w(text: str, tone: Tone = "plain") -> Word:
    return Word(text=text, tone=tone)


STAGES: Mapping[str, Word] = {
    "applied": _w("Applied"),
    "acknowledged": _w("Acknowledged"),
    "assessment": _w("Assessment", "warn"),
    "interviewing": _w("Interviewing", "warn"),
    "offer": _w("Offer", "good"),
    "rejected": _w("Rejected", "quiet"),
    "withdrawn": _w("Withdrawn", "quiet"),
    "closed": _w("Closed", "quiet"),
}
KINDS: Mapping[str, Word] = {
    "acknowledgement": _w("Receipt"),
    "rejection": _w("Rejection", "quiet"),
    "position_closed": _w("Position closed", "quiet"),
    "assessment_invite": _w("Assessment invite", "warn"),
    "interview_invite": _w("Interview invite", "warn"),
    "interview_scheduled": _w("Interview scheduled", "warn"),
    "info_request": _w("Asks for information", "warn"),
    "offer": _w("Offer", "good"),
    "recruiter_outreach": _w("Outreach"),
    "withdrawal_confirmed": _w("Withdrawal confirmed", "quiet"),
    "status_update": _w("Status update"),
    "not_job_related": _w("Not about a job", "quiet"),
}
OUTCOMES: Mapping[str, Word] = {
    "attached": _w("Attached", "good"),
    "asks": _w("Waits for you", "warn"),
    "none": _w("No application fits", "quiet"),
    "not_an_application": _w("Not about an application", "quiet"),
    "not_job_mail": _w("Not job mail", "quiet"),
}
CHOICES: Mapping[str, Word] = {
    "confirm": _w("Confirmed"),
    "confirm_all": _w("Confirmed for several"),
    "reject": _w("Not this application"),
    "assign": _w("Moved to another application"),
    "create_application": _w("Made a new application"),
    "not_an_application": _w("Not about an application"),
    "not_job_mail": _w("Not job mail"),
    "undo": _w("Undone"),
}
VERBS: Mapping[str, Word] = {
    **CHOICES,
    "accept_status": _w("Followed the mail"),
    "decline_status": _w("Kept the status"),
    "mark_done": _w("Marked as done"),
    "merge": _w("Made one application"),
    "keep_apart": _w("Kept as two applications"),
    "split": _w("Split off"),
}
"""Everything that can be decided, about a message or anything else that waits."""
EVIDENCE: Mapping[str, Word] = {
    "posting_url": _w("Address of the posting"),
    "board_posting": _w("Posting number at the platform"),
    "requisition": _w("Requisition number"),
    "reply_chain": _w("Reply to a known message"),
    "thread": _w("Same thread"),
    "employer": _w("Employer's name"),
    "tenant": _w("Employer at the platform"),
    "role": _w("Role"),
    "contact": _w("Known contact"),
    "calendar": _w("Known invitation"),
    "time": _w("Time"),
}
DIRECTIONS: Mapping[str, Word] = {
    "for": _w("For", "good"),
    "against": _w("Against", "warn"),
    "veto": _w("Rules it out", "bad"),
}
ORIGINS: Mapping[str, Word] = {
    "extension": _w("Recorded by the extension when the form was sent"),
    "tracker": _w("Recorded from a posting in the catalog"),
    "manual": _w("Added by hand"),
    "derived": _w("Concluded from mail", "warn"),
    "import": _w("Imported"),
}
ASKS: Mapping[str, Word] = {
    "finish_assessment": _w("Finish the assessment"),
    "choose_time": _w("Choose a time"),
    "send_information": _w("Send information"),
    "answer_offer": _w("Answer the offer"),
}
READERS: Mapping[str, Word] = {
    "structure": _w("The message's structure"),
    "rules": _w("A rule"),
    "local_model": _w("The local model"),
    "language_model": _w("A language model"),
    "person": _w("You"),
}
CONTINUED: Mapping[str, Word] = {
    "calendar": _w("changes or answers the invitation of"),
    "answers": _w("answers"),
    "thread": _w("stands in one thread with"),
    "writer": _w("comes from the person who wrote"),
    "application": _w("names an application of yours: who hires, and the title"),
}
FACTS: Mapping[str, Word] = {
    "employer": _w("Employer"),
    "role": _w("Role"),
    "requisition": _w("Requisition"),
    "posting_url": _w("Posting"),
    "board": _w("Board"),
    "tenant": _w("Employer at the platform"),
    "platform": _w("Platform"),
    "place": _w("Place"),
    "contact": _w("Contact"),
    "deadline": _w("Deadline"),
    "appointment": _w("Appointment"),
    "meeting": _w("Calendar entry"),
}
TASKS: Mapping[str, Word] = {
    "pending": _w("Waits for a worker"),
    "running": _w("Runs", "good"),
    "waiting": _w("Waits for its parts"),
    "awaiting_batch": _w("Waits for a batch"),
    "done": _w("Done", "quiet"),
    "failed": _w("Failed", "bad"),
    "cancelled": _w("Cancelled", "quiet"),
}
TASK_EVENTS: Mapping[str, Word] = {
    "retried": _w("Put off to be tried again", "warn"),
    "failed": _w("Failed", "bad"),
    "lost": _w("Its worker went silent", "warn"),
    "parked": _w("Parked until its batch is back"),
    "resumed": _w("Taken up again"),
    "split": _w("Split into parts"),
    "cancelled": _w("Cancelled", "quiet"),
    "replayed": _w("Asked for once more"),
}

_SETS: dict[str, Mapping[str, Word]] = {
    "stage": STAGES,
    "kind": KINDS,
    "outcome": OUTCOMES,
    "choice": CHOICES,
    "verb": VERBS,
    "evidence": EVIDENCE,
    "direction": DIRECTIONS,
    "origin": ORIGINS,
    "ask": ASKS,
    "reader": READERS,
    "continued": CONTINUED,
    "fact": FACTS,
    "task": TASKS,
    "task_event": TASK_EVENTS,
}


def word(value: str, of: str) -> Word:
    """The phrase for `value` of the set `of`: the template filter `word("stage")`."""
    return _SETS[of][value]
