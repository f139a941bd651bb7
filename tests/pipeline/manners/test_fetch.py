"""Fetching with manners, on real loopback HTTP and a real PostgreSQL."""

import pytest
from emulators.web import Reply, Web

from pipeline.manners.fetch import polite_fetcher
from pipeline.sources.types import FetchFailed
from schema.db import Database
from schema.settings import SourceSettings

PAGE = Reply(b"{}")


async def fetched(database: Database, settings: SourceSettings, *urls: str) -> list[int]:
    async with polite_fetcher(database, settings) as fetch:
        return [(await fetch(url)).status for url in urls]


async def failure(database: Database, settings: SourceSettings, url: str) -> FetchFailed:
    with pytest.raises(FetchFailed) as raised:
        await fetched(database, settings, url)
    return raised.value


async def test_the_rules_of_a_site_are_read_once_and_obeyed(database, web: Web, web_settings):
    web.sites["jobs.example"] = lambda _: PAGE
    web.robots["jobs.example"] = Reply(b"User-agent: *\nDisallow: /private\n", content_type="text/plain")
    urls = ["https://jobs.example/board", "https://jobs.example/other"]
    assert await fetched(database, web_settings, *urls) == [200, 200]
    forbidden = await failure(database, web_settings, "https://jobs.example/private/x?y=1")
    assert forbidden.problem == "robots_forbid"
    assert "jobs.example" in str(forbidden)
    assert [asked.path for asked in web.asked] == ["/robots.txt", "/board", "/other"]
