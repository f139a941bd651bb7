"""The ways in: becoming the owner, accepting an invitation, signing in, changing the password.

Attempts are counted before they are judged, an unknown address costs the same work as a wrong password, and
every refusal of a sign-in reads the same.
"""

import msgspec

from backend.accounts import passwords, store
from backend.accounts.rules import (
    DOORS_OF_PEER,
    INVITATION_LIFE,
    SIGN_INS_OF_ADDRESS,
    SIGN_INS_OF_PEER,
    new_token,
    token_hash,
)
from backend.accounts.types import Account, Invitation, Session
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Refusal
from schema.ids import AccountId
from schema.throttle import forget_empty, free, spend


class OwnerExists(Refusal):
    """This installation has an owner already; sign in, or ask for an invitation."""

    code = "owner_exists"
    kind = "conflict"


class NotAtTheDoor(Refusal):
    """The owner account is made on this machine, or with the one-time link `jobtrail up` printed."""

    code = "owner_token_needed"
    kind = "forbidden"


class WrongCredentials(Refusal):
    """This address and password do not belong together."""

    code = "wrong_credentials"
    kind = "unauthenticated"


class InvitationGone(Refusal):
    """This invitation was used, withdrawn or is older than seven days; ask for a new one."""

    code = "invitation_gone"
    kind = "gone"


class Newcomer(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody gives to get an account; checked already."""

    email: str
    name: str
    password: str
    time_zone: str = "UTC"


async def first_visit_token(database: Database) -> str | None:
    """A fresh one-time token for making the owner account; None when there is an owner.

    Only its hash is stored; an older token is worth nothing from now on.
    """
    token = new_token()
    async with database.as_fleet() as unit:
        return token if await store.set_owner_token(unit, token_hash(token)) else None


async def has_owner(database: Database) -> bool:
    async with database.as_presenter("") as unit:
        return (await store.door(unit)).owner_account_id is not None


async def require_owner_door(database: Database, *, token: str, on_this_machine: bool, peer: str) -> None:
    """Raise unless somebody may become the owner now: nobody is, and they are here or bring the token."""
    await _count_knock(database, peer, knocks=bool(token))
    async with database.as_presenter("") as unit:
        _require_open(await store.door(unit), token, on_this_machine=on_this_machine)


async def become_owner(
    database: Database, clock: Clock, newcomer: Newcomer, *, token: str, on_this_machine: bool, peer: str
) -> AccountId:
    """The owner account, made under the lock of the installation's row; the token is used up."""
    await require_owner_door(database, token=token, on_this_machine=on_this_machine, peer=peer)
    password_hash = await passwords.hashed(newcomer.password)
    async with database.as_presenter(newcomer.email) as unit:
        _require_open(await store.door_held(unit), token, on_this_machine=on_this_machine)
        account_id = await _add(unit, clock, newcomer, password_hash, is_operator=True)
        await store.set_owner(unit, account_id)
    return account_id


async def sign_in(database: Database, *, email: str, password: str, peer: str) -> AccountId:
    """The account of `email`, or `WrongCredentials`, or `TooManyAttempts`."""
    async with database.as_presenter("") as unit:
        await spend(unit, SIGN_INS_OF_PEER, peer)
        await spend(unit, SIGN_INS_OF_ADDRESS, email)
    async with database.as_presenter(email) as unit:
        found = await store.login(unit, email)
    if not await passwords.fits(password, found.password_hash if found else None):
        raise WrongCredentials
    if found is None or found.disabled_at is not None:
        raise WrongCredentials
    async with database.as_presenter("") as unit:
        await free(unit, SIGN_INS_OF_ADDRESS, email)
        await forget_empty(unit)
    return found.id


async def invite(unit: Unit, clock: Clock, note: str) -> str:
    """A new invitation of the unit's account; the code, which exists nowhere else from now on."""
    code = new_token()
    await store.add_invitation(unit, token_hash(code), note=note, now=clock.now(), life=INVITATION_LIFE)
    return code


async def invitation(database: Database, clock: Clock, code: str, *, peer: str) -> Invitation:
    """The open invitation of `code`, or `InvitationGone`: an unknown one reads the same."""
    await _count_knock(database, peer, knocks=True)
    presented = token_hash(code)
    async with database.as_presenter(presented) as unit:
        found = await store.invitation(unit, presented)
    if found is None or found.accepted_at or found.revoked_at or found.expires_at <= clock.now():
        raise InvitationGone
    return found


async def accept(database: Database, clock: Clock, newcomer: Newcomer, *, code: str, peer: str) -> AccountId:
    """The new account; the invitation is used up in the same transaction."""
    found = await invitation(database, clock, code, peer=peer)
    password_hash = await passwords.hashed(newcomer.password)
    async with database.as_account(found.account_id, presented=newcomer.email) as unit:
        if not await store.accept_invitation(unit, found.id, clock.now()):
            raise InvitationGone
        return await _add(unit, clock, newcomer, password_hash, is_operator=False)


async def change_password(
    database: Database, account: Account, session: Session, *, old: str, new: str
) -> None:
    """Replace the password and end every other session; raises `WrongCredentials` when `old` is wrong."""
    async with database.as_presenter("") as unit:
        await spend(unit, SIGN_INS_OF_ADDRESS, account.email)
    async with database.as_account(account.id) as unit:
        found = await store.login(unit, account.email)
    if not await passwords.fits(old, found.password_hash if found else None):
        raise WrongCredentials("This is not your present password.", field="old")
    password_hash = await passwords.hashed(new)
    async with database.as_account(account.id) as unit:
        await store.set_password(unit, password_hash)
        await store.end_other_sessions(unit, but=session.id)
    async with database.as_presenter("") as unit:
        await free(unit, SIGN_INS_OF_ADDRESS, account.email)


async def replace_password(database: Database, account: Account, new: str) -> int:
    """For who forgot it and may use the command line here: how many browsers are signed out by it."""
    password_hash = await passwords.hashed(new)
    async with database.as_account(account.id) as unit:
        await store.set_password(unit, password_hash)
        ended = await store.end_every_session(unit)
    async with database.as_presenter("") as unit:
        await free(unit, SIGN_INS_OF_ADDRESS, account.email)
    return ended


async def _count_knock(database: Database, peer: str, *, knocks: bool) -> None:
    if knocks:
        async with database.as_presenter("") as unit:
            await spend(unit, DOORS_OF_PEER, peer)


def _require_open(door: store.Door, token: str, *, on_this_machine: bool) -> None:
    if door.owner_account_id is not None:
        raise OwnerExists
    # Hashes of 256 random bits are compared: how long that takes tells nothing about the token.
    right = bool(token) and door.owner_token_hash == token_hash(token)
    if not (right or on_this_machine):
        raise NotAtTheDoor


async def _add(
    unit: Unit, clock: Clock, newcomer: Newcomer, password_hash: str, *, is_operator: bool
) -> AccountId:
    return await store.add_account(
        unit,
        email=newcomer.email,
        name=newcomer.name,
        password_hash=password_hash,
        is_operator=is_operator,
        time_zone=newcomer.time_zone,
        now=clock.now(),
    )
