"""Asks whoever sits at the machine for the new password of an account, by the rules of the pages."""

import getpass
import sys

from backend.accounts import store as accounts
from backend.accounts.rules import PASSWORD_MAX, password_fault
from backend.accounts.types import Account
from backend.cli import store
from backend.cli.parser import WrongUse
from schema.db import Database
from schema.errors import Invalid
from schema.text import clean

UNCHANGED = "Nothing was changed."


def require_somebody_to_ask(*, stdin: bool) -> None:
    """Said before anything is opened: a password that is typed into no terminal would be shown."""
    if not stdin and not sys.stdin.isatty():
        raise WrongUse("there is no terminal to ask on; hand the new password over with --stdin")


async def person_named(database: Database, email: str) -> Account:
    """Raises `Missing` for an address that nobody here has, `Invalid` for a closed account."""
    if not email.strip():
        raise WrongUse("say whose password it is, by e-mail address")
    account_id = await store.account_named(database, email)
    async with database.as_account(account_id) as unit:
        person = await accounts.account(unit)
    if person.disabled_at is not None:
        raise Invalid(f"The account {person.email} is closed. {UNCHANGED}")
    return person


def new_password(person: Account, *, stdin: bool) -> str:
    """Raises `Invalid` for one that the pages would refuse."""
    new = clean(_from_stdin() if stdin else _asked("New password: "))
    fault = password_fault(new, email=person.email, name=person.display_name)
    if fault:
        raise Invalid(f"{fault} {UNCHANGED}")
    if not stdin and clean(_asked("Once more: ")) != new:
        raise Invalid(f"These were two different passwords. {UNCHANGED}")
    return new


def _asked(prompt: str) -> str:
    try:
        return getpass.getpass(prompt)
    except EOFError:
        raise Invalid(f"No password was typed. {UNCHANGED}") from None


def _from_stdin() -> str:
    return sys.stdin.readline(PASSWORD_MAX + 3).rstrip("\r\n")
