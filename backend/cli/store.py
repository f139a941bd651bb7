"""What the command line asks the database: for whom a command acts, and whether anybody works."""

import msgspec

from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId
from schema.query import Query
from schema.text import clean


class Owner(msgspec.Struct, frozen=True, kw_only=True):
    owner_account_id: AccountId | None


class Id(msgspec.Struct, frozen=True, kw_only=True):
    id: AccountId


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    yes: bool


OWNER = Query("cli.owner", Owner, "SELECT owner_account_id FROM installation")
ACCOUNT = Query("cli.account", Id, "SELECT id FROM accounts WHERE email = jobtrail_presented()")
A_WORKER_LIVES = Query(
    "cli.a_worker_lives",
    Answer,
    """SELECT count(*) > 0 AS yes FROM workers
       WHERE stopped_at IS NULL AND last_seen_at > clock_timestamp() - interval '1 minute'""",
)
HAS_WORK = Query(
    "cli.has_work",
    Answer,
    """SELECT count(*) > 0 AS yes FROM tasks
       WHERE status = 'running' OR (status = 'pending' AND not_before <= clock_timestamp())""",
)

IS_THERE = Query(
    "cli.account_is_there", Answer, "SELECT count(*) > 0 AS yes FROM accounts WHERE id = jobtrail_account()"
)


async def account_named(database: Database, email: str) -> AccountId:
    """The account with this address, or the owner's when `email` is empty. Raises `Missing`, saying so."""
    if not email:
        return await _owner(database)
    async with database.as_presenter(clean(email).strip().lower()) as unit:
        found = await unit.maybe(ACCOUNT)
    if found is None:
        raise Missing(f"nobody here has the address {email}.")
    return found.id


async def _owner(database: Database) -> AccountId:
    async with database.as_fleet() as unit:
        found = (await unit.one(OWNER)).owner_account_id
    if found is None:
        raise Missing("there is no account yet: start `jobtrail up`, open the pages and make one.")
    return found


async def a_worker_lives(database: Database) -> bool:
    """Whether any worker, on any machine, said so within the last minute."""
    async with database.as_fleet() as unit:
        return (await unit.one(A_WORKER_LIVES)).yes


async def has_work(database: Database, account_id: AccountId) -> bool:
    """Whether a task of the account runs, or could run now."""
    async with database.as_account(account_id) as unit:
        return (await unit.one(HAS_WORK)).yes


async def account_is_there(database: Database, account_id: AccountId) -> bool:
    async with database.as_account(account_id) as unit:
        return (await unit.one(IS_THERE)).yes
