"""The SQL of accounts, sessions, invitations and the one row of the installation."""

from datetime import datetime, timedelta

import msgspec
import psycopg

from backend.accounts.types import Account, Invitation, InvitationId, Session, SessionId
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import AccountId
from schema.query import Query, Statement


class AddressTaken(Refusal):
    """There is an account with this e-mail address already."""

    code = "address_taken"
    kind = "conflict"


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """Whether an owner exists, and the hash of the token that lets somebody become it."""

    owner_account_id: AccountId | None
    owner_token_hash: str | None


class Login(msgspec.Struct, frozen=True, kw_only=True):
    id: AccountId
    password_hash: str
    disabled_at: datetime | None


class Id(msgspec.Struct, frozen=True, kw_only=True):
    id: int


DOOR = Query("installation.door", Door, "SELECT owner_account_id, owner_token_hash FROM installation")
DOOR_HELD = Query(
    "installation.door_held",
    Door,
    "SELECT owner_account_id, owner_token_hash FROM installation FOR UPDATE",
)
SET_OWNER = Statement(
    "installation.set_owner",
    "UPDATE installation SET owner_account_id = %(owner)s, owner_token_hash = NULL",
)
SET_OWNER_TOKEN = Statement(
    "installation.set_owner_token",
    "UPDATE installation SET owner_token_hash = %(hash)s WHERE owner_account_id IS NULL",
)
LOGIN = Query(
    "accounts.login", Login, "SELECT id, password_hash, disabled_at FROM accounts WHERE email = %(email)s"
)
ACCOUNT = Query(
    "accounts.one",
    Account,
    """SELECT id, email, display_name, is_operator, time_zone, language, created_at,
         setup_ended_at, disabled_at
       FROM accounts WHERE id = jobtrail_account()""",
)
ADD_ACCOUNT = Query(
    "accounts.add",
    Id,
    """INSERT INTO accounts (email, display_name, password_hash, is_operator, time_zone, created_at)
       VALUES (%(email)s, %(name)s, %(password_hash)s, %(is_operator)s, %(time_zone)s, %(now)s)
       RETURNING id""",
)
SET_PASSWORD = Statement(
    "accounts.set_password",
    "UPDATE accounts SET password_hash = %(password_hash)s WHERE id = jobtrail_account()",
)
SET_PERSON = Statement(
    "accounts.set_person",
    """UPDATE accounts SET display_name = %(name)s, time_zone = %(time_zone)s, language = %(language)s
       WHERE id = jobtrail_account()""",
)
END_SETUP = Statement(
    "accounts.end_setup", "UPDATE accounts SET setup_ended_at = %(now)s WHERE id = jobtrail_account()"
)
RESUME_SETUP = Statement(
    "accounts.resume_setup", "UPDATE accounts SET setup_ended_at = NULL WHERE id = jobtrail_account()"
)
SESSION = Query(
    "sessions.presented",
    Session,
    """SELECT account_id, id, agent, created_at, last_seen_at, expires_at FROM sessions
       WHERE token_hash = %(hash)s""",
)
SESSIONS = Query(
    "sessions.open",
    Session,
    """SELECT account_id, id, agent, created_at, last_seen_at, expires_at FROM sessions
       WHERE expires_at > %(now)s ORDER BY last_seen_at DESC, id DESC LIMIT 200""",
)
ADD_SESSION = Query(
    "sessions.add",
    Id,
    """INSERT INTO sessions (token_hash, agent, created_at, last_seen_at, expires_at)
       VALUES (%(hash)s, %(agent)s, %(now)s, %(now)s, %(expires_at)s) RETURNING id""",
)
SEE_SESSION = Statement(
    "sessions.see",
    "UPDATE sessions SET last_seen_at = %(now)s, expires_at = %(expires_at)s WHERE id = %(id)s",
)
END_SESSION = Statement("sessions.end", "DELETE FROM sessions WHERE id = %(id)s")
END_OTHERS = Statement("sessions.end_others", "DELETE FROM sessions WHERE id <> %(id)s")
END_EXPIRED = Statement("sessions.end_expired", "DELETE FROM sessions WHERE expires_at <= %(now)s")
INVITATION = Query(
    "invitations.presented",
    Invitation,
    """SELECT account_id, id, note, created_at, expires_at, accepted_at, revoked_at FROM invitations
       WHERE code_hash = %(hash)s""",
)
INVITATIONS = Query(
    "invitations.all",
    Invitation,
    """SELECT account_id, id, note, created_at, expires_at, accepted_at, revoked_at FROM invitations
       ORDER BY id DESC LIMIT 200""",
)
ADD_INVITATION = Query(
    "invitations.add",
    Id,
    """INSERT INTO invitations (code_hash, note, created_at, expires_at)
       VALUES (%(hash)s, %(note)s, %(now)s, %(expires_at)s) RETURNING id""",
)
ACCEPT_INVITATION = Statement(
    "invitations.accept",
    """UPDATE invitations SET accepted_at = %(now)s
       WHERE id = %(id)s AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > %(now)s""",
)
REVOKE_INVITATION = Statement(
    "invitations.revoke",
    """UPDATE invitations SET revoked_at = %(now)s
       WHERE id = %(id)s AND accepted_at IS NULL AND revoked_at IS NULL""",
)

