"""What the parts of `accounts` say to each other and to the pages: people, sessions, invitations."""

from datetime import datetime
from typing import NewType

import msgspec

from schema.ids import AccountId

SessionId = NewType("SessionId", int)
InvitationId = NewType("InvitationId", int)
Language = str
"""An IETF language tag the pages are written in; `rules.LANGUAGES` lists them."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A person as the pages need them; the password's hash stays in the store."""

    id: AccountId
    email: str
    display_name: str
    is_operator: bool
    time_zone: str
    language: Language
    created_at: datetime
    setup_ended_at: datetime | None
    disabled_at: datetime | None


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One browser that is signed in."""

    account_id: AccountId
    id: SessionId
    agent: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """A link that lets one more person make an account."""

    account_id: AccountId
    id: InvitationId
    note: str
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None
    revoked_at: datetime | None
