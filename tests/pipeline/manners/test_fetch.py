"""Fetching with manners, on real loopback HTTP and a real PostgreSQL."""

import asyncio
import re
from datetime import UTC, datetime, timedelta

import msgspec
import psycopg
import pytest
from emulators.web import Asked, Reply, Web
from fixtures.worker import until
from house.source_files import ROOT, product

from pipeline.manners import store
from pipeline.manners.fetch import polite_fetcher
from pipeline.manners.types import HostState
from pipeline.sources.registry import CLOSING, POLICY
from pipeline.sources.types import FetchFailed
from schema.db import Database
from schema.settings import SourceSettings

PAGE = Reply(b"{}")
SITE = "https://jobs.example"


def rules(*lines: str) -> Reply:
    return Reply("\n".join(lines).encode(), content_type="text/plain")


async def fetched(database: Database, settings: SourceSettings, *urls: str) -> list[int]:
    async with polite_fetcher(database, settings) as fetch:
        return [(await fetch(url)).status for url in urls]


async def failure(database: Database, settings: SourceSettings, url: str) -> FetchFailed:
    with pytest.raises(FetchFailed) as raised:
        await fetched(database, settings, url)
    return raised.value


async def hosts(database: Database) -> dict[str, HostState]:
    async with database.as_fleet() as unit:
        return {state.host: state for state in await store.hosts(unit)}


@pytest.fixture
def site(web: Web) -> Web:
    web.sites["jobs.example"] = lambda _: PAGE
    return web


def paths(web: Web) -> list[str]:
    return [asked.path for asked in web.asked]


async def test_the_rules_of_a_site_are_read_once_for_all_and_obeyed(database, site: Web, web_settings):
    site.robots["jobs.example"] = rules("User-agent: *", "Disallow: /private", "Disallow: /*?secret=")
    assert await fetched(database, web_settings, f"{SITE}/board", f"{SITE}/board?page=2") == [200, 200]
    for path in ("/private/x?y=1", "/%70rivate", "/board?secret=1"):
        forbidden = await failure(database, web_settings, SITE + path)
        assert (forbidden.problem, forbidden.until) == ("robots_forbid", None)
        assert "jobs.example" in str(forbidden)
    async with polite_fetcher(database, web_settings) as fetch:
        with pytest.raises(FetchFailed):
            await fetch(f"{SITE}/private", json=b"{}")
        assert (await fetch(f"{SITE}/list", json=b"{}")).status == 200
    assert paths(site) == ["/robots.txt", "/board", "/board", "/list"]
    assert (await hosts(database))["jobs.example"].robots == "found"


async def test_many_who_come_at_once_read_it_once(database, site: Web, web_settings):
    site.robots["jobs.example"] = rules("User-agent: *", "Allow: /")
    await asyncio.gather(*(fetched(database, web_settings, f"{SITE}/{number}") for number in range(4)))
    assert paths(site).count("/robots.txt") == 1
    assert len(site.pages()) == 4


async def test_rules_are_kept_for_a_day_and_no_longer(database, site: Web, web_settings, owner_url: str):
    await fetched(database, web_settings, f"{SITE}/board")
    site.robots["jobs.example"] = rules("User-agent: *", "Disallow: /")
    await fetched(database, web_settings, f"{SITE}/board")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE robots_files SET fetched_at = fetched_at - interval '24 hours'")
    assert (await failure(database, web_settings, f"{SITE}/board")).problem == "robots_forbid"
    assert paths(site).count("/robots.txt") == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_a_site_without_rules_allows_everything(database, site: Web, web_settings, status):
    site.robots["jobs.example"] = Reply(b"User-agent: *\nDisallow: /", status)
    assert await fetched(database, web_settings, f"{SITE}/board") == [200]
    assert (await hosts(database))["jobs.example"].robots == "missing"


@pytest.mark.parametrize(
    "reply", [Reply(status=500), Reply(status=503), Reply(b"x" * 90, kept=10)], ids=["500", "503", "cut"]
)
async def test_rules_that_cannot_be_read_forbid_everything_for_ten_minutes(
    database, site: Web, web_settings, owner_url: str, reply
):
    site.robots["jobs.example"] = reply
    for _ in range(2):
        assert (await failure(database, web_settings, f"{SITE}/board")).problem == "unreachable"
    site.robots.clear()
    assert (await failure(database, web_settings, f"{SITE}/board")).problem == "unreachable"
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE robots_files SET fetched_at = fetched_at - interval '10 minutes'")
    assert await fetched(database, web_settings, f"{SITE}/board") == [200]
    assert paths(site) == ["/robots.txt", "/robots.txt", "/board"]


