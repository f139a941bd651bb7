"""The refusals of the domain: one class each, with a stable code and the kind of answer it is.

The docstring of a class is its title, written once and shown to people. Nothing here knows HTTP:
`backend/http/problems.py` holds the one table from kind to status.
"""

from typing import ClassVar, Literal

Kind = Literal[
    "invalid",
    "unauthenticated",
    "forbidden",
    "missing",
    "conflict",
    "gone",
    "too_large",
    "unsupported",
    "too_many",
    "busy",
    "unavailable",
]


class Refusal(Exception):
    """This cannot be done."""

    code: ClassVar[str] = "refused"
    kind: ClassVar[Kind] = "invalid"

    def __init__(
        self, detail: str = "", *, field: str | None = None, retry_after_seconds: int | None = None
    ) -> None:
        self.detail = detail or self.title()
        self.field = field
        self.retry_after_seconds = retry_after_seconds
        super().__init__(self.detail)

    @classmethod
    def title(cls) -> str:
        return (cls.__doc__ or cls.__name__).strip().splitlines()[0]


class Invalid(Refusal):
    """Something in the request is not valid."""

    code = "invalid"


class Missing(Refusal):
    """There is nothing here under that address, or it is not yours."""

    code = "not_found"
    kind = "missing"


class Unavailable(Refusal):
    """The database cannot be reached at the moment; nothing was changed."""

    code = "database_unavailable"
    kind = "unavailable"


class HeldElsewhere(Refusal):
    """Somebody else is doing this right now."""

    code = "held_elsewhere"
    kind = "busy"


def every_refusal() -> list[type[Refusal]]:
    """All refusals imported so far, for the error table in the docs and its test."""
    found: list[type[Refusal]] = []
    queue: list[type[Refusal]] = [Refusal]
    while queue:
        cls = queue.pop()
        found.append(cls)
        queue.extend(cls.__subclasses__())
    return sorted(found, key=lambda cls: cls.code)
