"""What a message says that could be the names of an application, and the applications. Only structs."""

from datetime import date, datetime

import msgspec


class Mentions(msgspec.Struct, frozen=True, kw_only=True):
    """`companies` are keys of every run of words that a company could be called; `confirmed` are those
    that only the subject of a board's mail to many names; `writer` are those the sender itself is called by,
    where the message reads like news of an application; `lines` are what may hold the title, as written."""

    companies: frozenset[str]
    confirmed: frozenset[str]
    writer: frozenset[str]
    lines: tuple[str, ...]
    sent_at: datetime | None


class Tracked(msgspec.Struct, frozen=True, kw_only=True):
    """One application as the person, the extension or a tracker recorded it. `name_key`: its company's key,
    or that of another name the person holds the company to have."""

    name_key: str
    role: str | None
    applied_at: datetime | None
    applied_on: date | None
