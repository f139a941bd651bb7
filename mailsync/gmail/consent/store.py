"""Visits to Google that have not come back yet. The one writer of `gmail_consents`.

The row holds what the answer must fit: the state as a hash, the session that asked, the verifier. Taking it
deletes it, so an answer counts once; it runs out by the database's clock.
"""

from datetime import datetime

import msgspec

from mailsync.gmail.consent.types import Visit
from schema.db import Unit
from schema.query import Query, Statement


class _Until(msgspec.Struct, frozen=True, kw_only=True):
    expires_at: datetime


ADD = Query(
    "gmail_consents.add",
    _Until,
    """INSERT INTO gmail_consents (state_hash, session_hash, code_verifier, redirect_url, mailbox_id,
         expires_at)
       VALUES (%(state_hash)s, %(session_hash)s, %(code_verifier)s, %(redirect_url)s, %(mailbox_id)s,
         clock_timestamp() + make_interval(secs => %(seconds)s::float8))
       RETURNING expires_at""",
)
TAKE = Query(
    "gmail_consents.take",
    Visit,
    """DELETE FROM gmail_consents WHERE state_hash = %(state_hash)s AND session_hash = %(session_hash)s
         AND expires_at > clock_timestamp()
       RETURNING code_verifier, redirect_url, mailbox_id""",
)
FORGET_OLD = Statement(
    "gmail_consents.forget_old", "DELETE FROM gmail_consents WHERE expires_at < clock_timestamp()"
)


async def add_visit(
    unit: Unit,
    visit: Visit,
    *,
    state_hash: str,
    session_hash: str,
    seconds: float,
) -> datetime:
    """Remember a visit that begins; when it runs out. Older ones of the account that ran out are dropped."""
    await unit.run(FORGET_OLD)
    row = await unit.one(
        ADD,
        state_hash=state_hash,
        session_hash=session_hash,
        code_verifier=visit.code_verifier,
        redirect_url=visit.redirect_url,
        mailbox_id=visit.mailbox_id,
        seconds=seconds,
    )
    return row.expires_at


async def take_visit(unit: Unit, *, state_hash: str, session_hash: str) -> Visit | None:
    """The visit this answer belongs to; None for any other answer, and for the second of two."""
    return await unit.maybe(TAKE, state_hash=state_hash, session_hash=session_hash)
