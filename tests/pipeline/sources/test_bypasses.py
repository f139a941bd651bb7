"""Every way we know to lead a fetcher into the network it runs in, or to have it do what nobody asked for.

The resolver and the dialling are the test's; between them everything is real.
"""

import msgspec
import pytest
from emulators.web import Asked, Reply, Web
from fixtures.internet import PUBLIC, Internet

from pipeline.sources.client import open_fetcher
from pipeline.sources.types import Answer, FetchFailed, Validators
from schema.settings import SourceSettings

HOST = "jobs.example"
STRICT = SourceSettings(timeout_seconds=10)
INSIDE = {
    "loopback": "127.0.0.1",
    "rest of loopback": "127.255.1.1",
    "this host": "0.0.0.0",
    "private 10": "10.0.0.8",
    "private 172": "172.16.5.4",
    "private 192": "192.168.0.1",
    "carrier NAT": "100.64.0.1",
    "metadata": "169.254.169.254",
    "metadata behind carrier NAT": "100.100.100.200",
    "protocol assignments": "192.0.0.192",
    "6to4 relay": "192.88.99.1",
    "benchmarking": "198.18.0.1",
    "documentation": "203.0.113.5",
    "multicast": "224.0.0.1",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "v6 unspecified": "::",
    "v6 loopback": "::1",
    "v6 mapped": "::ffff:127.0.0.1",
    "v6 mapped, in hexadecimal": "::ffff:7f00:1",
    "v6 compatible": "::127.0.0.1",
    "v6 translated": "::ffff:0:127.0.0.1",
    "NAT64": "64:ff9b::7f00:1",
    "NAT64 of metadata": "64:ff9b::a9fe:a9fe",
    "local NAT64": "64:ff9b:1::7f00:1",
    "6to4 of loopback": "2002:7f00:1::",
    "6to4 of private": "2002:c0a8:1::1",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "ISATAP of private": "2606:4700::5efe:10.0.0.1",
    "site-local": "fec0::1",
    "unique local": "fd00:ec2::254",
    "link-local": "fe80::1",
    "v6 multicast": "ff02::1",
    "v6 documentation": "2001:db8::1",
    "v6 documentation, new": "3fff::1",
    "segment routing": "5f00::1",
    "discard": "100::1",
    "dummy": "100:0:0:1::1",
}
FORMS = {
    "localhost": "http://localhost/",
    "localhost with a dot": "http://localhost./",
    "LOCALHOST": "http://LOCALHOST/",
    "decimal": "http://2130706433/",
    "decimal of metadata": "http://2852039166/",
    "zero": "http://0/",
    "short": "http://127.1/",
    "short, three parts": "http://127.0.1/",
    "octal": "http://0177.0.0.1/",
    "octal, padded": "http://0000177.0.0.01/",
    "octal, whole": "http://017700000001/",
    "hexadecimal": "http://0x7f.0.0.1/",
    "hexadecimal, whole": "http://0x7f000001/",
    "hexadecimal, empty": "http://0x/",
    "mixed": "http://0x7f.1/",
    "too large a part": "http://127.0.0.257/",
    "overflowing": "http://4294967297/",
    "with a dot": "http://127.0.0.1./",
    "public, decimal": "http://1572395042/",
    "public, short": "http://1.1/",
    "leading zeros": "http://093.184.216.034/",
    "v6 loopback": "http://[::1]/",
    "v6 long": "http://[0:0:0:0:0:0:0:1]/",
    "v6 mapped": "http://[::ffff:127.0.0.1]/",
    "v6 with a zone": "http://[fe80::1%25eth0]/",
    "v6 with a plain zone": "http://[fe80::1%lo]/",
    "v6 without brackets": "http://::1/",
    "open bracket": "http://[::1/",
    "fullwidth digits": "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11/",
    "ideographic stops": "http://127。0。0。1/",
    "halfwidth stops": "http://127｡0｡0｡1/",
    "circled digits": "http://①②⑦.⓪.⓪.①/",
    "circled letters": "http://ⓛocalhost/",
    "soft hyphen": "http://local\u00adhost/",
    "zero-width": "http://local\u200bhost/",
    "encoded dots": "http://127%2e0%2e0%2e1/",
    "encoded host": "http://%6c%6f%63%61%6c%68%6f%73%74/",
    "encoded slash": "http://jobs.example%2f@127.0.0.1/",
    "backslash": "http://jobs.example\\@127.0.0.1/",
    "two hosts": "http://jobs.example@127.0.0.1/",
    "password": "http://user:secret@jobs.example/",
    "empty password": "http://:@jobs.example/",
    "user only": "http://root@jobs.example/",
    "two at": "http://a@b@jobs.example/",
    "fragment in the host": "http://127.0.0.1#@jobs.example/",
    "query in the host": "http://127.0.0.1?@jobs.example/",
    "line break in the host": "http://jobs.example\r\nX: y/",
    "space in the host": "http://jobs example/",
    "NUL in the host": "http://127.0.0.1\0.jobs.example/",
    "no host": "http:///etc/passwd",
    "only dots": "http://../",
    "empty label": "http://jobs..example/",
    "endless name": "http://" + "a." * 200 + "example/",
    "no scheme": "jobs.example/board",
    "relative": "//127.0.0.1/",
    "file": "file:///etc/passwd",
    "file with a host": "file://jobs.example/etc/passwd",
    "ftp": "ftp://jobs.example/",
    "gopher": "gopher://127.0.0.1:6379/_INFO",
    "data": "data:text/html,hello",
    "javascript": "javascript:alert(1)",
    "unix socket": "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
    "websocket": "ws://jobs.example/",
    "view-source": "view-source:http://jobs.example/",
    "another port": "http://jobs.example:8080/",
    "ssh": "http://jobs.example:22/",
    "port zero": "http://jobs.example:0/",
    "port too large": "http://jobs.example:65536/",
    "port that wraps": "http://jobs.example:65616/",
    "negative port": "http://jobs.example:-80/",
    "port of letters": "http://jobs.example:http/",
    "too long": "http://jobs.example/" + "a" * 5000,
    "empty": "",
}


