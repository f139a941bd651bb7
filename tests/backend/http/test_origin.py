"""Which names we answer to and who may change something: the whole matrix."""

import socket

import pytest

from backend.http.origin import Caller, Names
from backend.http.refusals import ForeignHost, FromElsewhere
from schema.settings import HttpSettings

HERE = Names.of(HttpSettings())
PUBLIC = Names.of(HttpSettings(public_url="https://jobs.example.org/"))
OPEN = Names.of(HttpSettings(host="0.0.0.0"))
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


def knows(names: Names, host: str) -> bool:
    try:
        names.require_known(host)
    except ForeignHost:
        return False
    return True


def lets_in(
    names: Names,
    *,
    method: str = "POST",
    path: str = "/settings/account",
    host: str = "127.0.0.1:8377",
    origin: str | None = None,
    site: str | None = None,
) -> bool:
    try:
        names.require_own(Caller(method=method, path=path, host=host, origin=origin, site=site))
    except FromElsewhere:
        return False
    return True


@pytest.mark.parametrize("host", ["127.0.0.1:8377", "localhost", "localhost:9000", "[::1]:8377", "127.0.0.2"])
def test_loopback_is_known_by_every_name_and_port(host: str):
    assert knows(HERE, host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8377",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "192.168.1.5:8377",
        "",
        "[",
        "a b",
        "localhost@evil.example",
        "evil.example@localhost",
        "127.0.0.1:99999",
        "127.0.0.1:",
        "127.0.0.1:8377:8377",
        "127.0.0.1:٨٣٧٧",
        "localhost#evil.example",
        "jobs.example.org",
    ],
)
def test_a_page_that_points_its_own_name_here_is_turned_away(host: str):
    assert not knows(HERE, host)


def test_the_public_name_is_known_where_it_is_set():
    assert knows(PUBLIC, "jobs.example.org")
    assert knows(PUBLIC, "127.0.0.1:8377")
    assert not knows(PUBLIC, "other.example.org")


def test_a_server_for_the_network_is_known_by_its_addresses_not_by_any_name():
    assert knows(OPEN, "192.168.1.5:8377")
    assert knows(OPEN, "[fe80::1]:8377")
    assert knows(OPEN, f"{socket.gethostname().lower()}:8377"), "the name jobtrail prints"
    assert not knows(OPEN, "evil.example:8377")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_is_open_to_links_from_elsewhere(method: str):
    assert lets_in(HERE, method=method, origin="https://evil.example", site="cross-site")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "post"])
@pytest.mark.parametrize(
    ("origin", "site", "expected"),
    [
        ("http://127.0.0.1:8377", "same-origin", True),
        ("http://127.0.0.1:8377", "none", True),
        ("http://127.0.0.1:8377", None, True),
        (None, "same-origin", True),
        (None, "none", True),
        (None, None, True),
        ("http://127.0.0.1:8377", "same-site", False),
        ("http://127.0.0.1:8377", "cross-site", False),
        (None, "same-site", False),
        (None, "cross-site", False),
        ("http://127.0.0.1:3000", "same-origin", False),
        ("http://127.0.0.1:3000", None, False),
        ("https://127.0.0.1:8377", None, False),
        ("http://localhost:8377", None, False),
        ("https://evil.example", None, False),
        ("https://evil.example", "none", False),
        ("null", None, False),
        ("null", "none", False),
        ("", "same-origin", False),
        (EXTENSION, "none", False),
        (EXTENSION, None, False),
        (None, "", False),
    ],
)
def test_an_unsafe_request_comes_from_our_own_pages_or_no_browser(
    method: str, origin: str | None, site: str | None, expected: bool
):
    assert lets_in(HERE, method=method, origin=origin, site=site) is expected


@pytest.mark.parametrize("site", ["none", "cross-site", "same-site", None])
def test_an_extension_may_call_its_own_api(site: str | None):
    assert lets_in(HERE, path="/api/extension/pair", origin=EXTENSION, site=site)


@pytest.mark.parametrize(
    "path", ["/api/extension", "/api/extensionx/pair", "/api/me", "/settings", "//api/extension/pair"]
)
def test_an_extension_may_call_nothing_else(path: str):
    assert not lets_in(HERE, path=path, origin=EXTENSION, site="none")


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "chrome-extension://",
        "chrome-extension://a/b",
        "xchrome-extension://abc",
    ],
)
def test_nobody_else_may_call_the_extensions_api_from_a_browser(origin: str):
    assert not lets_in(HERE, path="/api/extension/pair", origin=origin, site="cross-site")


def test_behind_a_proxy_the_public_origin_is_ours():
    assert lets_in(PUBLIC, host="jobs.example.org", origin="https://jobs.example.org", site="same-origin")
    assert not lets_in(PUBLIC, host="jobs.example.org", origin="http://jobs.example.org")
