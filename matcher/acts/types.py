"""What one act is: a decision about a status, an ask, a pair, a split, or a whole pattern. Only structs."""

from datetime import datetime

import msgspec

from matcher.decisions.types import Actor
from schema.ids import ActId, ApplicationId, AskId, MessageId
from schema.vocabulary import ActAbout, Stage


class NewAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act to append. `replaced` is what stood before, encoded as JSON by whoever can put it back.

    `message_id` and `stage` are of a status: which message proposes it, and to what. `messages` counts the
    decisions about messages that belong to the act.
    """

    about: ActAbout
    choice: str
    actor: Actor = "person"
    application_id: ApplicationId | None = None
    other_application_id: ApplicationId | None = None
    ask_id: AskId | None = None
    message_id: MessageId | None = None
    stage: Stage | None = None
    pattern: str | None = None
    messages: int = 0
    replaced: msgspec.Raw | None = None


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """An act as it stands in the log. It is undone once or never."""

    act_id: ActId
    about: ActAbout
    choice: str
    actor: Actor
    application_id: ApplicationId | None
    other_application_id: ApplicationId | None
    ask_id: AskId | None
    message_id: MessageId | None
    stage: Stage | None
    pattern: str | None
    messages: int
    replaced: bytes | None
    created_at: datetime
    undone_at: datetime | None
