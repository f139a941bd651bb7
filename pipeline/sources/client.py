"""The only file that talks to hiring platforms: one whole answer for one address, or a reason why not.

Says honestly who asks, dials only addresses that were checked, follows few redirects and checks each, keeps
time and size within the settings, and knows no proxy. It keeps nothing and judges nothing; when a host may be
asked is the business of `pipeline/manners`, which everything but a test asks through.
"""

import asyncio
import functools
import ipaddress
import re
import socket
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import PackageNotFoundError, version

import httpx2
import msgspec

from pipeline.sources.bodies import Unpacking, retry_after_seconds
from pipeline.sources.reachable import is_public
from pipeline.sources.types import Answer, FetchFailed, Validators
from schema.settings import SourceSettings

MOST_REDIRECTS = 3
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_KEEP_METHOD = frozenset((307, 308))
_UNCHANGED = 304
_OK = 200
_USUAL_PORTS = {"http": 80, "https": 443}
_PORTS = frozenset((80, 443))
_MOST_ADDRESS_CHARS = 4_000
_MOST_HOST_CHARS = 253
_MOST_DIALS = 3
_MEGABYTE = 1024 * 1024
# Threads of their own: name servers that do not answer would hold up everything else that runs in threads.
_LOOKUPS = ThreadPoolExecutor(max_workers=8, thread_name_prefix="lookup")
# A number as last part of a host makes the whole an IPv4 address to some readers and a name to others.
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)")
_ETAG = re.compile(r"[\x21-\x7e]{1,1000}")
_LAST_MODIFIED = re.compile(r"[\x20-\x7e]{1,200}")

Ready = Callable[[], Awaitable[None]]
"""Awaited when a connection stands and nothing was sent yet: may wait for a turn, or refuse."""


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where an address leads, as this client reads it: nobody may read it differently."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def site(self) -> str:
        """The host, with its port when it is not a usual one: what one robots.txt speaks for."""
        return self.host if self.port in _PORTS else f"{self.host}:{self.port}"

    @property
    def named(self) -> str:
        """As the Host header says it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _USUAL_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.named}"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One request. `most_bytes` None: the limit of the settings; `is_clipped`: more than that is left out."""

    url: str
    json: bytes | None = None
    known: Validators | None = None
    most_bytes: int | None = None
    is_clipped: bool = False


Hop = Callable[[Asked], Awaitable[tuple[Answer, str | None]]]
"""One request, no redirect followed: the answer, and the address it points on to."""


@asynccontextmanager
async def open_fetcher(settings: SourceSettings) -> AsyncGenerator["Fetcher", None]:
    async with httpx2.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        verify=_tls(),
        timeout=settings.timeout_seconds,
        # A kept connection would be found again by its number and serve another name on the same machine.
        limits=httpx2.Limits(max_keepalive_connections=0),
        # By the same number: what one name sets would be sent to another.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        headers={
            "User-Agent": user_agent(settings.contact),
            "Accept": "application/json, text/html;q=0.5, */*;q=0.1",
            "Accept-Encoding": "gzip",
        },
    ) as client:
        yield Fetcher(client, settings)


async def followed(hop: Hop, asked: Asked, most: int = MOST_REDIRECTS) -> Answer:
    """The answer behind at most so many redirects.

    What is known of an answer belongs to its own address: it is not asked for behind a redirect, and what
    comes from there has no validators. A page one is sent to could else say "unchanged" for a whole board.
    """
    for number in range(most + 1):
        answer, onward = await hop(asked)
        if onward is None:
            return answer if number == 0 else msgspec.structs.replace(answer, validators=None)
        is_posted_on = answer.status in _KEEP_METHOD
        asked = msgspec.structs.replace(
            asked, url=_joined(asked.url, onward), known=None, json=asked.json if is_posted_on else None
        )
    raise FetchFailed("too_many_redirects")


