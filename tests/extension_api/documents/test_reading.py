"""The text of a document that was added is read by a worker, once, in a process that can be stopped."""

import sys

import pytest
from fixtures.documents import pdf
from fixtures.people import FixedClock
from fixtures.worker import Tasks

from extension_api.documents import tasks as reading
from extension_api.documents.store import add_document, delete_document, documents, resume_text
from pipeline.worker.types import Done, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, DocumentId, TaskId
from schema.tasks import ReadDocument


@pytest.fixture
def run(database: Database, clock: FixedClock, account: AccountId) -> TaskRun:
    async def report(_: TaskProgress) -> None:
        return None

    return TaskRun(db=database, clock=clock, task_id=TaskId(1), account_id=account, attempt=1, report=report)


@pytest.fixture
async def resume(database: Database, clock: FixedClock, account: AccountId) -> DocumentId:
    async with database.as_account(account) as unit:
        return await add_document(
            unit, kind="resume", file_name="cv.pdf", content=pdf("Ada"), now=clock.now()
        )


async def read(run: TaskRun, document: DocumentId) -> str:
    done = await reading.read_document(run, ReadDocument(document_id=document))
    assert isinstance(done, Done)
    return done.word


async def test_a_new_document_is_asked_to_be_read_and_is_read_once(
    run: TaskRun, resume: DocumentId, database: Database, account: AccountId, tasks: Tasks
):
    assert await tasks.fetch("SELECT kind, payload->>'document_id' FROM tasks") == [
        ("document.read.v1", str(resume))
    ]
    assert await read(run, resume) == "read"
    async with database.as_account(account) as unit:
        found = await resume_text(unit)
        assert [each.text_state for each in await documents(unit)] == ["read"]
    assert found is not None
    assert (found.id, found.file_name, found.text) == (resume, "cv.pdf", "Ada")
    assert await read(run, resume) == "nothing_to_read"


async def test_a_deleted_document_is_not_read(
    run: TaskRun, resume: DocumentId, database: Database, account: AccountId, clock: FixedClock
):
    async with database.as_account(account) as unit:
        await delete_document(unit, resume, clock.now())
        assert await resume_text(unit) is None
    assert await read(run, resume) == "nothing_to_read"


@pytest.mark.parametrize("program", ["import time; time.sleep(600)", "raise SystemExit(1)", "print('{')"])
async def test_a_file_that_stops_its_reader_is_unreadable(
    run: TaskRun, resume: DocumentId, monkeypatch: pytest.MonkeyPatch, program: str
):
    monkeypatch.setattr(reading, "MOST_SECONDS", 0.3)
    monkeypatch.setattr(reading, "_PROGRAM", (sys.executable, "-c", program))
    assert await read(run, resume) == "unreadable"
