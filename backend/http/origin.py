"""Which names this server answers to, and which requests may change something. Pure.

A foreign Host is refused because a page elsewhere can point its own name at loopback. An unsafe request is
refused when the browser says another site sent it, by Sec-Fetch-Site or by Origin; programs that are no
browser send neither and pass. The extension's API takes extension origins, pinned later to the device.
"""

import ipaddress
import re
import socket
from urllib.parse import urlsplit

import msgspec

from backend.http.refusals import ForeignHost, FromElsewhere
from schema.settings import HttpSettings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
EXTENSION_PATH = "/api/extension/"
EXTENSION_ORIGIN = re.compile(r"(chrome-extension|moz-extension|safari-web-extension)://[a-zA-Z0-9-]{1,64}")
_OWN_SITES = frozenset({"same-origin", "none"})
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?")
_PORT_MAX = 65535


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """What a request says about where it comes from."""

    method: str
    path: str
    host: str
    origin: str | None
    site: str | None


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """The names of this server: the public address, and what it is bound to."""

    public_origin: str
    public_host: str
    loopback: bool
    bound: frozenset[str]

    @classmethod
    def of(cls, settings: HttpSettings) -> "Names":
        public = urlsplit(settings.public_url)
        return cls(
            public_origin=f"{public.scheme}://{public.netloc}".lower() if public.netloc else "",
            public_host=public.netloc.lower(),
            loopback=is_loopback(settings.host),
            bound=frozenset({settings.host.lower(), socket.gethostname().lower()}),
        )

    def require_known(self, host: str) -> None:
        """Raise `ForeignHost` unless `host`, as sent, is a name of this server."""
        if host == self.public_host and host:
            return
        name = _name(host)
        if is_loopback(name) or (name in self.bound and not self.loopback):
            return
        # A bare address cannot be rebound to another machine, so it is no disguise.
        if not self.loopback and not self.public_host and _is_address(name):
            return
        raise ForeignHost

    def require_own(self, caller: Caller) -> None:
        """Raise `FromElsewhere` when a browser says that another site sent an unsafe request."""
        if caller.method in SAFE_METHODS:
            return
        if caller.path.startswith(EXTENSION_PATH) and _is_extension(caller.origin):
            return
        if caller.site is not None and caller.site not in _OWN_SITES:
            raise FromElsewhere
        if caller.origin is not None and not self._is_own(caller.origin, caller.host):
            raise FromElsewhere

    def _is_own(self, origin: str, host: str) -> bool:
        if host == self.public_host and host:
            return origin.lower() == self.public_origin
        return origin.lower() == f"http://{host}"


def is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_extension(origin: str | None) -> bool:
    return origin is not None and EXTENSION_ORIGIN.fullmatch(origin) is not None


def _name(host: str) -> str:
    """The name in a Host header, without port and brackets; empty when it is not one."""
    found = _HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > _PORT_MAX:
        return ""
    return found["address"] or found["name"]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
