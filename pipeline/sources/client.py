"""The only file that talks to hiring platforms: one whole answer for one address, or a reason why not.

Says honestly who asks, dials only addresses that were checked, follows few redirects and checks each, keeps
time and size within the settings, and knows no proxy. It keeps nothing and judges nothing.
"""

import asyncio
import functools
import socket
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version

import httpx2

from pipeline.sources.reachable import is_public
from pipeline.sources.types import Answer, FetchFailed, Validators
from schema.settings import SourceSettings

_MAX_REDIRECTS = 3
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_PORTS = frozenset((None, 80, 443))
_MEGABYTE = 1024 * 1024


@asynccontextmanager
async def open_fetcher(settings: SourceSettings) -> AsyncGenerator["Fetcher", None]:
    async with httpx2.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        verify=_tls(),
        timeout=settings.timeout_seconds,
        # A kept connection would be found again by its number and serve another name on the same machine.
        limits=httpx2.Limits(max_keepalive_connections=0),
        headers={"User-Agent": user_agent(settings.contact), "Accept": "application/json, text/html;q=0.5"},
    ) as client:
        yield Fetcher(client, settings)


class Fetcher:
    """Satisfies `Fetch`."""

    def __init__(self, client: httpx2.AsyncClient, settings: SourceSettings) -> None:
        self._client = client
        self._settings = settings

    async def __call__(
        self, url: str, /, *, json: bytes | None = None, known: Validators | None = None
    ) -> Answer:
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                return await self._followed(url, json, known)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise FetchFailed("timeout") from error
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, UnicodeError) as error:
            raise FetchFailed("refused_address", "not an address that can be fetched") from error
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.DecodingError) as error:
            raise FetchFailed("cut_short", type(error).__name__) from error
        except (httpx2.HTTPError, OSError) as error:
            raise FetchFailed("unreachable", type(error).__name__) from error

    async def _followed(self, url: str, json: bytes | None, known: Validators | None) -> Answer:
        target = httpx2.URL(url)
        for _ in range(_MAX_REDIRECTS + 1):
            answer, onward = await self._one_hop(target, json, known)
            if onward is None:
                return answer
            target = target.join(onward)
        raise FetchFailed("too_many_redirects")

    async def _one_hop(
        self, target: httpx2.URL, json: bytes | None, known: Validators | None
    ) -> tuple[Answer, str | None]:
        request = self._client.build_request(
            "GET" if json is None else "POST",
            await self._dialled(target),
            content=json,
            headers=_headers(target, json, known),
            extensions={"sni_hostname": target.raw_host.decode("ascii")},
        )
        response = await self._client.send(request, stream=True)
        try:
            onward = response.headers.get("location") if response.status_code in _REDIRECTS else None
            body = b"" if onward else await self._body(response)
        finally:
            await response.aclose()
        answer = Answer(
            url=str(target),
            status=response.status_code,
            body=body,
            content_type=response.headers.get("content-type", ""),
            validators=_validators(response.headers),
            retry_after_seconds=retry_after_seconds(response.headers),
        )
        return answer, onward

    async def _dialled(self, target: httpx2.URL) -> httpx2.URL:
        if not self._settings.gateway:
            return target.copy_with(host=await self._checked_address(target), fragment=None)
        gateway = httpx2.URL(self._settings.gateway)
        return target.copy_with(scheme=gateway.scheme, host=gateway.host, port=gateway.port, fragment=None)

    async def _body(self, response: httpx2.Response) -> bytes:
        limit = self._settings.response_limit_mb * _MEGABYTE
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > limit:
                raise FetchFailed("too_large", f"more than {self._settings.response_limit_mb} MB")
        return bytes(body)

    async def _checked_address(self, target: httpx2.URL) -> str:
        """The address to dial. Resolved once, so that what was checked is what is dialled."""
        anywhere = self._settings.allow_private_addresses
        if target.scheme not in {"http", "https"} or not target.host or target.userinfo:
            raise FetchFailed("refused_address", "only http and https, without a password in the address")
        if target.port not in _PORTS and not anywhere:
            raise FetchFailed("refused_address", f"port {target.port} is not asked")
        host = target.raw_host.decode("ascii").strip("[]")
        addresses = await _resolved(host)
        if not anywhere and not all(is_public(address) for address in addresses):
            raise FetchFailed("refused_address", "the name leads into a network that is not public")
        return addresses[0]


def _headers(target: httpx2.URL, json: bytes | None, known: Validators | None) -> dict[str, str]:
    headers = {"Host": target.netloc.decode("ascii")}
    if json is not None:
        headers["Content-Type"] = "application/json"
    if known is not None and known.etag is not None:
        headers["If-None-Match"] = known.etag
    if known is not None and known.last_modified is not None:
        headers["If-Modified-Since"] = known.last_modified
    return headers


def _validators(headers: httpx2.Headers) -> Validators | None:
    found = Validators(etag=headers.get("etag"), last_modified=headers.get("last-modified"))
    return found if found.etag or found.last_modified else None


async def _resolved(host: str) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise FetchFailed("unreachable", "the name is not known") from error
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses:
        raise FetchFailed("unreachable", "the name has no address")
    return addresses


def retry_after_seconds(headers: httpx2.Headers) -> int | None:
    """Seconds the platform asks to wait; a date is measured from the platform's own clock."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    until, since = _http_date(text), _http_date(headers.get("date", ""))
    return None if until is None or since is None else max(0, int((until - since).total_seconds()))


def _http_date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


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
