"""Lines of the two logs as the database gives them. Only structs."""

from datetime import datetime

import msgspec

from matcher.acts.types import Actor
from schema.ids import ActId, ApplicationId, AskId, DecisionId, MessageId
from schema.vocabulary import ActAbout, Choice, MatchOutcome, Stage


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """Where a line of the history stands: in which log, under which id."""

    at: datetime
    is_act: bool
    id: int


class DecisionRow(msgspec.Struct, frozen=True, kw_only=True):
    """`newest_id` is the person's last decision about the message of any sort, `standing_id` the last that
    was not taken back."""

    decision_id: DecisionId
    actor: Actor
    choice: Choice | None
    created_at: datetime
    message_id: MessageId
    subject: str
    sent_at: datetime | None
    outcome: MatchOutcome
    application_id: ApplicationId | None
    company: str | None
    role: str | None
    pattern: str
    replaced_outcome: MatchOutcome | None
    replaced_application_id: ApplicationId | None
    undone_at: datetime | None
    newest_id: DecisionId | None
    standing_id: DecisionId | None


class ActRow(msgspec.Struct, frozen=True, kw_only=True):
    """`is_newest` when no later act about the same stands, `is_on_top` when what it did is as it left it."""

    act_id: ActId
    about: ActAbout
    actor: Actor
    choice: str
    created_at: datetime
    ask_id: AskId | None
    message_id: MessageId | None
    subject: str | None
    sent_at: datetime | None
    application_id: ApplicationId | None
    company: str | None
    role: str | None
    other_application_id: ApplicationId | None
    other_company: str | None
    other_role: str | None
    stage: Stage | None
    pattern: str | None
    messages: int
    replaced_stage: Stage | None
    undone_at: datetime | None
    is_newest: bool
    is_on_top: bool
