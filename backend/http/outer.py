"""The outermost layer: it sees every request, also those no route answers.

Gives each a request id, turns away foreign names and other sites' requests, answers HEAD like GET, sets the
security headers, counts, and writes one log line with the route's template. It never logs a path, a query,
a header or a body, because each of them can hold what is private.
"""

import time
from secrets import token_hex
from typing import cast

import structlog
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from backend.http import cors
from backend.http.answers import before_the_app
from backend.http.origin import Caller
from backend.http.parts import Parts
from schema.errors import Refusal
from schema.logs import logger

LOG = logger("http")
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_NO_STORE = (b"cache-control", b"no-store")
_QUIET = frozenset({"/livez", "/readyz", "/metrics", "/static/{name}"})
_STREAMS = frozenset({"/live"})
_SERVER_FAULT = 500
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Outer:
    def __init__(self, app: ASGIApp, parts: Parts) -> None:
        self.app = app
        self.parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": "no websockets here"})
            return
        head = scope["method"] == "HEAD" and scope["path"] not in _STREAMS
        answer = Answer(send, head=head, also=cors.headers_for(scope["path"], header(scope, b"origin")))
        with structlog.contextvars.bound_contextvars(request_id=answer.request_id):
            started = time.perf_counter()
            method = scope["method"]
            try:
                await self._answer(scope, receive, answer)
            finally:
                self._told(scope, method, answer, time.perf_counter() - started)

    async def _answer(self, scope: HTTPScope, receive: Receive, answer: "Answer") -> None:
        if answer.head:
            scope["method"] = "GET"
        try:
            self._require_welcome(scope)
            if cors.is_preflight(scope, answer.also):
                return await cors.answer_preflight(answer.send)
            await self.app(scope, receive, answer.sender(scope))
        except Refusal as refusal:
            response = before_the_app(
                self.parts, refusal, scope["path"], header(scope, b"accept") or "", scope["method"]
            )
            await response(scope, receive, answer.send)

    def _require_welcome(self, scope: HTTPScope) -> None:
        caller = Caller(
            method=scope["method"],
            path=scope["path"],
            # Two of them are no name at all: who stands in front may have believed the other one.
            host=",".join(headers_called(scope, b"host")).lower(),
            origin=header(scope, b"origin"),
            site=header(scope, b"sec-fetch-site"),
        )
        self.parts.names.require_known(caller.host)
        self.parts.names.require_own(caller)

    def _told(self, scope: HTTPScope, method: str, answer: "Answer", seconds: float) -> None:
        route = route_of(scope) or "no route"
        known = method if method in _METHODS else "other"
        self.parts.metrics.count(known, route, answer.status, seconds)
        write = LOG.debug if route in _QUIET else LOG.info
        if answer.status >= _SERVER_FAULT:
            write = LOG.error
        write("request", method=known, route=route, status=answer.status, ms=round(seconds * 1000, 1))


class Answer:
    """The way out: adds the headers, and keeps the status for the log."""

    def __init__(self, send: Send, *, head: bool, also: cors.Headers) -> None:
        self._send = send
        self.head = head
        self.also = also
        self.request_id = token_hex(8)
        self.status = 0

    def sender(self, scope: HTTPScope) -> Send:
        """The way out of the app, which knows by then which route answers."""

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["method"] == "OPTIONS":
                message = {**message, "headers": allowing(scope, list(message["headers"]))}
            await self.send(message)

        return send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = list(message["headers"])
            present = {name.lower() for name, _ in headers}
            wanted = (*SECURITY_HEADERS, *self.also, _NO_STORE, (b"x-request-id", self.request_id.encode()))
            headers += [pair for pair in wanted if pair[0] not in present]
            message = {**message, "headers": headers}
        elif message["type"] == "http.response.body" and self.head:
            message = {**message, "body": b""}
        await self._send(message)


def allowing(scope: HTTPScope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Every method of the address; Litestar names only those of one of its handlers."""
    template = route_of(scope)
    methods = {
        method
        for route in scope["litestar_app"].routes
        if route.path_format == template
        for method in route.methods
    }
    if not methods:
        return headers
    allow = (b"allow", ", ".join(sorted(methods)).encode())
    return [pair for pair in headers if pair[0].lower() != b"allow"] + [allow]


def route_of(scope: HTTPScope) -> str | None:
    found = cast("dict[str, object]", scope).get("path_template")
    return found if isinstance(found, str) else None


def header(scope: HTTPScope, name: bytes) -> str | None:
    """The first header called `name`, as sent."""
    return next(iter(headers_called(scope, name)), None)


def headers_called(scope: HTTPScope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
