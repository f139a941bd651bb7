"""Fetching: honest, bounded, and never into a network that is not public."""

import socket

import msgspec
import pytest
from emulators.boards import (
    Boards,
    ashby_board,
    ashby_job,
    body,
    cut_short,
    endless,
    redirect,
    silent,
    status,
)

from pipeline.sources import client
from pipeline.sources.bodies import retry_after_seconds
from pipeline.sources.client import open_fetcher, user_agent
from pipeline.sources.types import Answer, FetchFailed
from schema.settings import SourceSettings


@pytest.fixture
def source_settings(source_settings: SourceSettings) -> SourceSettings:
    """Without the gateway: here the addresses themselves are dialled."""
    return msgspec.structs.replace(source_settings, gateway="")


async def fetched(settings: SourceSettings, url: str) -> Answer:
    async with open_fetcher(settings) as fetch:
        return await fetch(url)


async def problem(settings: SourceSettings, url: str) -> str:
    with pytest.raises(FetchFailed) as raised:
        await fetched(settings, url)
    return raised.value.problem


@pytest.fixture
def url(boards: Boards) -> str:
    boards.show("northwind", ashby_job("Pilot"))
    return f"{boards.url}/posting-api/job-board/northwind"


async def test_an_answer_comes_whole_and_the_asker_says_who_asks(boards, source_settings, url):
    answer = await fetched(source_settings, url)
    assert (answer.status, answer.body) == (200, ashby_board(ashby_job("Pilot")))
    headers = boards.asked[0][1]
    assert headers["User-Agent"].startswith("Jobtrail/")
    assert "+operator@northwind.example" in headers["User-Agent"]
    assert headers["Host"] == boards.url.removeprefix("http://")


async def test_a_refusal_is_an_answer_with_its_wait(boards, source_settings, url):
    boards.fail("northwind", status(429, Retry_After="120"))
    answer = await fetched(source_settings, url)
    assert (answer.status, answer.retry_after_seconds) == (429, 120)


async def test_a_body_that_stops_early_is_no_answer(boards, source_settings, url):
    boards.fail("northwind", cut_short(ashby_board(ashby_job("Pilot")), 100))
    assert await problem(source_settings, url) == "cut_short"


async def test_a_body_without_end_is_given_up_at_the_limit(boards, source_settings, url):
    boards.fail("northwind", endless)
    assert await problem(source_settings, url) == "too_large"


async def test_an_answer_that_never_comes_is_given_up_in_time(boards, source_settings, url):
    boards.fail("northwind", silent)
    impatient = msgspec.structs.replace(source_settings, timeout_seconds=0.2)
    assert await problem(impatient, url) == "timeout"


async def test_redirects_are_followed_and_counted(boards, source_settings, url):
    boards.fail("northwind", redirect("/posting-api/job-board/northwind"))
    assert (await fetched(source_settings, url)).status == 200
    boards.fail("northwind", *[redirect("/posting-api/job-board/northwind")] * 5)
    assert await problem(source_settings, url) == "too_many_redirects"


async def test_a_redirect_into_the_own_network_is_not_followed(boards, source_settings, url, monkeypatch):
    dialled: list[str] = []

    async def resolved(host: str) -> list[str]:
        dialled.append(host)
        return ["127.0.0.1"]

    def is_public(_: str) -> bool:
        return len(dialled) == 1

    monkeypatch.setattr(client, "_resolved", resolved)
    monkeypatch.setattr(client, "is_public", is_public)
    monkeypatch.setattr(client, "_PORTS", frozenset({int(boards.url.rpartition(":")[2])}))
    boards.fail("northwind", redirect(f"http://inside.example:{boards.url.rpartition(':')[2]}/secret"))
    strict = msgspec.structs.replace(source_settings, allow_private_addresses=False)
    assert await problem(strict, url) == "refused_address"
    assert dialled == ["127.0.0.1", "inside.example"]
    assert [path for path, _ in boards.asked] == ["/posting-api/job-board/northwind"]


async def test_what_was_checked_is_what_is_dialled(boards, source_settings, monkeypatch):
    """A name that answers differently the second time is resolved once only."""
    times: list[str] = []

    async def resolved(host: str) -> list[str]:
        times.append(host)
        return ["127.0.0.1"] if len(times) == 1 else ["203.0.113.1"]

    monkeypatch.setattr(client, "_resolved", resolved)
    boards.show("northwind")
    port = boards.url.rpartition(":")[2]
    answer = await fetched(
        source_settings, f"http://rebinding.example:{port}/posting-api/job-board/northwind"
    )
    assert answer.status == 200
    assert times == ["rebinding.example"]
    assert boards.asked[0][1]["Host"] == f"rebinding.example:{port}"


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://2130706433/",
     "http://0/", "http://0177.0.0.1/", "http://169.254.169.254/latest/meta-data", "http://user:secret@example.com/",
     "ftp://example.com/", "file:///etc/passwd", "http://example.com:8377/", "http:///x", "nonsense", "http://[bad/"],
)  # fmt: skip
async def test_addresses_that_may_not_be_asked_are_refused_before_anything_is_dialled(url, monkeypatch):
    def never(*_: object) -> None:
        pytest.fail("something was dialled")

    monkeypatch.setattr(socket.socket, "connect", never)
    assert await problem(SourceSettings(), url) in {"refused_address", "unreachable"}


async def test_a_proxy_of_the_environment_is_not_used(boards, source_settings, url, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert (await fetched(source_settings, url)).status == 200


async def test_a_platform_that_is_down_is_unreachable(source_settings):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert await problem(source_settings, f"http://127.0.0.1:{taken.getsockname()[1]}/") == "unreachable"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "120"}, 120),
        ({"retry-after": "Wed, 21 Oct 2026 07:30:00 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 120),
        ({"retry-after": "Wed, 21 Oct 2026 07:30:00 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({}, None),
    ],
)
def test_the_wait_a_platform_asks_for_is_read(headers, seconds):
    assert retry_after_seconds(headers.get("retry-after", ""), headers.get("date", "")) == seconds


def test_a_contact_cannot_break_the_header():
    assert "\r" not in user_agent("ada@example.org\r\nX: y")


async def test_html_is_an_answer_too(boards, source_settings, url):
    boards.fail("northwind", body(b"<html>busy</html>", "text/html"))
    assert (await fetched(source_settings, url)).body == b"<html>busy</html>"
