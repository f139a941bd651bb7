"""Keeping, choosing, deleting and handing out documents."""

import asyncio

import pytest
from fixtures.extension_client import Browser
from fixtures.people import FixedClock

from extension_api.documents import store
from extension_api.documents.rules import DocumentUnsupported, TooManyDocuments
from extension_api.protocol import DocumentKind
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, DocumentId

PDF = b"%PDF-1.7 "


class Shelf:
    """The documents of one account, each act in its own unit."""

    def __init__(self, database: Database, clock: FixedClock, account: AccountId) -> None:
        self.database, self.clock, self.account = database, clock, account

    async def add(self, content: bytes, kind: DocumentKind = "resume", name: str = "cv.pdf") -> DocumentId:
        async with self.database.as_account(self.account) as unit:
            return await store.add_document(
                unit, kind=kind, file_name=name, content=content, now=self.clock.now()
            )

    async def delete(self, document: DocumentId) -> None:
        async with self.database.as_account(self.account) as unit:
            await store.delete_document(unit, document, self.clock.now())

    async def restore(self, document: DocumentId) -> None:
        async with self.database.as_account(self.account) as unit:
            await store.restore_document(unit, document)

    async def make_default(self, document: DocumentId) -> None:
        async with self.database.as_account(self.account) as unit:
            await store.make_default(unit, document)

    async def ids(self) -> list[tuple[DocumentId, bool]]:
        async with self.database.as_account(self.account) as unit:
            return [(found.id, found.is_default) for found in await store.documents(unit)]


@pytest.fixture
def shelf(database: Database, clock: FixedClock, account: AccountId) -> Shelf:
    return Shelf(database, clock, account)


async def test_the_first_of_its_kind_is_the_default(shelf: Shelf):
    first = await shelf.add(PDF + b"1")
    second = await shelf.add(PDF + b"2")
    letter = await shelf.add(PDF + b"1", "cover_letter")
    assert await shelf.ids() == [(first, True), (second, False), (letter, True)]


async def test_the_same_file_again_is_the_same_document(shelf: Shelf):
    assert await shelf.add(PDF) == await shelf.add(PDF, name="other.pdf")
    assert len(await shelf.ids()) == 1


async def test_another_default_can_be_chosen(shelf: Shelf):
    first, second = await shelf.add(PDF + b"1"), await shelf.add(PDF + b"2")
    await shelf.make_default(second)
    assert await shelf.ids() == [(second, True), (first, False)]


async def test_a_deleted_document_is_gone_until_it_is_restored(shelf: Shelf, browser: Browser):
    document = await shelf.add(PDF)
    await shelf.delete(document)
    assert await shelf.ids() == []
    assert (await browser.ask("GET", f"/documents/{document}/content")).status_code == 404
    with pytest.raises(Missing):
        await shelf.make_default(document)
    await shelf.restore(document)
    assert await shelf.ids() == [(document, False)]


async def test_a_file_added_again_is_not_restored_beside_itself(shelf: Shelf):
    document = await shelf.add(PDF)
    await shelf.delete(document)
    await shelf.add(PDF)
    with pytest.raises(Missing):
        await shelf.restore(document)


async def test_there_are_at_most_twenty(shelf: Shelf):
    adding = [shelf.add(PDF + str(number).encode()) for number in range(24)]
    outcomes = await asyncio.gather(*adding, return_exceptions=True)
    assert sum(isinstance(outcome, TooManyDocuments) for outcome in outcomes) == 4
    assert len(await shelf.ids()) == 20


async def test_a_refused_file_leaves_nothing(shelf: Shelf):
    with pytest.raises(DocumentUnsupported):
        await shelf.add(b"MZ\x00")
    assert await shelf.ids() == []


async def test_a_device_gets_the_bytes_and_nothing_renders_them(shelf: Shelf, browser: Browser):
    document = await shelf.add(PDF, name='Ada "CV" ü.pdf')
    answer = await browser.ask("GET", f"/documents/{document}/content")
    assert (answer.status_code, answer.content) == (200, PDF)
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''Ada%20CV%20%C3%BC.pdf"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_anothers_document_answers_as_a_missing_one(shelf: Shelf, other_browser: Browser):
    document = await shelf.add(PDF)
    foreign = await other_browser.ask("GET", f"/documents/{document}/content")
    missing = await other_browser.ask("GET", f"/documents/{document + 1000}/content")
    assert (foreign.status_code, foreign.content) == (404, missing.content)


async def test_an_id_no_column_can_hold_is_missing_too(browser: Browser):
    assert (await browser.ask("GET", f"/documents/{2**70}/content")).status_code == 404
