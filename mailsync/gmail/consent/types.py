"""What consent deals with. No secret here has a repr that shows it."""

from datetime import datetime
from typing import Literal

import msgspec

from mailsync.gmail.types import MailboxState
from schema.ids import MailboxId

READ_MAIL = "https://www.googleapis.com/auth/gmail.readonly"
SCOPES = (READ_MAIL, "openid", "https://www.googleapis.com/auth/userinfo.email")
"""Exactly what is asked for. Never more: reading without changing, and whose mailbox it is."""

ConsentEnd = Literal["connected", "scope_declined", "refresh_missing", "denied"]


class OAuthClient(msgspec.Struct, frozen=True, kw_only=True):
    """The installation's own client at Google; `source` says where it was found."""

    client_id: str
    client_secret: str
    source: Literal["settings", "entered"]

    def __repr__(self) -> str:
        return f"OAuthClient(client_id={self.client_id!r}, source={self.source!r})"


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """What Google handed out. `lives_seconds` None: it did not say how long the access token lives."""

    access: str
    refresh: str | None
    lives_seconds: float | None
    scopes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Tokens(scopes={self.scopes!r}, refresh={self.refresh is not None})"


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Who consented. `google_id` stays when the address changes."""

    google_id: str
    address: str


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A visit to Google that came back. `mailbox_id`: the mailbox that was to be connected again."""

    code_verifier: str
    redirect_url: str
    mailbox_id: MailboxId | None

    def __repr__(self) -> str:
        return f"Visit(mailbox_id={self.mailbox_id!r})"


class Consented(msgspec.Struct, frozen=True, kw_only=True):
    """How a visit ended. Only `connected` has tokens; `state` is the mailbox's, when there is one."""

    end: ConsentEnd
    mailbox_id: MailboxId | None = None
    address: str = ""
    state: MailboxState | None = None


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """Where the person is sent, and until when Google's answer is taken."""

    url: str
    expires_at: datetime