async def fetched(url: str, settings: SourceSettings = STRICT, known: Validators | None = None) -> Answer:
    async with open_fetcher(settings) as fetch:
        return await fetch(url, known=known)


async def problem(url: str, settings: SourceSettings = STRICT) -> str:
    with pytest.raises(FetchFailed) as raised:
        await fetched(url, settings)
    return raised.value.problem


@pytest.fixture
def host(internet: Internet, web: Web) -> Web:
    """A site on the public internet."""
    internet.names[HOST] = [[PUBLIC]]
    web.sites[HOST] = lambda _: Reply(b"{}")
    return web


@pytest.mark.parametrize("url", FORMS.values(), ids=FORMS.keys())
async def test_no_spelling_of_an_address_is_dialled(internet: Internet, host: Web, url: str):
    assert await problem(url) in {"refused_address", "unreachable"}
    assert internet.dialled == []


@pytest.mark.parametrize("address", INSIDE.values(), ids=INSIDE.keys())
async def test_no_name_leads_inside_alone_or_among_public_answers(internet: Internet, address: str):
    literal = f"[{address}]" if ":" in address else address
    internet.names["inside.example"] = [[address], [PUBLIC, address], [address, PUBLIC]]
    for url in (*["https://inside.example/"] * 3, f"http://{literal}/"):
        assert await problem(url) == "refused_address"
    assert internet.dialled == []


async def test_a_name_that_answers_otherwise_the_second_time_is_asked_once(internet: Internet, host: Web):
    internet.names[HOST] = [[PUBLIC], ["127.0.0.1"]]
    assert (await fetched(f"http://{HOST}/")).status == 200
    assert internet.looked_up == [HOST]
    assert internet.dialled == [(PUBLIC, 80)]
    assert await problem(f"http://{HOST}/") == "refused_address"


ONWARD = {
    "loopback": "http://127.0.0.1/",
    "a name that leads inside": "https://inside.example/",
    "the same name, which leads inside now": "/again",
    "decimal": "http://2130706433/",
    "without a scheme": "//127.0.0.1/",
    "v6": "http://[::1]/",
    "file": "file:///etc/passwd",
    "ftp": "ftp://jobs.example/",
    "data": "data:text/html,x",
    "javascript": "javascript:alert(1)",
    "another port": "http://jobs.example:8377/",
    "another port, without a scheme": "//jobs.example:6379/",
    "a password": "http://a:b@jobs.example/",
    "no address at all": "http://[",
    "a line break": "http://jobs.example/%0d%0a\t//127.0.0.1",
}


@pytest.mark.parametrize("onward", ONWARD.values(), ids=ONWARD.keys())
async def test_no_redirect_leads_inside_or_to_something_else(internet: Internet, host: Web, onward: str):
    internet.names |= {HOST: [[PUBLIC], ["10.0.0.8"]], "inside.example": [["192.168.0.1"]]}
    host.sites[HOST] = lambda _: Reply(status=302, headers={"Location": onward})
    assert await problem(f"http://{HOST}/") in {"refused_address", "unreachable"}
    assert internet.dialled == [(PUBLIC, 80)]


async def test_each_step_of_a_redirect_is_resolved_and_checked_anew(internet: Internet, host: Web):
    internet.names["next.example"] = [["151.101.1.67"]]
    host.sites[HOST] = lambda _: Reply(status=301, headers={"Location": "http://next.example/there#part"})
    host.sites["next.example"] = lambda asked: Reply(asked.path.encode())
    answer = await fetched(f"http://{HOST}/")
    assert (answer.url, answer.body) == ("http://next.example/there", b"/there")
    assert internet.dialled == [(PUBLIC, 80), ("151.101.1.67", 80)]
    assert [asked.host for asked in host.asked] == [HOST, "next.example"]


async def test_endless_redirects_end(internet: Internet, host: Web):
    host.sites[HOST] = lambda asked: Reply(status=307, headers={"Location": asked.path + "x"})
    assert await problem(f"http://{HOST}/") == "too_many_redirects"
    assert len(host.asked) == 4


