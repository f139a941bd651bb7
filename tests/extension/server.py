"""The extension's API in a few lines, for the tests of the extension alone.

It checks every request against the protocol's structs, plans with the planner of these tests, and can go
away, forget a device, or refuse.

The whole path against the real backend is tested in `tests/end_to_end`.
"""

import asyncio
import re
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from extension.planner import PERSON, plan_line

from extension_api import protocol

PATH = "/api/extension"
TOKEN = "token-of-this-test"
CONTEXT = {
    "posting": None,
    "application": None,
    "is_saved": False,
    "drafts": [],
    "form": None,
    "profile_revision": 1,
    "documents": [
        {
            "id": 1,
            "kind": "resume",
            "file_name": PERSON["resume"],
            "media_type": "application/pdf",
            "size_bytes": 16,
            "is_default": True,
        }
    ],
}


FIXED = {
    "/device": {
        "device_id": 7,
        "device_name": "Test",
        "account_name": "Morgan",
        "paired_at": "2027-01-01T00:00:00Z",
    },
    "/documents/1/content": b"%PDF-1.4 of test",
}
NOTED = {
    "/answers": (protocol.Remember, {"id": 5}),
    "/postings": (protocol.SavePosting, {"posting_id": 3, "title": "Gardener", "was_saved_before": False}),
    "/fills/[0-9]+": (protocol.FillReport, None),
    "/fills/[0-9]+/submitted": (protocol.Submitted, {"application_id": 11}),
}
DRAFT = {
    "id": 9,
    "question": "Why do you want to work here?",
    "generation": 1,
    "state": "ready",
    "author": "machine",
    "text": "A first version.",
    "max_chars": 400,
    "rests_on": ["your résumé"],
    "failure": None,
    "is_accepted": False,
    "can_write": True,
}


class Problem(Exception):
    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


class StandIn:
    """`asked` keeps what came, decoded; `answers` are by-label values that the planner is to give.

    `plans` puts parts of a plan's line in place by label; `leads_to` sends every request elsewhere. The
    device is withdrawn when `refuses_from` is asked for (`/resolve#2`: the second time); `refused` counts.
    """

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}
        self.plans: dict[str, dict[str, Any]] = {}
        self.context: dict[str, Any] = dict(CONTEXT)
        self.draft: dict[str, Any] = dict(DRAFT)
        self.leads_to: str | None = None
        self.asked: list[tuple[str, Any]] = []
        self.origins: set[str] = set()
        self.is_revoked = False
        self.refuses_from: str | None = None
        self.refused = 0
        self.fills = 0
        self._counts: Counter[str] = Counter()
        self.port = 0
        self._http: ThreadingHTTPServer | None = None
        self.come()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def come(self) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self._http.daemon_threads = True
        self.port = self._http.server_port
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def go(self) -> None:
        if self._http:
            self._http.shutdown()
            self._http.server_close()
        self._http = None

    def told(self, path: str) -> list[Any]:
        return [body for asked, body in self.asked if asked == path]

    async def hears(self, path: str, times: int = 1) -> Any:
        """The first body told to this path, once it was told so often."""
        for _ in range(400):
            if len(self.told(path)) >= times:
                return self.told(path)[0]
            await asyncio.sleep(0.05)
        raise AssertionError(f"nothing was told to {path}")

    def answer(self, method: str, path: str, token: str | None, body: bytes) -> Any:
        if (method, path) == ("POST", "/pair"):
            return self._pair(self._note(path, body, protocol.Pair))
        if token != f"Bearer {TOKEN}":
            raise Problem(401, "device_unknown")
        self._counts[path] += 1
        self.is_revoked |= self.refuses_from in {path, f"{path}#{self._counts[path]}"}
        if self.is_revoked:
            self.refused += 1
            raise Problem(401, "device_revoked")
        return self._answer(method, path, body)

    def _answer(self, method: str, path: str, body: bytes) -> Any:
        if path in FIXED:
            return FIXED[path]
        if path == "/context":
            return self.context
        if path == "/resolve":
            return self._plan(self._note(path, body, protocol.Resolve))
        if path.startswith("/drafts"):
            return self._draft(method, path, body)
        return self._keep(path, body)

    def _keep(self, path: str, body: bytes) -> Any:
        """What is told and only noted."""
        for part, (struct, answer) in NOTED.items():
            if re.fullmatch(part, path):
                self._note(path, body, struct)
                return answer
        raise Problem(404, "not_found")

    def _note(self, path: str, body: bytes, struct: type[Any]) -> Any:
        try:
            decoded = msgspec.json.decode(body, type=struct)
        except msgspec.ValidationError as error:
            raise Problem(400, "malformed") from error
        self.asked.append((path, decoded))
        return decoded

    def _draft(self, method: str, path: str, body: bytes) -> dict[str, Any]:
        if method == "POST" and path == "/drafts":
            self._note(path, body, protocol.AskDraft)
        if method == "PUT":
            edit = self._note(path, body, protocol.EditDraft)
            if edit.generation != self.draft["generation"]:
                raise Problem(409, "stale_draft")
            self.draft |= {"generation": edit.generation + 1, "text": edit.text, "author": "person"}
            self.draft |= {"state": "ready", "is_accepted": edit.is_accepted}
        return self.draft

    def _pair(self, asked: protocol.Pair) -> dict[str, Any]:
        if asked.code != "GOOD-CODE":
            raise Problem(404, "pairing_code_unknown")
        self.is_revoked = False
        return {"token": TOKEN, "device_id": 7, "account_name": "Morgan"}

    def _plan(self, asked: protocol.Resolve) -> dict[str, Any]:
        self.fills += 1
        lines = [plan_line(msgspec.to_builtins(one), self.answers) for one in asked.fields]
        told = [
            {"options": [], "may_be_remembered": False, "source": "profile", "rule": "test"}
            | {"confidence": 1.0, "say": "As planned."}
            | (line | {"action": "leave", "reason": "has_value"} if one.has_value else line)
            | self.plans.get(one.label, {})
            for one, line in zip(asked.fields, lines, strict=True)
        ]
        return {"fill_id": self.fills, "platform": None, "fields": told}


def _handler(server: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_OPTIONS(self) -> None:
            self._send(204, b"")

        def do_GET(self) -> None:
            self._respond("GET")

        def do_POST(self) -> None:
            self._respond("POST")

        def do_PUT(self) -> None:
            self._respond("PUT")

        def _respond(self, method: str) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.split("?")[0].removeprefix(PATH)
            server.origins.add(self.headers.get("Origin") or "")
            if server.leads_to:
                return self._send(307, b"", Location=server.leads_to + self.path)
            try:
                answer = server.answer(method, path, self.headers.get("Authorization"), body)
            except Problem as problem:
                detail = {"code": problem.code, "detail": "", "status": problem.status}
                return self._send(problem.status, msgspec.json.encode(detail))
            return self._send(200, answer if isinstance(answer, bytes) else msgspec.json.encode(answer))

        def _send(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Access-Control-Allow-Origin", self.headers.get("Origin") or "null")
            self.send_header("Access-Control-Allow-Headers", "authorization, content-type")
            self.send_header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """A test prints nothing."""

    return Handler
