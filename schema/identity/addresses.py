"""Split a web address and put its parts into one spelling, without ever raising.

Knows the syntax of http(s) addresses only: nothing about platforms, tracking or redirects, and no network.
"""

import functools
import ipaddress
import re
from typing import Literal
from urllib.parse import quote, unquote

import msgspec

Scheme = Literal["http", "https"]

#: Longer text is no address a person or a platform ever wrote; it is refused before any pattern sees it.
MAX_INPUT_CHARS = 8_192

_PARTS = re.compile(r"(https?):/{2,}([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_INVISIBLE = re.compile(r"[\t\r\n\ud800-\udfff\u200b-\u200f\u2060\ufeff]")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?")
_PORT = re.compile(r":([0-9]{0,5})$")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_SLASHES = re.compile(r"/{2,}")
_SESSION = re.compile(r";jsessionid=.*", re.IGNORECASE)
_LEFT_ESCAPED = re.compile(r"(?:amp;)+")
_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_IN_PATH = _UNRESERVED + "/!$&'()*+,;=:@"
_IN_QUERY = _UNRESERVED + "/?!$'()*,;:@"
_OWN_PORTS: dict[str, int] = {"http": 80, "https": 443}
_MAX_PORT = 65_535
_MAX_HOST_CHARS = 253


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """An http(s) address in one spelling: percent escapes, case of host, default port, dot segments."""

    scheme: Scheme
    host: str
    port: int | None
    path: str
    query: tuple[tuple[str, str], ...]
    fragment: str

    def parameter(self, name: str) -> str | None:
        """The first value under that name, escapes undone; None when the name is absent."""
        return next((unquote(value) for key, value in self.query if key == name), None)

    def text(self, *, query: tuple[tuple[str, str], ...] | None = None, fragment: str = "") -> str:
        pairs = self.query if query is None else query
        port = "" if self.port is None else f":{self.port}"
        written = "&".join(f"{key}={value}" if value else key for key, value in pairs)
        tail = (f"?{written}" if written else "") + (f"#{fragment}" if fragment else "")
        return f"{self.scheme}://{self.host}{port}{self.path}{tail}"


def read_address(text: str) -> Address | None:
    """None for whatever is not an http(s) address with a host, or is too long to be one."""
    if len(text) > MAX_INPUT_CHARS:
        return None
    parts = _PARTS.fullmatch(_INVISIBLE.sub("", text).strip())
    if parts is None:
        return None
    scheme: Scheme = "https" if parts[1].lower() == "https" else "http"
    authority, _, leftover = parts[2].replace("\\", "/").partition("/")
    place = _host_and_port(authority, scheme)
    if place is None:
        return None
    return Address(
        scheme=scheme,
        host=place[0],
        port=place[1],
        path=_path(f"/{leftover}{parts[3]}" if leftover else parts[3]),
        query=_pairs(parts[4] or ""),
        fragment=_respelled(parts[5] or "", _IN_QUERY + "&="),
    )


def _host_and_port(authority: str, scheme: Scheme) -> tuple[str, int | None] | None:
    named = authority.rpartition("@")[2]
    found = _PORT.search(named)
    port = int(found[1]) if found and found[1] else None
    host = _host(named[: found.start()] if found else named)
    if host is None or (port is not None and not 0 < port <= _MAX_PORT):
        return None
    return host, None if port == _OWN_PORTS[scheme] else port


@functools.lru_cache(maxsize=2_000)
def _host(text: str) -> str | None:
    if text.startswith("["):
        return _address_literal(text)
    if len(text) > _MAX_HOST_CHARS:
        return None
    try:
        host = text.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        host = text.rstrip(".").lower()
    return host if _HOST.fullmatch(host) and ".." not in host else None


def _address_literal(text: str) -> str | None:
    try:
        return f"[{ipaddress.IPv6Address(text.removeprefix('[').removesuffix(']')).compressed}]"
    except ValueError:
        return None


def _path(text: str) -> str:
    kept: list[str] = []
    for segment in _SLASHES.sub("/", _respelled(text.replace("\\", "/"), _IN_PATH)).split("/"):
        named = _SESSION.sub("", segment) if ";" in segment else segment
        if named == "..":
            del kept[-1:]
        elif named not in {"", "."}:
            kept.append(named)
    return "/" + "/".join(kept)


def _pairs(query: str) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for pair in query.replace("+", "%20").split("&"):
        name, _, value = pair.partition("=")
        # Addresses lifted out of HTML source keep "&amp;" between their parameters.
        mark = _LEFT_ESCAPED.match(name)
        name = name[mark.end() :] if mark else name
        if name:
            pairs.append((_respelled(name, _IN_QUERY), _respelled(value, _IN_QUERY)))
    return tuple(pairs)


def _respelled(text: str, allowed: str) -> str:
    """Every character in its one spelling; escapes of unreserved characters undone, the rest in capitals."""
    if _spelled_right(allowed).fullmatch(text):
        return text
    pieces = _ESCAPE.split(text)
    pieces[::2] = [quote(piece, safe=allowed, errors="replace") for piece in pieces[::2]]
    pieces[1::2] = [_escape(pair) for pair in pieces[1::2]]
    return "".join(pieces)


@functools.cache
def _spelled_right(allowed: str) -> re.Pattern[str]:
    """What nothing is changed of."""
    return re.compile(f"[{re.escape(allowed)}]*")


def _escape(pair: str) -> str:
    letter = chr(int(pair, 16))
    return letter if letter in _UNRESERVED else f"%{pair.upper()}"