async def test_a_site_that_nobody_reached_is_asked_again_after_a_minute(
    database, site: Web, web_settings, owner_url: str
):
    site.robots["jobs.example"] = Reply(never=True)
    hurried = msgspec.structs.replace(web_settings, timeout_seconds=0.3)
    assert (await failure(database, hurried, f"{SITE}/board")).problem == "unreachable"
    site.robots.clear()
    assert (await failure(database, web_settings, f"{SITE}/board")).problem == "unreachable"
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE robots_files SET fetched_at = fetched_at - interval '1 minute'")
    assert await fetched(database, web_settings, f"{SITE}/board") == [200]


async def test_a_refused_robots_file_blocks_the_host_and_allows_nothing(database, site: Web, web_settings):
    site.robots["jobs.example"] = Reply(status=429, headers={"Retry-After": "60"})
    assert (await failure(database, web_settings, f"{SITE}/board")).problem == "unreachable"
    state = (await hosts(database))["jobs.example"]
    assert state.blocked_until is not None and state.robots == "unreachable"


async def test_a_blocked_host_says_nothing_of_its_rules(database, site: Web, web_settings, owner_url: str):
    await fetched(database, web_settings, f"{SITE}/board")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE robots_files SET fetched_at = '-infinity'")
        owner.execute("UPDATE host_paces SET blocked_until = clock_timestamp() + interval '1 hour'")
    for _ in range(2):
        blocked = await failure(database, web_settings, f"{SITE}/board")
        assert blocked.problem == "host_blocked" and blocked.until is not None
    assert len(site.asked) == 2


async def test_five_redirects_to_the_rules_are_followed_and_more_mean_there_are_none(
    database, web: Web, web_settings
):
    def away(asked: Asked) -> Reply:
        number = int(asked.path.removeprefix("/at/"))
        if number == 5:
            return rules("User-agent: *", "Disallow: /private")
        return Reply(status=301, headers={"Location": f"/at/{number + 1}"})

    web.sites["jobs.example"] = web.sites["endless.example"] = away
    web.robots["jobs.example"] = Reply(status=301, headers={"Location": "/at/1"})
    assert (await failure(database, web_settings, f"{SITE}/private")).problem == "robots_forbid"
    web.robots["endless.example"] = Reply(status=301, headers={"Location": "/at/0"})
    assert await fetched(database, web_settings, "https://endless.example/at/5") == [200]
    assert (await hosts(database))["endless.example"].robots == "missing"


async def test_a_huge_file_counts_as_far_as_it_is_read(database, site: Web, web_settings):
    filler = "# " + "x" * 998 + "\n"
    body = "User-agent: *\nDisallow: /early\n" + filler * 600 + "Disallow: /late\n"
    site.robots["jobs.example"] = rules(body)
    assert (await failure(database, web_settings, f"{SITE}/early")).problem == "robots_forbid"
    assert await fetched(database, web_settings, f"{SITE}/late") == [200]


async def test_bytes_that_are_no_text_cost_their_line(database, site: Web, web_settings):
    site.robots["jobs.example"] = Reply(
        b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /\x00\xff\xfe\nDisallow: /private"
    )
    assert (await failure(database, web_settings, f"{SITE}/private")).problem == "robots_forbid"
    assert await fetched(database, web_settings, f"{SITE}/board") == [200]


async def test_the_delay_a_site_asks_for_is_kept(database, site: Web, web_settings):
    site.robots["jobs.example"] = rules("User-agent: *", "Crawl-delay: 0.3")
    await fetched(database, web_settings, f"{SITE}/one", f"{SITE}/two")
    assert (await hosts(database))["jobs.example"].least_spacing == timedelta(seconds=0.3)


async def test_a_redirect_leads_past_no_gate(database, site: Web, web_settings):
    site.sites["jobs.example"] = lambda asked: Reply(
        status=302, headers={"Location": f"https://{asked.query['to']}/board"}
    )
    site.sites["closed.example"] = site.sites["open.example"] = lambda _: PAGE
    site.robots["closed.example"] = rules("User-agent: *", "Disallow: /")
    assert await fetched(database, web_settings, f"{SITE}/?to=open.example") == [200]
    assert (await failure(database, web_settings, f"{SITE}/?to=closed.example")).problem == "robots_forbid"
    to_policy = await failure(database, web_settings, f"{SITE}/?to=www.linkedin.com")
    assert (to_policy.problem, str(to_policy)) == ("policy_forbid", POLICY["linkedin"])
    assert {asked.host for asked in site.asked if asked.path != "/robots.txt"} == {
        "jobs.example",
        "open.example",
    }
    assert set(await hosts(database)) == {"jobs.example", "open.example", "closed.example"}