BEGIN_LEAVING = Statement(
    "accounts.begin_leaving",
    """UPDATE accounts SET disabled_at = coalesce(disabled_at, %(now)s),
         leaving_at = coalesce(leaving_at, %(now)s)
       WHERE id = jobtrail_account()""",
)
END_EVERY = Statement("sessions.end_every", "DELETE FROM sessions WHERE account_id = jobtrail_account()")
REVOKE_EVERY = Statement(
    "invitations.revoke_every",
    "UPDATE invitations SET revoked_at = %(now)s WHERE accepted_at IS NULL AND revoked_at IS NULL",
)
OTHERS = Query("accounts.others", Id, "SELECT id FROM accounts WHERE id <> %(account_id)s LIMIT 1")
LET_OWNER_GO = Statement(
    "installation.let_owner_go",
    """UPDATE installation SET owner_account_id = NULL, owner_token_hash = NULL
       WHERE owner_account_id = jobtrail_account()""",
)
IS_LEAVING = Query(
    "accounts.is_leaving",
    Id,
    "SELECT id FROM accounts WHERE id = jobtrail_account() AND leaving_at IS NOT NULL",
)
REMOVE = Statement("accounts.remove", "DELETE FROM accounts WHERE id = jobtrail_account()")


async def door(unit: Unit) -> Door:
    return await unit.one(DOOR)


async def door_held(unit: Unit) -> Door:
    """The door, with its row locked, so that only one visitor at a time can become the owner."""
    return await unit.one(DOOR_HELD)


async def set_owner(unit: Unit, owner: AccountId) -> None:
    await unit.run(SET_OWNER, owner=owner)


async def set_owner_token(unit: Unit, token_hash: str) -> bool:
    """Replace the first-visit token; False when an owner exists, and then nothing changed."""
    return await unit.run(SET_OWNER_TOKEN, hash=token_hash) == 1


async def login(unit: Unit, email: str) -> Login | None:
    """What signing in as `email` needs; the unit must present that address."""
    return await unit.maybe(LOGIN, email=email)


async def account(unit: Unit) -> Account:
    return await unit.one(ACCOUNT)


async def add_account(
    unit: Unit,
    *,
    email: str,
    name: str,
    password_hash: str,
    is_operator: bool,
    time_zone: str,
    now: datetime,
) -> AccountId:
    """Raises `AddressTaken`; the unit must present the address and is of no use after that."""
    try:
        row = await unit.one(
            ADD_ACCOUNT,
            email=email,
            name=name,
            password_hash=password_hash,
            is_operator=is_operator,
            time_zone=time_zone,
            now=now,
        )
    except psycopg.errors.UniqueViolation as error:
        raise AddressTaken(field="email") from error
    return AccountId(row.id)


