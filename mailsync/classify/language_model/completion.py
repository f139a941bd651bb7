"""A chat completion as servers send it, down to what this stage needs of it. Pure.

Servers that call themselves compatible leave things out: what is not told is unknown, and never 0.
"""

from datetime import datetime

import msgspec

from mailsync.classify.language_model.types import Answered, Ended
from pipeline.usage.types import Tokens
from schema.text import clean, shorten

_LONGEST_ID = 200
_MOST_TOKENS = 1_000_000_000
_ENDS: dict[str | None, Ended] = {"length": "cut_off", "content_filter": "filtered"}


class _InputDetails(msgspec.Struct, frozen=True, kw_only=True):
    cached_tokens: int | None = None


class _OutputDetails(msgspec.Struct, frozen=True, kw_only=True):
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct, frozen=True, kw_only=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct, frozen=True, kw_only=True):
    message: _Message
    finish_reason: str | None = None


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    choices: tuple[_Choice, ...]
    id: str | None = None
    usage: _Usage | None = None


def answered(
    completion: Completion, *, custom_id: str, request_id: str | None, asked_at: datetime
) -> Answered:
    choice = completion.choices[0] if completion.choices else _Choice(message=_Message())
    declined = bool(choice.message.refusal)
    return Answered(
        text=choice.message.content or "",
        ended="declined" if declined else _ENDS.get(choice.finish_reason, "complete"),
        custom_id=custom_id,
        request_id=shorten(clean(request_id), _LONGEST_ID) if request_id else None,
        tokens=_tokens(completion.usage or _Usage()),
        asked_at=asked_at,
    )


def _tokens(usage: _Usage) -> Tokens:
    details, spent = usage.prompt_tokens_details, usage.completion_tokens_details
    return Tokens(
        input=_count(usage.prompt_tokens),
        cached=_count(details.cached_tokens if details else None),
        output=_count(usage.completion_tokens),
        reasoning=_count(spent.reasoning_tokens if spent else None),
    )


def _count(told: int | None) -> int | None:
    """A number that cannot be one is not known."""
    return told if told is not None and 0 <= told <= _MOST_TOKENS else None