class Fetcher:
    """Satisfies `Fetch`, without any manners."""

    def __init__(self, client: httpx2.AsyncClient, settings: SourceSettings) -> None:
        self._client = client
        self._settings = settings

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        return await followed(self.hop, Asked(url=url, json=json, known=known))

    def address_of(self, url: str) -> Address:
        """Raises `FetchFailed` for an address that is never asked, whatever its name leads to."""
        return _address(_parsed(url), any_port=self._settings.allow_private_addresses)

    async def hop(self, asked: Asked, ready: Ready | None = None) -> tuple[Answer, str | None]:
        """One request. The time limit runs from here, but stands still while `ready` is awaited."""
        target = _parsed(asked.url)
        address = self.address_of(asked.url)
        try:
            async with asyncio.timeout(self._settings.timeout_seconds) as limit:
                return await self._dialled(target, address, asked, _pausing(limit, ready))
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise FetchFailed("timeout") from error
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, UnicodeError) as error:
            raise FetchFailed("refused_address", "not an address that can be fetched") from error
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.DecodingError) as error:
            raise FetchFailed("cut_short", type(error).__name__) from error
        except (httpx2.HTTPError, OSError) as error:
            raise FetchFailed("unreachable", type(error).__name__) from error

    async def _dialled(
        self, target: httpx2.URL, address: Address, asked: Asked, ready: Ready | None
    ) -> tuple[Answer, str | None]:
        """The next address of a name is tried only when no connection stood: nothing was sent then."""
        places = await self._places(target, address)
        for place in places[:-1]:
            try:
                return await self._sent(target, place, address, asked, ready)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._sent(target, places[-1], address, asked, ready)

    async def _places(self, target: httpx2.URL, address: Address) -> list[httpx2.URL]:
        if not self._settings.gateway:
            addresses = await self._checked_addresses(address.host)
            return [target.copy_with(host=each, fragment=None) for each in addresses[:_MOST_DIALS]]
        gateway = httpx2.URL(self._settings.gateway)
        return [target.copy_with(scheme=gateway.scheme, host=gateway.host, port=gateway.port, fragment=None)]

    async def _checked_addresses(self, host: str) -> list[str]:
        """The addresses to dial. Resolved once, so that what was checked is what is dialled."""
        addresses = await _resolved(host)
        if not self._settings.allow_private_addresses and not all(map(is_public, addresses)):
            raise FetchFailed("refused_address", "the name leads into a network that is not public")
        return list(dict.fromkeys(addresses))

    async def _sent(
        self, target: httpx2.URL, place: httpx2.URL, address: Address, asked: Asked, ready: Ready | None
    ) -> tuple[Answer, str | None]:
        request = self._client.build_request(
            "GET" if asked.json is None else "POST",
            place,
            content=asked.json,
            headers=_headers(address, asked),
            extensions={"sni_hostname": address.host, **({} if ready is None else {"trace": _hook(ready)})},
        )
        response = await self._client.send(request, stream=True)
        try:
            onward = response.headers.get("location") if response.status_code in _REDIRECTS else None
            body = b"" if onward or response.status_code == _UNCHANGED else await self._body(response, asked)
        finally:
            await response.aclose()
        if response.status_code == _UNCHANGED and asked.known is None:
            raise FetchFailed("cut_short", "it says unchanged, and nothing was known")
        return _answer(str(target.copy_with(fragment=None)), response, body), onward

    async def _body(self, response: httpx2.Response, asked: Asked) -> bytes:
        unpacking = Unpacking(
            response.headers.get("content-encoding", ""),
            most_bytes=asked.most_bytes or self._settings.response_limit_mb * _MEGABYTE,
            is_clipped=asked.is_clipped,
        )
        async for chunk in response.aiter_raw():
            unpacking.take(chunk)
            if unpacking.is_full:
                break
        return unpacking.whole()


def _parsed(url: str) -> httpx2.URL:
    if len(url) > _MOST_ADDRESS_CHARS:
        raise FetchFailed("refused_address", "an address of that length is not asked")
    try:
        return httpx2.URL(url.strip())
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise FetchFailed("refused_address", "not an address that can be fetched") from error


