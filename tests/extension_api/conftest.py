"""Browsers for the tests of the extension's API: one unpaired, one paired with each account."""

from collections.abc import AsyncGenerator

import httpx2
import psycopg
import pytest
from fixtures.extension_client import Browser, extension_app, new_code
from fixtures.people import FixedClock

from schema.db import Database
from schema.ids import AccountId


@pytest.fixture
async def client(database: Database, clock: FixedClock) -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=extension_app(database, clock), client=("192.0.2.7", 4711))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as opened:
        yield opened


@pytest.fixture
async def code(database: Database, clock: FixedClock, account: AccountId) -> str:
    return await new_code(database, clock, account)


@pytest.fixture
def stranger(client: httpx2.AsyncClient) -> Browser:
    return Browser(client)


@pytest.fixture
async def browser(client: httpx2.AsyncClient, code: str) -> Browser:
    """A browser paired with `account`."""
    paired = Browser(client)
    assert (await paired.pair_with(code)).status_code == 200
    return paired


@pytest.fixture
async def other_browser(
    client: httpx2.AsyncClient, database: Database, clock: FixedClock, other_account: AccountId
) -> Browser:
    """A browser paired with `other_account`."""
    paired = Browser(client)
    assert (await paired.pair_with(await new_code(database, clock, other_account))).status_code == 200
    return paired


@pytest.fixture
def posting(owner_url: str, empty_database: None) -> int:
    """GitLab's opening in the catalog; its id."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        row = owner.execute(
            "INSERT INTO postings (platform, vendor_id, board, title, company, canonical_url, first_seen_at)"
            " VALUES ('greenhouse', '8090211002', 'gitlab', 'Backend Engineer', 'GitLab',"
            " 'https://boards.greenhouse.io/gitlab/jobs/8090211002', now()) RETURNING id"
        ).fetchone()
    assert row
    return row[0]