OFF = {
    "smartrecruiters": ("https://api.smartrecruiters.com/v1/companies/acme/postings",
                        "https://careers.smartrecruiters.com./Acme"),
    "bamboohr": ("https://acme.bamboohr.com/careers/list", "HTTP://ACME.BAMBOOHR.COM:443/jobs"),
    "breezy": ("https://acme.breezy.hr/json",),
    "oracle": ("https://eeho.fa.us2.oraclecloud.com/hcmRestApi/resources/latest/recruitingCEJobRequisitions",
               "https://careers.northwind.example/hcmUI/CandidateExperience/en/sites/CX/job/1",
               "https://careers.northwind.example/hcmRestApi/resources"),
    "linkedin": ("https://www.linkedin.com/jobs/view/1234567890", "https://linkedin.com./", "https://lnkd.in/x"),
    "indeed": ("https://de.indeed.com/viewjob?jk=0123456789abcdef", "https://www.indeed.co.uk/"),
    "glassdoor": ("https://www.glassdoor.co.uk/job-listing/?jl=1234567", "https://glassdoor.com.br/"),
}  # fmt: skip


async def test_a_platform_that_is_never_read_is_never_asked_by_any_address_of_it(
    database, web: Web, web_settings
):
    assert set(POLICY) == set(OFF)
    for platform, urls in OFF.items():
        for url in urls:
            refused = await failure(database, web_settings, url)
            assert (refused.problem, str(refused)) == ("policy_forbid", POLICY[platform]), url
    assert web.asked == []
    assert await hosts(database) == {}


async def test_a_platform_may_be_read_until_the_day_it_announced(database, web: Web, web_settings, clock):
    assert set(CLOSING) == {"recruitee"}
    for days, problem in ((-1, None), (0, "policy_forbid")):
        clock.at = CLOSING["recruitee"].since + timedelta(days=days)
        async with polite_fetcher(database, web_settings, clock=clock) as fetch:
            asking = asyncio.gather(
                fetch("https://northwind.recruitee.com/api/offers/"), return_exceptions=True
            )
            assert getattr((await asking)[0], "problem", None) == problem


@pytest.mark.parametrize(
    "url", ["https://notlinkedin.com/", "https://linkedin.com.example/", "https://smartrecruiters.example/"]
)
async def test_a_host_that_only_looks_like_one_is_asked(database, web: Web, web_settings, url):
    assert await fetched(database, web_settings, url) == [404]


def test_no_product_code_fetches_without_manners():
    allowed = {"pipeline/manners/fetch.py"}
    client = re.compile(r"^from pipeline\.sources(?:\.client import| import .*\bclient\b)", re.MULTILINE)
    found = {str(path) for path in product() if client.search((ROOT / path).read_text())}
    assert found == allowed


async def test_who_gives_up_gives_its_place_back(database, web: Web, web_settings):
    web.sites["jobs.example"] = lambda _: Reply(never=True)
    asking = asyncio.ensure_future(fetched(database, web_settings, f"{SITE}/board"))

    async def is_asked() -> bool | None:
        return bool(web.pages()) or None

    await until(is_asked, 5, "the request")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await hosts(database))["jobs.example"].under_way == 0
    impatient = msgspec.structs.replace(web_settings, timeout_seconds=0.1)
    assert (await failure(database, impatient, f"{SITE}/board")).problem == "timeout"
    assert (await hosts(database))["jobs.example"].under_way == 0


async def test_hosts_nobody_asks_any_more_are_forgotten(database, site: Web, web_settings, owner_url: str):
    await fetched(database, web_settings, f"{SITE}/board")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE host_paces SET used_at = used_at - interval '40 days'")
        owner.execute(
            "UPDATE robots_files SET (fetched_at, asked_until) ="
            " (fetched_at - interval '40 days', asked_until - interval '40 days')"
        )
    await fetched(database, web_settings, "https://other.example/board")
    before = datetime.now(UTC) - timedelta(days=30)
    async with database.as_fleet() as unit:
        assert await store.forget_unused(unit, before=before, most=10) == 2
        assert await store.forget_unused(unit, before=before, most=10) == 0
    assert set(await hosts(database)) == {"other.example"}