@pytest.mark.parametrize(
    ("spelled", "asked"),
    [
        ("http://JOBS.Example/", HOST),
        ("http://jobs.example./", HOST),
        ("http://jobs.example:80/", HOST),
        ("http://jobs.example:\uff18\uff10/", HOST),
        ("http://jobs.example:443/", f"{HOST}:443"),
        ("http://jobs\u3002example/", HOST),
        ("http://b\u00fccher.example/", "xn--bcher-kva.example"),
        (f"http://{PUBLIC}/", PUBLIC),
    ],
)
async def test_a_host_has_one_spelling(internet: Internet, host: Web, spelled: str, asked: str):
    internet.names["xn--bcher-kva.example"] = [[PUBLIC]]
    await fetched(spelled)
    assert [each.host for each in host.asked] == [asked]
    assert internet.dialled == [(PUBLIC, 443 if asked.endswith(":443") else 80)]


async def test_nothing_in_an_address_becomes_a_header(internet: Internet, host: Web):
    for url in (
        f"http://{HOST}/a\r\nX-Evil: 1",
        f"http://{HOST}/a%0d%0aX-Evil:%201",
        f"http://{HOST}/a b\tc",
    ):
        async with open_fetcher(STRICT) as fetch:
            try:
                await fetch(url)
            except FetchFailed as failed:
                assert failed.problem == "refused_address"  # noqa: PT017 - either is safe
    assert all("x-evil" not in asked.headers for asked in host.asked)


async def test_validators_that_could_break_a_header_are_not_kept(internet: Internet, host: Web):
    odd = {"ETag": '"caf\u00e9"', "Last-Modified": "x" * 300}
    host.sites[HOST] = lambda _: Reply(b"{}", headers=odd)
    assert (await fetched(f"http://{HOST}/")).validators is None
    with pytest.raises(FetchFailed):
        await fetched(f"http://{HOST}/", known=Validators(etag='"a"\r\nX-Evil: 1'))


async def test_the_next_address_of_a_name_is_dialled_when_one_is_down(internet: Internet, host: Web):
    internet.names[HOST] = [["151.101.1.67", PUBLIC]]
    internet.down = {"151.101.1.67"}
    assert (await fetched(f"http://{HOST}/")).status == 200
    assert internet.dialled == [("151.101.1.67", 80), (PUBLIC, 80)]
    internet.down.add(PUBLIC)
    assert await problem(f"http://{HOST}/") == "unreachable"


async def test_a_v6_address_is_dialled_too(internet: Internet, host: Web):
    internet.names[HOST] = [["2606:4700:4700::1111"]]
    assert (await fetched(f"http://{HOST}/")).status == 200
    assert internet.dialled == [("2606:4700:4700::1111", 80)]


async def test_what_one_host_sets_is_sent_to_nobody(internet: Internet, host: Web):
    internet.names["other.example"] = [[PUBLIC]]
    host.sites["other.example"] = host.sites[HOST] = lambda _: Reply(b"{}", headers={"Set-Cookie": "a=b"})
    async with open_fetcher(STRICT) as fetch:
        for name in (HOST, "other.example", HOST):
            await fetch(f"http://{name}/")
    assert all("cookie" not in asked.headers for asked in host.asked)


async def test_a_question_is_not_posted_to_where_one_is_sent(internet: Internet, host: Web):
    def site(asked: Asked) -> Reply:
        there = {"/": "/then", "/keep": "/then"}.get(asked.path)
        return (
            Reply(status=307 if asked.path == "/keep" else 303, headers={"Location": there})
            if there
            else Reply()
        )

    host.sites[HOST] = site
    async with open_fetcher(STRICT) as fetch:
        await fetch(f"http://{HOST}/", json=b'{"a":1}')
        await fetch(f"http://{HOST}/keep", json=b'{"a":1}')
    assert [(asked.method, asked.body) for asked in host.asked] == [
        ("POST", b'{"a":1}'), ("GET", b""), ("POST", b'{"a":1}'), ("POST", b'{"a":1}'),
    ]  # fmt: skip


async def test_nothing_of_the_environment_stands_between(
    internet: Internet, host: Web, monkeypatch, tmp_path
):
    (tmp_path / ".netrc").write_text(f"machine {HOST} login a password b\n")
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name, value in {"HOME": str(tmp_path), "NETRC": str(tmp_path / ".netrc")}.items():
        monkeypatch.setenv(name, value)
    assert (await fetched(f"http://{HOST}/")).status == 200
    assert internet.dialled == [(PUBLIC, 80)]
    assert "authorization" not in host.asked[0].headers


async def test_a_gateway_makes_no_other_address_askable(web: Web, web_settings: SourceSettings):
    for name in ("another port", "password", "file", "decimal", "v6 without brackets"):
        assert await problem(FORMS[name], web_settings) == "refused_address"
    assert web.asked == []
    assert (await fetched("https://jobs.example/", msgspec.structs.replace(web_settings))).status == 404