async def set_password(unit: Unit, password_hash: str) -> None:
    await unit.run(SET_PASSWORD, password_hash=password_hash)


async def set_person(unit: Unit, *, name: str, time_zone: str, language: str) -> None:
    await unit.run(SET_PERSON, name=name, time_zone=time_zone, language=language)


async def end_setup(unit: Unit, now: datetime) -> None:
    """Put the first-run steps away."""
    await unit.run(END_SETUP, now=now)


async def resume_setup(unit: Unit) -> None:
    await unit.run(RESUME_SETUP)


async def session(unit: Unit, token_hash: str) -> Session | None:
    """The session behind a presented token's hash, expired or not."""
    return await unit.maybe(SESSION, hash=token_hash)


async def open_sessions(unit: Unit, now: datetime) -> list[Session]:
    return await unit.all(SESSIONS, now=now)


async def add_session(
    unit: Unit, token_hash: str, *, agent: str, now: datetime, life: timedelta
) -> SessionId:
    row = await unit.one(ADD_SESSION, hash=token_hash, agent=agent, now=now, expires_at=now + life)
    return SessionId(row.id)


async def see_session(unit: Unit, session_id: SessionId, now: datetime, life: timedelta) -> None:
    await unit.run(SEE_SESSION, id=session_id, now=now, expires_at=now + life)


async def end_session(unit: Unit, session_id: SessionId) -> bool:
    return await unit.run(END_SESSION, id=session_id) == 1


async def end_other_sessions(unit: Unit, but: SessionId) -> int:
    return await unit.run(END_OTHERS, id=but)


async def end_every_session(unit: Unit) -> int:
    return await unit.run(END_EVERY)


async def end_expired_sessions(unit: Unit, now: datetime) -> int:
    return await unit.run(END_EXPIRED, now=now)


async def invitation(unit: Unit, code_hash: str) -> Invitation | None:
    return await unit.maybe(INVITATION, hash=code_hash)


async def invitations(unit: Unit) -> list[Invitation]:
    return await unit.all(INVITATIONS)


async def add_invitation(
    unit: Unit, code_hash: str, *, note: str, now: datetime, life: timedelta
) -> InvitationId:
    row = await unit.one(ADD_INVITATION, hash=code_hash, note=note, now=now, expires_at=now + life)
    return InvitationId(row.id)


async def accept_invitation(unit: Unit, invitation_id: InvitationId, now: datetime) -> bool:
    """Use it up; False when it was used, revoked or has expired."""
    return await unit.run(ACCEPT_INVITATION, id=invitation_id, now=now) == 1


async def revoke_invitation(unit: Unit, invitation_id: InvitationId, now: datetime) -> bool:
    return await unit.run(REVOKE_INVITATION, id=invitation_id, now=now) == 1


async def begin_leaving(unit: Unit, now: datetime) -> None:
    """From the commit on nobody is signed in to this account or can be, and no invitation of it is good."""
    await unit.run(REVOKE_EVERY, now=now)
    await end_every_session(unit)
    await unit.run(BEGIN_LEAVING, now=now)


async def is_leaving(unit: Unit) -> bool:
    return await unit.maybe(IS_LEAVING) is not None


async def has_others(unit: Unit) -> bool:
    """Whether anybody else has an account here."""
    account_id = unit.owner
    async with unit.in_fleet():
        return await unit.maybe(OTHERS, account_id=account_id) is not None


async def remove_account(unit: Unit) -> None:
    """Delete the account and whatever still hangs on it; an owner's installation then waits for a new one."""
    await unit.run(LET_OWNER_GO)
    await unit.run(REMOVE)
