"""A small internet on loopback: sites told apart by their host, with faults on demand.

Point `JOBTRAIL_SOURCE_GATEWAY` (or `SourceSettings.gateway`) at `Web.url`; a request keeps its true host
in the Host header. A real HTTP server in a thread. Hosts without a site answer 404, and so does a robots.txt
that nobody set.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass(frozen=True)
class Asked:
    """One request as it arrived; `query` holds the first value of each name."""

    method: str
    host: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    """`kept` less than the body cuts it short under its full length; `never` keeps the asker waiting;
    `endless` says the body again and again."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    kept: int | None = None
    never: bool = False
    endless: bool = False


Site = Callable[[Asked], Reply]
MISSING = Reply(b"Not Found", 404, "text/plain")


class Handler(BaseHTTPRequestHandler):
    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(self.server.web.reply(self._asked()))

    def do_POST(self) -> None:
        self.do_GET()

    def _asked(self) -> Asked:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        return Asked(
            method=self.command,
            host=(self.headers.get("Host") or "").lower(),
            path=unquote(parts.path),
            query={name: values[0] for name, values in parse_qs(parts.query).items()},
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
        )

    def _answer(self, reply: Reply) -> None:
        if reply.never:
            self.server.web.released.wait()
            return
        self.close_connection = True
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        if not reply.endless:
            self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Connection", "close")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body[: reply.kept])
        while reply.endless and not self.server.web.released.is_set():
            self.wfile.write(reply.body)

    def log_message(self, *_: object) -> None:
        """Says nothing: the tests look at `Web.asked`."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    web: "Web"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests."""


class Web:
    """`with Web() as web:`; `web.sites["api.lever.co"] = site` puts one up, `web.fail(host, ...)` harms it.

    `url` is its base address; `anywhere` answers for all hosts without a site of their own.
    """

    def __init__(self) -> None:
        self.sites: dict[str, Site] = {}
        self.anywhere: Site | None = None
        self.robots: dict[str, Reply] = {}
        self.faults: dict[str, list[Reply]] = {}
        self.asked: list[Asked] = []
        self.released = threading.Event()
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.web = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def fail(self, host: str, *replies: Reply) -> None:
        """The next replies of that host, robots.txt apart, before it is well again."""
        self.faults.setdefault(host, []).extend(replies)

    def pages(self) -> list[Asked]:
        """What was asked for, robots.txt apart."""
        return [asked for asked in self.asked if asked.path != "/robots.txt"]

    def reply(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        if asked.path == "/robots.txt":
            return self.robots.get(asked.host, MISSING)
        if self.faults.get(asked.host):
            return self.faults[asked.host].pop(0)
        site = self.sites.get(asked.host, self.anywhere)
        return MISSING if site is None else site(asked)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
