"""The Gmail door as the pages use it: one `Connections` for the process, made when it is first needed.

What it needs, the keys for stored secrets and addresses that can be used, may be broken; then each page that
asks gets the refusal, and every other page works.
"""

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from backend.http.origin import is_loopback
from mailsync.archive.store import installation_owner
from mailsync.gmail.consent.rules import redirect_url
from mailsync.gmail.consent.types import OAuthClient
from mailsync.gmail.status import GmailStatus, gmail_status
from mailsync.gmail.types import Label, Who
from schema.clock import Clock
from schema.db import Database
from schema.errors import Missing, Refusal
from schema.ids import AccountId, MailboxId
from schema.secrets.keys import ensure
from schema.settings import Settings

if TYPE_CHECKING:
    from mailsync.gmail.connections import Connections

_LABELS = {
    "INBOX": "Inbox",
    "SENT": "Sent",
    "STARRED": "Starred",
    "IMPORTANT": "Important",
    "CATEGORY_PERSONAL": "Primary",
    "CATEGORY_SOCIAL": "Social",
    "CATEGORY_PROMOTIONS": "Promotions",
    "CATEGORY_UPDATES": "Updates",
    "CATEGORY_FORUMS": "Forums",
}
_LABELS_SECONDS = 8.0
"""How long a page waits for Google to name the labels; without an answer it goes without."""


class ClientShown(msgspec.Struct, frozen=True, kw_only=True):
    """The OAuth client without its secret. `trouble`: why it cannot be read at the moment."""

    client_id: str = ""
    is_set_by_environment: bool = False
    trouble: str = ""

    @property
    def is_present(self) -> bool:
        return bool(self.client_id)


class GmailDoor:
    """What pages do at the Gmail door."""

    def __init__(self, database: Database, clock: Clock, settings: Settings) -> None:
        self._database = database
        self._clock = clock
        self._settings = settings
        self._made: Connections | None = None

    async def connections(self) -> "Connections":
        """Raises the refusal of keys or settings that cannot be used."""
        if self._made is None:
            self._made = await asyncio.to_thread(self._make)
        return self._made

    def _make(self) -> "Connections":
        # Google's libraries take half a second to load: only those who have a mailbox there wait for them.
        from mailsync.gmail.keeper import connections  # noqa: PLC0415

        self._settings.home.folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        ring = ensure(self._settings.home, self._clock)
        return connections(self._database, self._clock, self._settings, ring)

    async def client(self) -> ClientShown:
        """Never raises: a page says what is wrong."""
        try:
            found = await (await self.connections()).grants.client()
        except Refusal as refusal:
            return ClientShown(trouble=refusal.detail)
        return ClientShown() if found is None else _shown(found)

    async def enter_client(self, account_id: AccountId, client_id: str, client_secret: str) -> None:
        """Sealed, with the owner of the installation."""
        grants = (await self.connections()).grants
        await grants.enter_client(await self._owner(account_id), client_id, client_secret)

    async def forget_client(self, account_id: AccountId) -> bool:
        grants = (await self.connections()).grants
        return await grants.forget_client(await self._owner(account_id))

    async def _owner(self, account_id: AccountId) -> AccountId:
        async with self._database.as_fleet() as unit:
            return await installation_owner(unit) or account_id

    async def every(self, account_id: AccountId) -> list[GmailStatus]:
        return await gmail_status(self._database, self._clock, account_id)

    async def one(self, who: Who) -> GmailStatus:
        """Raises `Missing`: also for what belongs to somebody else."""
        for status in await self.every(who.account_id):
            if status.mailbox_id == who.mailbox_id:
                return status
        raise Missing

    async def labels(self, who: Who) -> list[Label] | None:
        """The labels of a mailbox by name; None when Google does not tell them now."""
        try:
            door = await self.connections()
            async with asyncio.timeout(_LABELS_SECONDS):
                found = await door.labels(who)
        except (Refusal, TimeoutError):
            return None
        return sorted(offered(found), key=lambda label: (not label.own, label.name.casefold()))


def offered(labels: list[Label]) -> list[Label]:
    """Those of the person, and of Gmail's own the ones that mean something to a reader, in words."""
    own = [label for label in labels if label.own]
    words = {label.label_id: _LABELS[label.label_id] for label in labels if label.label_id in _LABELS}
    return own + [Label(label_id=label_id, name=name, own=False) for label_id, name in words.items()]


def who_of(account_id: AccountId, mailbox_id: int) -> Who:
    return Who(account_id=account_id, mailbox_id=MailboxId(mailbox_id))


def way_back(address: str) -> str:
    """Where Google sends people back to, for somebody who reaches the pages at `address`."""
    return redirect_url(address)


def is_taken_by_google(address: str) -> bool:
    """Whether Google accepts an address of this kind as the way back: https with a name, or this machine."""
    parts = urlsplit(address)
    name = parts.hostname or ""
    return is_loopback(name) or (
        parts.scheme == "https" and "." in name and not name.replace(".", "").isdigit()
    )


def _shown(client: OAuthClient) -> ClientShown:
    return ClientShown(client_id=client.client_id, is_set_by_environment=client.source == "settings")
