"""Takes the ports a process listens on, and says under which address the pages are."""

import errno
import socket
from contextlib import ExitStack

from backend.processes.refusals import CannotStart
from schema.settings import HttpSettings

_BACKLOG = 128
_ANY = {"0.0.0.0", "::", ""}  # noqa: S104 - compared with, not bound to
_REASONS = {
    errno.EADDRINUSE: (
        "port {port} on {host} is taken by another program; stop it, or set {port_setting} to another port."
    ),
    errno.EACCES: "this user may not listen on port {port}; set {port_setting} to one above 1023.",
    errno.EADDRNOTAVAIL: "{host} is not an address of this machine; set {host_setting} to one that is.",
}


def listening(settings: HttpSettings) -> socket.socket:
    """A listening socket for the pages. Raises `CannotStart`, naming what to change."""
    return listening_at(settings.host, settings.port, "JOBTRAIL_HTTP_HOST", "JOBTRAIL_HTTP_PORT")


def listening_at(host: str, port: int, host_setting: str, port_setting: str) -> socket.socket:
    """A listening socket there. Raises `CannotStart`, naming which of the two settings to change."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with ExitStack() as on_failure:
            listener = on_failure.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_BACKLOG)
            on_failure.pop_all()
    except socket.gaierror as error:
        raise CannotStart(f"{host_setting}={host!r} is not an address: {error.strerror}.") from error
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, "cannot listen on {host} port {port}: {words}.")
        settings = {"host_setting": host_setting, "port_setting": port_setting}
        raise CannotStart(reason.format(host=host, port=port, words=error.strerror, **settings)) from error
    return listener


def port_of(listener: socket.socket) -> int:
    name: tuple[str, int] = listener.getsockname()
    return int(name[1])


def address(settings: HttpSettings, port: int) -> str:
    """What a person types to get there."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = socket.gethostname() if settings.host in _ANY else settings.host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(settings: HttpSettings) -> bool:
    """Whether only this machine can connect; a proxy in front (a public address) counts as not."""
    return not settings.public_url and (
        settings.host == "localhost" or settings.host.startswith("127.") or settings.host == "::1"
    )
