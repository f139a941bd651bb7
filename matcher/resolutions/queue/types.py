"""A line of the queue as the database gives it. Only structs."""

from datetime import datetime

import msgspec


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """`number` is the kind's, `word` the stage proposed or what is asked for; the rest as far as known."""

    rank: int
    at: datetime
    number: int
    first: int
    second: int
    subject: str | None
    sender_name: str | None
    sender_address: str | None
    word: str | None
    company: str | None
    role: str | None
