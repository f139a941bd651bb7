"""Grants at rest and in use: sealed refresh tokens, one refresh at a time, access tokens in memory only.

No row is locked while Google is asked. What comes back is stored only under the serial the grant was read
with, so that a consent given meanwhile is never overwritten by a late answer.
"""

import asyncio
import time
from collections import defaultdict

import msgspec

from mailsync.archive.store import installation_owner
from mailsync.gmail.consent.client import ConsentClient, ConsentFailed
from mailsync.gmail.consent.types import OAuthClient, Tokens
from mailsync.gmail.mailbox.store import Box, box_or_none, checked, locked_box
from mailsync.gmail.types import Who
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Refusal
from schema.ids import AccountId, MailboxId
from schema.secrets.keys import KeyRing
from schema.secrets.store import forget_secret, put_secret, secret
from schema.settings import GmailSettings

_CLIENT = "gmail.client"
_EARLY_SECONDS = 225.0
"""A token that runs out sooner is not used any more: a request may take its time."""
_SHORTEST_SECONDS = 60.0


class NoClient(Refusal):
    """This installation has no OAuth client yet; an operator enters it once."""

    code = "no_oauth_client"
    kind = "conflict"


class GrantLost(Exception):
    """Google no longer honours the grant, or there is none."""


class _StoredClient(msgspec.Struct, frozen=True, kw_only=True):
    client_id: str
    client_secret: str


class _Access(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    grant_serial: int
    until: float


class Grants:
    """The grants of one process."""

    def __init__(
        self, db: Database, ring: KeyRing, clock: Clock, settings: GmailSettings, google: ConsentClient
    ) -> None:
        self._db = db
        self._ring = ring
        self._clock = clock
        self._settings = settings
        self._google = google
        self._locks: defaultdict[Who, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._access: dict[Who, _Access] = {}

    async def client(self) -> OAuthClient | None:
        """From the settings, else as an operator entered it."""
        if self._settings.client_id:
            return OAuthClient(
                client_id=self._settings.client_id,
                client_secret=self._settings.client_secret,
                source="settings",
            )
        async with self._db.as_fleet() as unit:
            owner = await installation_owner(unit)
        if owner is None:
            return None
        async with self._db.as_account(owner) as unit:
            kept = await secret(unit, self._ring.keys(), _CLIENT)
        if kept is None:
            return None
        found = msgspec.json.decode(kept, type=_StoredClient)
        return OAuthClient(client_id=found.client_id, client_secret=found.client_secret, source="entered")

    async def require_client(self) -> OAuthClient:
        """Raises `NoClient`."""
        found = await self.client()
        if found is None:
            raise NoClient
        return found

    async def enter_client(self, owner: AccountId, client_id: str, client_secret: str) -> None:
        """Keep an OAuth client for the installation, sealed, with its owner. For operators only."""
        entered = _StoredClient(client_id=client_id.strip(), client_secret=client_secret.strip())
        async with self._db.as_account(owner) as unit:
            await put_secret(
                unit, self._ring.keys(), _CLIENT, msgspec.json.encode(entered), now=self._clock.now()
            )

    async def forget_client(self, owner: AccountId) -> bool:
        async with self._db.as_account(owner) as unit:
            return await forget_secret(unit, _CLIENT)

    async def access_token(self, who: Who, found: Box, *, anew: bool = False) -> str:
        """A token that works for a while; one refresh at a time, whoever asks.

        Raises `GrantLost`, or `ConsentFailed` when Google cannot be asked.
        """
        async with self._locks[who]:
            held = self._access.get(who)
            if (
                held
                and held.grant_serial == found.grant_serial
                and held.until > time.monotonic()
                and not anew
            ):
                return held.token
            return await self._refreshed(who, found)

    def forget(self, who: Who) -> None:
        self._access.pop(who, None)

    async def _refreshed(self, who: Who, found: Box) -> str:
        client = await self.require_client()
        kept = await self._kept(who)
        try:
            tokens = await self._asked(client, kept)
        except GrantLost:
            # Where tokens are replaced at each use, another process may have come first.
            before, kept = kept, await self._kept(who)
            if kept == before:
                raise
            tokens = await self._asked(client, kept)
        async with self._db.as_account(who.account_id) as unit:
            if await checked(unit, found, now=self._clock.now()) and tokens.refresh != kept:
                await self._keep(unit, who.mailbox_id, tokens)
        lives = tokens.lives_seconds or _SHORTEST_SECONDS
        until = time.monotonic() + max(lives - _EARLY_SECONDS, min(lives / 2, _SHORTEST_SECONDS))
        self._access[who] = _Access(token=tokens.access, grant_serial=found.grant_serial, until=until)
        return tokens.access

    async def _kept(self, who: Who) -> str:
        async with self._db.as_account(who.account_id) as unit:
            kept = await self.refresh_token(unit, who.mailbox_id)
        if kept is None:
            raise GrantLost
        return kept

    async def _asked(self, client: OAuthClient, refresh_token: str) -> Tokens:
        try:
            return await asyncio.to_thread(self._google.refreshed, client, refresh_token)
        except ConsentFailed as error:
            if error.kind == "invalid_grant":
                raise GrantLost from error
            raise

    async def keep(self, unit: Unit, mailbox_id: MailboxId, tokens: Tokens) -> None:
        """Seal the refresh token of a new consent, in the unit that records it."""
        await self._keep(unit, mailbox_id, tokens)

    async def _keep(self, unit: Unit, mailbox_id: MailboxId, tokens: Tokens) -> None:
        if tokens.refresh:
            # Whoever reconnects or disconnects holds the row too: one of the two is the later one.
            await locked_box(unit, mailbox_id)
            sealed = tokens.refresh.encode()
            await put_secret(unit, self._ring.keys(), token_name(mailbox_id), sealed, now=self._clock.now())

    async def refresh_token(self, unit: Unit, mailbox_id: MailboxId) -> str | None:
        """To give it back; None when there is none."""
        kept = await secret(unit, self._ring.keys(), token_name(mailbox_id))
        return None if kept is None else kept.decode()

    async def forget_token(self, unit: Unit, mailbox_id: MailboxId) -> None:
        await forget_secret(unit, token_name(mailbox_id))


async def present_box(db: Database, who: Who) -> Box | None:
    async with db.as_account(who.account_id) as unit:
        return await box_or_none(unit, who.mailbox_id)


def token_name(mailbox_id: MailboxId) -> str:
    """Under which name a mailbox's refresh token is sealed."""
    return f"gmail.token.{mailbox_id}"
