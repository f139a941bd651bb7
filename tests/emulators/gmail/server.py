"""The emulator as a real HTTP/1.1 server on loopback, with lines that break when a test wants it."""

import random
import socket
import socketserver
import struct
import threading
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from types import TracebackType
from typing import Self

from emulators.gmail import batch
from emulators.gmail.api import Api
from emulators.gmail.control import Control, by_http
from emulators.gmail.oauth import OAuth, bearer
from emulators.gmail.wire import Answer, Request
from emulators.gmail.world import Call, World

PIECES = 20


class Site:
    """Which part of the emulator answers a request."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._api = Api(world)
        self._chance = random.Random(world.seed)
        self.oauth = OAuth(world.grants, world.mailboxes, world.clock)
        self.control = Control(world, self.oauth)

    def answer(self, request: Request) -> Answer:
        path = request.path
        if path.startswith("/control/"):
            return by_http(self.control, request)
        if path in batch.PATHS and request.method == "POST":
            return self._batch(request)
        if path.startswith("/gmail/"):
            return self._api.answer(request)
        return self._faulty(path.rpartition("/")[2], request)

    def _faulty(self, operation: str, request: Request) -> Answer:
        """OAuth, under the last word of its path: `token`, `auth`, `revoke`, `userinfo`."""
        fault = self._world.fault_for(operation, request)
        with self._world.lock:
            instead = self._world.faults.instead(fault, request, self._world.clock.now()) if fault else None
            answer = instead or self.oauth.answer(request)
            self._note(operation, request, answer, str(fault.kind) if fault else "")
        return self._world.faults.spoil(fault, answer) if fault and not instead else answer

    def _batch(self, request: Request) -> Answer:
        fault = self._world.fault_for("batch", request)
        instead = self._world.faults.instead(fault, request, self._world.clock.now()) if fault else None
        parts = instead or batch.parts_of(request)
        if isinstance(parts, Answer):
            self._note("batch", request, parts, str(fault.kind) if fault else "")
            return parts
        self._note("batch", request, Answer(200, b""), str(fault.kind) if fault else "")
        answers = [(name, self._api.answer(part, index)) for index, (name, part) in enumerate(parts)]
        # As at Google, parts come back in no order of theirs.
        self._chance.shuffle(answers)
        whole = batch.joined(answers)
        whole.delay = sum(answer.delay for _, answer in answers)
        whole.spoilt = next((answer.spoilt for _, answer in answers if answer.spoilt), None)
        if fault:
            self._world.faults.spoil(fault, whole)
        self._lost(whole, answers)
        return whole

    def _lost(self, whole: Answer, answers: list[tuple[str, Answer]]) -> None:
        """What a cut batch carried was not fetched."""
        if whole.spoilt in {"cut", "reset"}:
            with self._world.lock:
                self._world.fetched -= Counter(each for _, answer in answers for each in answer.fetched)

    def _note(self, operation: str, request: Request, answer: Answer, fault: str) -> None:
        now = self._world.clock.now()
        call = Call(
            operation, request.method, request.path, answer.status, 0, "", bearer(request), now, False, fault
        )
        self._world.calls.append(call)

    def running_for(self, request: Request) -> str | None:
        """Whose concurrent call this is."""
        if not request.path.startswith(("/gmail/", "/batch")):
            return None
        access = self._world.grants.opened_by(bearer(request))
        return access.grant.email if access else None


class Line(socketserver.StreamRequestHandler):
    """One connection, kept alive. Written out because `http.server` spends most of a call on headers."""

    server: "Server"
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.server.lines.add(self.connection)
        try:
            while (request := self._read()) is not None:
                if not self._serve(request):
                    return
        except OSError:
            return
        finally:
            self.server.lines.discard(self.connection)

    def _read(self) -> Request | None:
        first = self.rfile.readline(65_537).decode("latin-1").split()
        if len(first) != 3:
            return None
        headers: dict[str, str] = {}
        while (line := self.rfile.readline(65_537)) not in {b"\r\n", b"\n", b""}:
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", "0")))
        return Request(first[0], first[1], headers, body)

    def _serve(self, request: Request) -> bool:
        world, site = self.server.world, self.server.site
        email = site.running_for(request)
        with world.lock:
            if email:
                world.quota.begin(email)
        try:
            answer = site.answer(request)
            if answer.delay and answer.spoilt != "drip":
                world.faults.pause(answer.delay)
        finally:
            with world.lock:
                if email:
                    world.quota.end(email)
        return self._send(answer) and request.headers.get("connection", "").lower() != "close"

    def _send(self, answer: Answer) -> bool:
        """Whether the line is still good."""
        if answer.spoilt == "reset":
            return self._break()
        head = self._head(answer)
        if answer.spoilt == "cut":
            self.wfile.write(head + answer.body[: len(answer.body) // 2])
            return self._break()
        if answer.spoilt == "drip":
            return self._drip(head + answer.body, answer.delay)
        self.wfile.write(head + answer.body)
        return True

    def _head(self, answer: Answer) -> bytes:
        lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
        if answer.status != 204:
            lines += [f"Content-Type: {answer.kind}", f"Content-Length: {len(answer.body)}"]
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _drip(self, content: bytes, seconds: float) -> bool:
        size = len(content) // PIECES + 1
        for start in range(0, len(content), size):
            self.wfile.write(content[start : start + size])
            self.server.world.faults.pause(seconds / PIECES)
        return True

    def _break(self) -> bool:
        """The next close is a reset, not a farewell."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, world: World, site: Site, port: int) -> None:
        self.world = world
        self.site = site
        self.lines: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), Line)

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]
        """Without the polite half of closing, which would come before a reset."""
        self.close_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests; anything else is a fault of the emulator."""
        self.world.crashed.append(request)
        super().handle_error(request, client_address)  # type: ignore[arg-type]


class Gmail:
    """`with Gmail() as gmail:` serves at `gmail.url`; `gmail.control` is the test's hand in it."""

    def __init__(self, port: int = 0, seed: int = 0) -> None:
        self.world = World(seed)
        self.site = Site(self.world)
        self.control = self.site.control
        self._server = Server(self.world, self.site, port)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.site.oauth.url = self.url

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def serve(self) -> None:
        self._server.serve_forever()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.world.faults.close()
        self._server.shutdown()
        self._thread.join()
        for line in list(self._server.lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._server.server_close()
