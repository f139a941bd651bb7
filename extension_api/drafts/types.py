"""What a draft, its versions and what they are written from look like inside. Only structs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from extension_api.protocol import Author, DraftState
from schema.ids import DraftId

Failure = Literal[
    "no_model",
    "not_allowed",
    "no_answer",
    "gave_up",
    "model_request_refused",
    "key_refused",
    "out_of_credit",
    "nothing_to_rest_on",
    "not_in_sources",
    "invalid",
    "cut_off",
    "declined",
    "filtered",
]
"""Why a writing came to nothing. `not_in_sources` is the one that leaves a text, kept out of use."""

Outcome = Literal[
    "written",
    "too_long",
    "not_in_sources",
    "nothing_to_rest_on",
    "invalid",
    "cut_off",
    "declined",
    "filtered",
    "too_late",
]
"""What a paid answer was good for, as the ledger keeps it."""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A draft that is locked, with the version in force; `author` None and `text` "" while there is none."""

    id: DraftId
    canonical_url: str
    company: str | None
    role: str | None
    question: str
    max_chars: int | None
    asks: int
    ask_generation: int | None
    ask_replaces: bool
    generation: int
    state: DraftState
    author: Author | None
    text: str
    is_doubted: bool
    accepted_at: datetime | None
    is_under_way: bool

    @property
    def is_the_persons(self) -> bool:
        """The person wrote it, or read and accepted it."""
        return self.author == "person" or self.accepted_at is not None


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One text a draft had or was offered. `ask` is which asking of a machine it answers."""

    generation: int
    author: Author
    text: str
    rests_on: list[str]
    not_in_sources: list[str]
    ask: int | None
    created_at: datetime


class NewDraft(msgspec.Struct, frozen=True, kw_only=True):
    canonical_url: str
    company: str | None
    role: str | None
    question: str
    question_key: str
    max_chars: int | None


class NewVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A machine's names its model, its prompt's version and the asking it answers."""

    author: Author
    text: str
    rests_on: Sequence[str] = ()
    not_in_sources: Sequence[str] = ()
    ask: int | None = None
    model: str | None = None
    prompt_version: int | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Which version is in force, and how the draft stands with it."""

    generation: int
    state: DraftState
    failure: Failure | None = None
    accepted_at: datetime | None = None


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of what may be written from. `id` is how an answer names it, `label` how a person reads it.

    `is_persons`: it is about the person, not about the job.
    """

    id: str
    label: str
    text: str
    is_persons: bool


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one question to a model is made of."""

    question: str
    company: str | None
    role: str | None
    max_chars: int | None
    facts: Sequence[Fact]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer is worth. `text` None: there is nothing to keep of it."""

    outcome: Outcome
    text: str | None = None
    rests_on: Sequence[str] = ()
    not_in_sources: Sequence[str] = ()
