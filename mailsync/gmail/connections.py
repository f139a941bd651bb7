"""What a person does with a mailbox: connect, reconnect, narrow, disconnect, delete. For pages and commands.

Every function is safe to repeat. Google is never asked inside a unit.
"""

import asyncio
import secrets
from collections.abc import Sequence

import msgspec

from mailsync.gmail.answers.rules import GmailTrouble
from mailsync.gmail.client import GmailClient
from mailsync.gmail.consent.client import ConsentClient, ConsentFailed
from mailsync.gmail.consent.grants import GrantLost, Grants, present_box
from mailsync.gmail.consent.rules import end_of, hashed
from mailsync.gmail.consent.store import add_visit, take_visit
from mailsync.gmail.consent.types import Consented, ConsentEnd, Identity, Started, Tokens, Visit
from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.mailbox import store as mailbox
from mailsync.gmail.mailbox.store import Box
from mailsync.gmail.sync.steps import narrowing
from mailsync.gmail.turns.store import close_turn, open_turn
from mailsync.gmail.types import Label, MailboxState, Who
from mailsync.gmail.walks.rules import cycle
from mailsync.mailboxes.store import mailbox_of
from schema.clock import Clock
from schema.db import Database
from schema.errors import Missing, Refusal
from schema.ids import AccountId, MailboxId
from schema.live import announce
from schema.settings import GmailSettings
from schema.text import clean

_VISIT_SECONDS = 900.0
_STATE_BYTES = 32
_VERIFIER_BYTES = 64
_STATES: dict[ConsentEnd, MailboxState] = {
    "connected": "connected",
    "scope_declined": "scope_declined",
    "refresh_missing": "refresh_missing",
}


class ConsentUnknown(Refusal):
    """This answer from Google was not asked for here, came twice, or came too late; connect again."""

    code = "consent_unknown"
    kind = "gone"


class ConsentRefused(Refusal):
    """Google did not take the consent back; nothing was changed."""

    code = "consent_refused"
    kind = "conflict"


class GoogleUnreachable(Refusal):
    """Google cannot be reached at the moment; nothing was changed."""

    code = "google_unreachable"
    kind = "unavailable"


class WrongGoogleAccount(Refusal):
    """This is another Google account than the mailbox belongs to."""

    code = "wrong_google_account"
    kind = "conflict"


class Disconnected(msgspec.Struct, frozen=True, kw_only=True):
    """`revoked`: Google confirmed. Otherwise the person can remove access on Google's own page."""

    revoked: bool