def _joined(url: str, onward: str) -> str:
    try:
        return str(httpx2.URL(url).join(onward))
    except (httpx2.InvalidURL, ValueError, TypeError) as error:
        raise FetchFailed("refused_address", "it points to something that is no address") from error


def _address(target: httpx2.URL, *, any_port: bool) -> Address:
    if target.scheme not in _USUAL_PORTS or not target.host or target.userinfo:
        raise FetchFailed("refused_address", "only http and https, without a password in the address")
    port = _USUAL_PORTS[target.scheme] if target.port is None else target.port
    if port not in _PORTS and not any_port:
        raise FetchFailed("refused_address", f"port {port} is not asked")
    host = target.raw_host.decode("ascii").lower().removesuffix(".")
    if not _is_host(host):
        raise FetchFailed("refused_address", "the host is neither a name nor an address as they are written")
    return Address(
        scheme=target.scheme, host=host, port=port, target=target.raw_path.decode("ascii", "replace")
    )


def _is_host(host: str) -> bool:
    if not 0 < len(host) <= _MOST_HOST_CHARS or host.endswith("."):
        return False
    if ":" not in host and not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return re.fullmatch(r"[a-z0-9._-]+", host) is not None
    try:
        # Decimal, octal, hexadecimal and short forms are nothing a person or a platform writes.
        return str(ipaddress.ip_address(host)) == host or ":" in host
    except ValueError:
        return False


def _pausing(limit: asyncio.Timeout, ready: Ready | None) -> Ready | None:
    if ready is None:
        return None

    async def paused() -> None:
        loop = asyncio.get_running_loop()
        left = (limit.when() or loop.time()) - loop.time()
        limit.reschedule(None)
        await ready()
        limit.reschedule(loop.time() + left)

    return paused


def _hook(ready: Ready) -> Callable[[str, object], Awaitable[None]]:
    async def trace(event: str, _: object) -> None:
        if event.endswith("send_request_headers.started"):
            await ready()

    return trace


def _headers(address: Address, asked: Asked) -> dict[str, str]:
    headers = {"Host": address.named}
    if asked.json is not None:
        headers["Content-Type"] = "application/json"
    if asked.known is not None and asked.known.etag is not None:
        headers["If-None-Match"] = asked.known.etag
    if asked.known is not None and asked.known.last_modified is not None:
        headers["If-Modified-Since"] = asked.known.last_modified
    return headers


def _answer(url: str, response: httpx2.Response, body: bytes) -> Answer:
    return Answer(
        url=url,
        status=response.status_code,
        body=body,
        content_type=response.headers.get("content-type", ""),
        validators=_validators(response),
        retry_after_seconds=retry_after_seconds(
            response.headers.get("retry-after", ""), response.headers.get("date", "")
        ),
    )


def _validators(response: httpx2.Response) -> Validators | None:
    """Only of a body whose end was announced: one that ends with its connection may have been cut."""
    headers = response.headers
    is_announced = "content-length" in headers or "chunked" in headers.get("transfer-encoding", "").lower()
    if response.status_code not in {_OK, _UNCHANGED} or not (
        is_announced or response.status_code == _UNCHANGED
    ):
        return None
    etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
    found = Validators(
        etag=etag if _ETAG.fullmatch(etag) else None,
        last_modified=modified if _LAST_MODIFIED.fullmatch(modified) else None,
    )
    return found if found.etag or found.last_modified else None


async def _resolved(host: str) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.run_in_executor(_LOOKUPS, socket.getaddrinfo, host, None, 0, socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise FetchFailed("unreachable", "the name is not known") from error
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses:
        raise FetchFailed("unreachable", "the name has no address")
    return addresses


def user_agent(contact: str) -> str:
    """Who asks, and where the operator can be reached."""
    named = "".join(letter for letter in contact if letter.isascii() and letter.isprintable())
    return f"Jobtrail/{_release()}" + (f" (+{named})" if named else "")


@functools.cache
def _release() -> str:
    try:
        return version("jobtrail")
    except PackageNotFoundError:
        return "0"


@functools.cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)
