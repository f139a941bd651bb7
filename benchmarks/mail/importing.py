"""One import in a process of its own, as a worker would run it, so that its memory can be measured.

python -m benchmarks.mail.importing DATABASE_URL ACCOUNT_ID PATH
"""

import asyncio
import sys
from pathlib import Path

from mailsync.archive.tasks import import_mail
from mailsync.imports import start_import
from pipeline.worker.types import TaskRun
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.live import TaskProgress
from schema.settings import DatabaseSettings
from schema.tasks import ImportMail


async def run(url: str, account: AccountId, path: Path) -> None:
    async with Database.opened(DatabaseSettings(url=url, pool_size=2)) as db:
        async with db.as_account(account) as unit:
            import_id = await start_import(unit, path, now=SystemClock().now())
        task = TaskRun(
            db=db, clock=SystemClock(), task_id=TaskId(0), account_id=account, attempt=1, report=nothing
        )
        await import_mail(task, ImportMail(import_id=import_id))


async def nothing(_: TaskProgress) -> None:
    """Nobody watches."""


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], AccountId(int(sys.argv[2])), Path(sys.argv[3])))
