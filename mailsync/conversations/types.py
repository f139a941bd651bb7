"""What ties a message to a conversation, and the kept messages it could continue. Only structs."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from schema.ids import MessageId
from schema.vocabulary import ContinuedBy, EventKind


class Tie(msgspec.Struct, frozen=True, kw_only=True):
    """One way of continuing a message, and what both have in common."""

    way: ContinuedBy
    key: str


class Bond(msgspec.Struct, frozen=True, kw_only=True):
    """Everything by which a message that says nothing of jobs itself may belong to one that does.

    `message_id` is its own RFC Message-ID, by which an answer to it goes on; `writer` is set only for a
    person's address.
    """

    message_id: str | None
    answers: tuple[str, ...] = ()
    thread: str | None = None
    meetings: tuple[str, ...] = ()
    writer: str | None = None
    sent_at: datetime | None = None

    def ties(self) -> Iterator[Tie]:
        """The strongest first."""
        for uid in self.meetings:
            yield Tie(way="calendar", key=uid)
        for rfc_id in self.answers:
            yield Tie(way="answers", key=rfc_id)
        if self.thread:
            yield Tie(way="thread", key=self.thread)
        if self.writer:
            yield Tie(way="writer", key=self.writer)

    def gives(self) -> Iterator[Tie]:
        """By what others continue this message, once it is kept. It makes nobody's address known."""
        for uid in self.meetings:
            yield Tie(way="calendar", key=uid)
        if self.message_id:
            yield Tie(way="answers", key=self.message_id)
        if self.thread:
            yield Tie(way="thread", key=self.thread)


class Lender(msgspec.Struct, frozen=True, kw_only=True):
    """A message kept whole that has something in common with a new one, as its reading in force stands.

    `is_root` False: the common thing is that of a message that itself was only kept for continuing this one.
    """

    way: ContinuedBy
    key: str
    message_id: MessageId
    is_root: bool
    is_continuing: bool
    is_bulk: bool
    is_forward: bool
    is_attached: bool
    names_a_job: bool
    is_decided: bool
    kinds: list[EventKind]
    from_owner: bool
    sender_address: str
    sent_at: datetime | None


class Continued(msgspec.Struct, frozen=True, kw_only=True):
    """Why a message is kept: which one it continues, and by what."""

    way: ContinuedBy
    message_id: MessageId
