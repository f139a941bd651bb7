"""Which answers are open for a proposed status, and whether an earlier one can be taken back. Pure."""

from datetime import datetime

import msgspec

from matcher.acts.types import Actor
from matcher.resolutions.choices import option, unless
from matcher.resolutions.types import Option, Touched
from schema.ids import ActId, ApplicationId, MessageId
from schema.vocabulary import Stage


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """The person's word as it stood before an act about it."""

    status: Stage | None
    status_at: datetime | None


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An application's status, what is proposed, and the last act about it that stands, with `sent_at` of the
    message that act rests on. `said_id` is the last act of all, taken back or not."""

    application_id: ApplicationId
    status: Stage | None
    status_at: datetime | None
    activity_at: datetime
    proposal: Stage | None
    proposal_message_id: MessageId | None
    proposal_at: datetime | None
    is_gone: bool
    act_id: ActId | None
    choice: str | None
    actor: Actor | None
    stage: Stage | None
    replaced: bytes | None
    sent_at: datetime | None
    said_id: ActId | None

    @property
    def waits(self) -> bool:
        return self.proposal is not None and not self.is_gone

    @property
    def is_on_top(self) -> bool:
        """Whether the last act is what the status is from: nothing newer was put on it."""
        now = (self.status, self.status_at)
        if self.choice == "accept_status":
            return now == (self.stage, self.sent_at)
        before = msgspec.json.decode(self.replaced, type=Before) if self.replaced else None
        return before is not None and now == (before.status, before.status_at)


def options(found: Proposal) -> list[Option]:
    touches = Touched(applications=[found.application_id])
    closed = unless((not found.waits, "Nothing is proposed for it now."))
    undo = unless(
        (found.act_id is None, "There is nothing of yours to take back."),
        (not found.is_on_top, "Its status was set again since; set it by hand."),
    )
    return [
        option("accept_status", closed, touches),
        option("decline_status", closed, touches),
        option("undo", undo, touches),
    ]


def why(found: Proposal) -> str:
    if found.waits:
        return "Newer mail says otherwise than you set."
    if found.choice == "accept_status" and found.is_on_top:
        return "It followed the mail by itself." if found.actor == "machine" else "You took it over."
    if found.choice == "decline_status" and found.is_on_top:
        return "You left it as you had set it."
    return "Nothing is proposed for it now."