class Connections:
    """What people do with mailboxes, on this installation."""

    def __init__(
        self, db: Database, clock: Clock, grants: Grants, google: ConsentClient, settings: GmailSettings
    ) -> None:
        self._db = db
        self._clock = clock
        self.grants = grants
        self._google = google
        self._settings = settings

    async def start(
        self,
        account_id: AccountId,
        *,
        session_hash: str,
        redirect_url: str,
        mailbox_id: MailboxId | None = None,
    ) -> Started:
        """Where to send the person, to connect a mailbox or this one anew. Raises `NoClient`, `Missing`."""
        client = await self.grants.require_client()
        state, verifier = secrets.token_urlsafe(_STATE_BYTES), secrets.token_urlsafe(_VERIFIER_BYTES)
        visit = Visit(code_verifier=verifier, redirect_url=redirect_url, mailbox_id=mailbox_id)
        async with self._db.as_account(account_id) as unit:
            address = "" if mailbox_id is None else (await mailbox.box(unit, mailbox_id)).address
            expires_at = await add_visit(
                unit,
                visit,
                state_hash=hashed(state),
                session_hash=hashed(session_hash),
                seconds=_VISIT_SECONDS,
            )
        url = self._google.consent_url(
            client, redirect_url=redirect_url, state=state, code_verifier=verifier, address=address
        )
        return Started(url=url, expires_at=expires_at)

    async def finish(
        self, account_id: AccountId, *, session_hash: str, state: str, code: str = "", error: str = ""
    ) -> Consented:
        """Take Google's answer, once. Only a whole grant is kept; see `Consented.end` for the others.

        Raises `ConsentUnknown`, `ConsentRefused`, `GoogleUnreachable` or `WrongGoogleAccount`.
        """
        async with self._db.as_account(account_id) as unit:
            visit = await take_visit(unit, state_hash=hashed(state), session_hash=hashed(session_hash))
        if visit is None:
            raise ConsentUnknown
        if error or not code:
            return Consented(end="denied", mailbox_id=visit.mailbox_id)
        tokens, identity = await self._redeemed(visit, code)
        found = await self._meant(account_id, visit, identity)
        return await self._recorded(account_id, tokens, identity, found)

    async def _redeemed(self, visit: Visit, code: str) -> tuple[Tokens, Identity]:
        client = await self.grants.require_client()
        try:
            tokens = await asyncio.to_thread(
                self._google.tokens,
                client,
                code=code,
                redirect_url=visit.redirect_url,
                code_verifier=visit.code_verifier,
            )
            return tokens, await asyncio.to_thread(self._google.identity, tokens.access)
        except ConsentFailed as error:
            raise (GoogleUnreachable if error.kind == "unreachable" else ConsentRefused) from error

    async def _meant(self, account_id: AccountId, visit: Visit, identity: Identity) -> Box | None:
        """The mailbox this visit was to connect anew. Raises `WrongGoogleAccount`."""
        if visit.mailbox_id is None:
            return None
        found = await present_box(self._db, Who(account_id=account_id, mailbox_id=visit.mailbox_id))
        if found is None:
            raise Missing
        same = found.google_id == identity.google_id if found.google_id else False
        if not same and found.address != identity.address:
            raise WrongGoogleAccount(f"This mailbox is {found.address}; Google answered for another account.")
        return found

    async def _recorded(
        self, account_id: AccountId, tokens: Tokens, identity: Identity, found: Box | None
    ) -> Consented:
        end = end_of(tokens)
        now = self._clock.now()
        state = _STATES[end]
        address = clean(identity.address) if found is None else found.address
        async with self._db.as_account(account_id) as unit:
            mailbox_id = await mailbox_of(unit, "gmail", address, now=now)
            who = Who(account_id=account_id, mailbox_id=mailbox_id)
            before = await mailbox.box_or_none(unit, mailbox_id)
            works = before is not None and before.state == "connected"
            if end == "connected" or not works:
                if before is not None:
                    async with unit.in_fleet():
                        await close_turn(unit, who)
                await mailbox.grant(
                    unit, mailbox_id, state=state, google_id=clean(identity.google_id), now=now
                )
            if end == "connected":
                await self.grants.keep(unit, mailbox_id, tokens)
                async with unit.in_fleet():
                    await open_turn(unit, who)
            announce(unit, "mail")
        return Consented(
            end=end,
            mailbox_id=mailbox_id,
            address=address,
            state="connected" if end == "connected" or works else state,
        )

    async def disconnect(self, who: Who) -> Disconnected:
        """Stop syncing, give the grant back at Google, delete the tokens. Mail and cursor stay.

        Killed in the middle, a repetition ends in the same state.
        """
        async with self._db.as_account(who.account_id) as unit:
            async with unit.in_fleet():
                await close_turn(unit, who)
            found = await mailbox.locked_box(unit, who.mailbox_id)
            await mailbox.stand(unit, found, "disconnected", code=None, now=self._clock.now())
            token = await self.grants.refresh_token(unit, who.mailbox_id)
            announce(unit, "mail")
        self.grants.forget(who)
        revoked = True if token is None else await asyncio.to_thread(self._google.revoke, token)
        async with self._db.as_account(who.account_id) as unit:
            now_there = await mailbox.locked_box(unit, who.mailbox_id)
            if now_there.state == "disconnected":
                await self.grants.forget_token(unit, who.mailbox_id)
        return Disconnected(revoked=revoked)

    async def narrow(
        self, who: Who, *, query: str = "", labels: Sequence[str] = (), include_spam: bool = False
    ) -> None:
        """Want another part of the mailbox. It is listed anew; nothing that was read is fetched again.

        A query narrows the walk through what is there; labels also what arrives later.
        """
        async with self._db.as_account(who.account_id) as unit:
            # The turn first, as the sync does: who takes two locks in two orders waits for ever.
            if (await mailbox.box(unit, who.mailbox_id)).state == "connected":
                async with unit.in_fleet():
                    await open_turn(unit, who)
            found = await mailbox.locked_box(unit, who.mailbox_id)
            wanted = msgspec.structs.replace(
                found,
                narrow_query=" ".join(clean(query).split())[:500],
                narrow_labels=[clean(label) for label in labels][:50],
                include_spam=include_spam,
            )
            await mailbox.narrow(
                unit,
                who.mailbox_id,
                query=wanted.narrow_query,
                labels=wanted.narrow_labels,
                include_spam=include_spam,
                walk=cycle("first", narrowing(wanted), [], None)[0].name,
            )
            await ledger.narrow(unit, who.mailbox_id)
            announce(unit, "mail")

    async def wake(self, who: Who) -> None:
        """Look at a connected mailbox at once."""
        async with self._db.as_account(who.account_id) as unit:
            found = await mailbox.box(unit, who.mailbox_id)
            if found.state == "connected":
                async with unit.in_fleet():
                    await open_turn(unit, who)

    async def labels(self, who: Who) -> list[Label]:
        """The labels of a connected mailbox, as Gmail names them now. Raises `GoogleUnreachable`."""
        found = await present_box(self._db, who)
        if found is None:
            raise Missing
        client = GmailClient(self._settings.api_url, self._settings.timeout_seconds, self._clock)
        try:
            client.require_a_way()
            token = await self.grants.access_token(who, found)
            return await asyncio.to_thread(client.labels, token)
        except (GmailTrouble, ConsentFailed, GrantLost) as error:
            raise GoogleUnreachable from error
        finally:
            client.close()
