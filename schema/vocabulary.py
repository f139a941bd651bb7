"""The closed sets of words that several floors share. A test compares each with the CHECK that holds it."""

from typing import Literal

EventKind = Literal[
    "acknowledgement",
    "rejection",
    "position_closed",
    "assessment_invite",
    "interview_invite",
    "interview_scheduled",
    "info_request",
    "offer",
    "recruiter_outreach",
    "withdrawal_confirmed",
    "status_update",
    "not_job_related",
]
"""What a message can say."""

SpanSource = Literal["subject", "text", "header", "signature", "calendar"]
"""The part of a message a span counts characters of; the signature is what stands under a signature mark."""

ReadingStage = Literal["structure", "rules", "local_model", "language_model", "person"]
"""Who read the message, cheapest first."""

FactName = Literal[
    "employer",
    "role",
    "requisition",
    "posting_url",
    "board",
    "tenant",
    "platform",
    "place",
    "contact",
    "deadline",
    "appointment",
    "meeting",
]
"""What a message can name, besides what it says. An appointment is when it happens, a deadline by when, a
meeting the invitation by its calendar UID."""

ContinuedBy = Literal["calendar", "answers", "thread", "writer", "application"]
"""Why mail that says nothing of a job is kept: it carries the invitation of a message that does, answers it,
stands in its thread, was written by the person who wrote it, or names an application that was recorded."""

Stage = Literal[
    "applied", "acknowledged", "assessment", "interviewing", "offer", "rejected", "withdrawn", "closed"
]
"""Where an application stands; the last three are ends, and an end can reopen."""

ApplicationOrigin = Literal["extension", "tracker", "manual", "derived", "import"]

MatchOutcome = Literal["attached", "asks", "none", "not_an_application", "not_job_mail"]
"""What was decided about a message; no row at all means it was not examined."""

Choice = Literal[
    "confirm",
    "confirm_all",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
    "undo",
]
"""What a person can decide about a message. `confirm_all` attaches it to every application it names."""

ActAbout = Literal["status", "ask", "pair", "split", "pattern"]
"""What a person can decide besides one message: a proposed status, what an employer waits for, two records of
one application, messages that belong to another, all messages with one pattern of evidence."""

EvidenceName = Literal[
    "posting_url",
    "board_posting",
    "requisition",
    "reply_chain",
    "thread",
    "employer",
    "tenant",
    "role",
    "contact",
    "calendar",
    "time",
]
Direction = Literal["for", "against", "veto"]

AskKind = Literal["finish_assessment", "choose_time", "send_information", "answer_offer"]

Coverage = Literal["complete", "capped", "partial", "failed", "surprising_empty"]
"""How much of a board a pull saw; only `complete` may count a posting as missed."""

TaskStatus = Literal["pending", "running", "waiting", "awaiting_batch", "done", "failed", "cancelled"]
