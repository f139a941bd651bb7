"""Signed-in browsers as rows of our own: a random token in a cookie, only its hash in the database.

A new token at every sign-in, so that a planted one is worth nothing; ended at sign-out, everywhere at once
when the password changes. `last_seen_at` is written at most once a minute, and moves the end 30 days on.
"""

from datetime import datetime

import msgspec

from backend.accounts import store
from backend.accounts.rules import SESSION_LIFE, is_due, new_token, token_hash
from backend.accounts.types import Account, Session
from schema.clock import Clock
from schema.db import Database, Unit
from schema.ids import AccountId
from schema.text import clean, shorten

AGENT_MAX = 200


class SignedIn(msgspec.Struct, frozen=True, kw_only=True):
    """Who a request belongs to."""

    account: Account
    session: Session


async def start(database: Database, clock: Clock, account_id: AccountId, agent: str) -> str:
    """A new session of `account_id`; the token, which exists nowhere else from now on."""
    token = new_token()
    now = clock.now()
    async with database.as_account(account_id) as unit:
        await store.end_expired_sessions(unit, now)
        await store.add_session(
            unit, token_hash(token), agent=shorten(clean(agent), AGENT_MAX), now=now, life=SESSION_LIFE
        )
    return token


async def presented(database: Database, clock: Clock, token: str) -> Session | None:
    """The session behind `token`; None when it is unknown, ended or expired."""
    hashed = token_hash(token)
    async with database.as_presenter(hashed) as unit:
        session = await store.session(unit, hashed)
    return session if session is not None and session.expires_at > clock.now() else None


async def seen(unit: Unit, session: Session, now: datetime) -> SignedIn | None:
    """Whose session it is, noting its use; None when the account is disabled. In the account's unit."""
    account = await store.account(unit)
    if account.disabled_at is not None:
        return None
    if is_due(session.last_seen_at, now):
        await store.see_session(unit, session.id, now, SESSION_LIFE)
    return SignedIn(account=account, session=session)


async def end(database: Database, token: str) -> None:
    """End the session behind `token`; nothing happens when there is none."""
    presented = token_hash(token)
    async with database.as_presenter(presented) as unit:
        session = await store.session(unit, presented)
    if session is not None:
        async with database.as_account(session.account_id) as unit:
            await store.end_session(unit, session.id)
