"""`account.delete.v1`: everything of an account that leaves is deleted, and then the account.

The tables are emptied in portions, those that point at others first. The account's own row goes last, in the
transaction that ends the task, and takes with it whatever came meanwhile and the few rows nobody may delete
by themselves. Killed anywhere in between, the next try goes on with what is left.
"""

from backend.accounts import store as accounts
from pipeline.worker.types import Done, Permanent, TaskRun
from schema.private import PrivateTable, count_rows, delete_some, emptied_in_order, private_tables
from schema.tasks import DeleteAccount

PORTION = 2000
"""Rows in one transaction."""
WITH_THE_ACCOUNT = frozenset({"accounts", "tasks"})
"""Gone with the account itself: its own row, and the task that deletes it."""


async def delete_account(run: TaskRun, _: DeleteAccount) -> Done:
    """Handler of `account.delete.v1`."""
    async with run.db.as_account(run.owner) as unit:
        if not await accounts.is_leaving(unit):
            raise Permanent("account_stays")
        tables = [each for each in emptied_in_order(await private_tables(unit)) if _is_emptied(each)]
        total = sum([await count_rows(unit, table) for table in tables])
    done = 0
    for table in tables:
        portion = PORTION
        while portion == PORTION:
            async with run.db.as_account(run.owner) as unit:
                portion = await delete_some(unit, table, PORTION)
            done += portion
            if portion:
                await run.progress(min(done, total), total, "rows deleted")
    return Done("deleted", effect=accounts.remove_account)


def _is_emptied(table: PrivateTable) -> bool:
    """Logs that nobody may delete from are small, and go with the account."""
    return table.may_delete and table.name not in WITH_THE_ACCOUNT
