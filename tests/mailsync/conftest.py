"""Runs an import in the loop of the test, as its worker would."""

from pathlib import Path

import pytest
from fixtures.database import Owner
from fixtures.people import FixedClock

from mailsync.archive.store import Import, import_by_id
from mailsync.archive.tasks import import_mail
from mailsync.imports import start_import
from pipeline.worker.types import Done, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, ImportId, TaskId
from schema.tasks import ImportMail


class Importer:
    """`await importer(path)` asks for an import and runs it; `run` runs one again."""

    def __init__(self, database: Database, account: AccountId, clock: FixedClock) -> None:
        self.database, self.account, self.clock = database, account, clock
        self.reports: list[TaskProgress] = []

    async def __call__(self, path: Path, *, spooled: bool = False) -> Import:
        import_id = await self.ask(path, spooled=spooled)
        await self.run(import_id)
        return await self.row(import_id)

    async def ask(self, path: Path, *, spooled: bool = False) -> ImportId:
        async with self.database.as_account(self.account) as unit:
            return await start_import(unit, path, now=self.clock.now(), spooled=spooled)

    async def run(self, import_id: ImportId, *, attempt: int = 1) -> Done:
        run = TaskRun(
            db=self.database,
            clock=self.clock,
            task_id=TaskId(1),
            account_id=self.account,
            attempt=attempt,
            report=self._report,
        )
        return await import_mail(run, ImportMail(import_id=import_id))

    async def row(self, import_id: ImportId) -> Import:
        async with self.database.as_account(self.account) as unit:
            found = await import_by_id(unit, import_id)
        assert found is not None
        return found

    async def _report(self, progress: TaskProgress) -> None:
        self.reports.append(progress)


@pytest.fixture
def importer(database: Database, account: AccountId, clock: FixedClock) -> Importer:
    return Importer(database, account, clock)


class Rows:
    """Looks at tables as their owner, past row-level security."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def __call__(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        return self._owner.connection.execute(sql, values).fetchall()  # pyright: ignore


@pytest.fixture
def rows(owner: Owner) -> Rows:
    return Rows(owner)
