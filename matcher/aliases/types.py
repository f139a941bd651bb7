"""What another name of an employer is. Only structs."""

from datetime import datetime
from typing import Literal

import msgspec

from schema.ids import AliasId, ApplicationId, MessageId

AliasOrigin = Literal["person", "confirmed"]


class Alias(msgspec.Struct, frozen=True, kw_only=True):
    """One ground for holding two names for one employer's; the same two can have several."""

    alias_id: AliasId
    alias: str
    alias_key: str
    company: str
    company_key: str
    origin: AliasOrigin
    created_at: datetime


class OtherName(msgspec.Struct, frozen=True, kw_only=True):
    """A name the message uses, seen from the employer it is another name of.

    `used` is what the message calls it, `key` under which the application stands: an alias works both
    ways. `since` is when it was first entered or confirmed.
    """

    used: str
    used_key: str
    key: str
    origin: AliasOrigin
    since: datetime


class ListedName(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list: two names held for one employer's, with where that came from.

    `counts` is False for a name of two employers: it writes for several, so it is evidence for none.
    `message_id` is the confirmed message it was learned from first, `confirmed` how many there are.
    """

    alias_id: AliasId
    alias: str
    company: str
    origin: AliasOrigin
    created_at: datetime
    confirmed: int
    message_id: MessageId | None
    subject: str | None
    counts: bool


class Unnoted(msgspec.Struct, frozen=True, kw_only=True):
    """An application of which it is not noted how its employer may be named, by the rules of today."""

    application_id: ApplicationId
    company: str | None
    company_key: str | None
    role: str | None
    role_key: str | None
