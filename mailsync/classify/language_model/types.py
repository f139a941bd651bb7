"""What goes to a language model and what comes back. Only structs; no decisions here."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from pipeline.usage.types import Tokens
from schema.ids import MessageId

Ended = Literal["complete", "cut_off", "declined", "filtered"]
"""How the model ended its answer: whole, at the limit of its length, by saying no, or stopped by a filter."""

TroubleKind = Literal[
    "key_refused", "out_of_credit", "throttled", "unavailable", "request_refused", "not_there"
]
"""Why there is no answer. `request_refused` is about this one request, `not_there` about every one."""


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A message as far as this stage may see it: no recipients, no history, no signature."""

    id: MessageId
    sender_name: str
    sender_address: str
    subject: str
    body: str


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One request. `key`, a hash of what it is about, goes along, so that the request can be found again."""

    key: str
    instructions: str
    content: str


class AnswerForm(msgspec.Struct, frozen=True, kw_only=True):
    """The form an answer is to have: a JSON schema in the strict form, under a name the API wants."""

    name: str
    schema: dict[str, object]


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer. `custom_id` is what we sent with the try that brought it."""

    text: str
    ended: Ended
    custom_id: str
    request_id: str | None
    tokens: Tokens
    asked_at: datetime


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """No answer was had within the budget. `wait_seconds` is the provider's own word, when it gave one."""

    kind: TroubleKind
    wait_seconds: float | None = None


class Ask(Protocol):
    """Puts one question, within the budget of `client.py`. Never raises what the provider did."""

    def __call__(self, question: Question, /) -> Awaitable[Answered | Trouble]: ...
