"""A provider of language models on loopback: chat completions with OpenAI's shapes, and its faults on demand.

A real HTTP server in a thread. It refuses what OpenAI refuses (no key, another model, a schema that is not
strict, an unknown parameter), so that a request it takes is one that can be sent. What the "model" says is
the test's: a queue of answers, else one function of the mail.
"""

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Said = dict[str, Any]
Answering = Callable[["Handler", "Request"], None]
KEY, MODEL = "key-of-the-tests", "small-reader-1"
NOTHING: Said = {"events": [], "facts": []}
_KNOWN = {"model", "messages", "response_format", "max_completion_tokens", "max_tokens"}


def event(kind: str, quote: str, reason: str | None = None) -> Said:
    return {"kind": kind, "quote": quote, "reason": reason}


def fact(name: str, quote: str) -> Said:
    return {"name": name, "quote": quote}


def answer(*events: Said, facts: tuple[Said, ...] = ()) -> Said:
    return {"events": list(events), "facts": list(facts)}


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Said

    @property
    def mail(self) -> str:
        """What stands between the marks."""
        content = self.body["messages"][-1]["content"]
        found = re.fullmatch(
            r"===== e-mail (\w+) begins =====\n(.*)\n===== e-mail \1 ends =====", content, re.DOTALL
        )
        assert found, content
        return found[2]

    def part(self, name: str) -> str:
        """What stands between the marks of this name, in a question about a draft."""
        content = self.body["messages"][-1]["content"]
        found = re.search(
            rf"===== {name} (\w+) begins =====\n(.*?)\n===== {name} \1 ends =====", content, re.DOTALL
        )
        assert found, content
        return found[2]

    @property
    def custom_id(self) -> str:
        return self.headers["x-client-request-id"]


class Handler(BaseHTTPRequestHandler):
    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(self.rfile.read(length)))
        provider = self.server.provider
        with provider.lock:
            provider.asked.append(request)
            provider.now_open += 1
            provider.most_open = max(provider.most_open, provider.now_open)
            answers = provider.answers.pop(0) if provider.answers else None
        try:
            if (problem := _problem(request, provider)) is not None:
                self.send(*problem)
            elif answers is not None:
                answers(self, request)
            else:
                says(provider.reads(request.mail))(self, request)
        finally:
            with provider.lock:
                provider.now_open -= 1

    def send(self, status: int, body: Said | bytes, **headers: str) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        told = {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}
        for name, value in told.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def complete(self, text: str | None, finish: str = "stop", *, refusal: str | None = None) -> None:
        provider = self.server.provider
        with provider.lock:
            provider.answered += 1
            number = 1 if provider.repeats_ids else provider.answered
        body: Said = {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": MODEL,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, "refusal": refusal},
                }
            ],
        }
        if provider.usage is not None:
            body["usage"] = provider.usage
        self.send(200, body, **({"x_request_id": f"req_{number}"} if provider.tells_request_ids else {}))

    def log_message(self, *_: object) -> None:
        """Says nothing: the tests look at `Provider.asked`."""


def _problem(request: Request, provider: "Provider") -> tuple[int, Said] | None:
    """What OpenAI would refuse about the request itself."""
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return 401, error("Incorrect API key provided.", "invalid_api_key")
    if request.path != "/v1/chat/completions":
        return 404, error("Unknown request URL.", "unknown_url")
    body = request.body
    if body.get("model") not in provider.models:
        return 404, error("The model does not exist.", "model_not_found")
    unknown = body.keys() - _KNOWN
    if unknown or ("max_tokens" in body and "max_completion_tokens" in body):
        return 400, error(f"Unsupported parameter: {sorted(unknown)}", "unsupported_parameter")
    form = body.get("response_format", {}).get("json_schema", {})
    if not form.get("strict") or not _is_strict(form.get("schema")):
        return 400, error("Invalid schema for response_format.", "invalid_json_schema")
    return None


def _is_strict(schema: object) -> bool:
    """Every record closed and all of its properties required, as the strict mode demands."""
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        closed = schema.get("additionalProperties") is False
        if not closed or sorted(schema.get("required", [])) != sorted(properties):
            return False
        return all(_is_strict(each) for each in properties.values())
    return schema.get("type") != "array" or _is_strict(schema.get("items"))


def error(message: str, code: str, kind: str = "invalid_request_error") -> Said:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    provider: "Provider"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests."""


@dataclass
class Provider:
    """`with Provider() as provider:`; the base address is `provider.url`."""

    reads: Callable[[str], Said] = lambda _: NOTHING
    """What the model says about a mail when no answer is queued."""
    answers: list[Answering] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    models: set[str] = field(default_factory=lambda: {MODEL})
    usage: Said | None = field(
        default_factory=lambda: {
            "prompt_tokens": 1000,
            "completion_tokens": 100,
            "total_tokens": 1100,
            "prompt_tokens_details": {"cached_tokens": 400},
            "completion_tokens_details": {"reasoning_tokens": 20},
        }
    )
    tells_request_ids: bool = True
    repeats_ids: bool = False
    answered: int = 0
    now_open: int = 0
    most_open: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    released: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.provider = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

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


def says(said: Said) -> Answering:
    return lambda handler, _: handler.complete(json.dumps(said))


def drafts(text: str, *used: str) -> Answering:
    """A text for a question of a form, and the marks of what it was written from."""
    return says({"text": text, "used": list(used)})


def writes(text: str | None, finish: str = "stop") -> Answering:
    """Whatever it is, in the place of an answer."""
    return lambda handler, _: handler.complete(text, finish)


def declines(handler: Handler, _: Request) -> None:
    handler.complete(None, refusal="I cannot help with that.")


def status(code: int, body: Said | bytes | None = None, **headers: str) -> Answering:
    told = error("Something is wrong.", "server_error", "server_error") if body is None else body
    return lambda handler, _: handler.send(code, told, **headers)


def throttled(seconds: str) -> Answering:
    body = error("Rate limit reached.", "rate_limit_exceeded", "requests")
    return status(429, body, retry_after=seconds)


no_credit = status(429, error("You exceeded your quota.", "insufficient_quota", "insufficient_quota"))
bad_key = status(401, error("Incorrect API key provided.", "invalid_api_key"))
unfit = status(400, error("This mail cannot be read.", "invalid_prompt"))
a_page = status(200, b"<html>Sign in to the hotel network</html>", Content_Type="text/html")


def hangs(handler: Handler, _: Request) -> None:
    """Takes the question and never answers, until the server is closed."""
    handler.server.provider.released.wait()


def held(gate: threading.Event, then: Answering) -> Answering:
    """Answers once the test opens the gate."""

    def waits(handler: Handler, request: Request) -> None:
        gate.wait(20)
        then(handler, request)

    return waits


def drips(handler: Handler, _: Request) -> None:
    """A byte now and then: each read succeeds, and the answer never ends."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.provider.released.is_set():
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def breaks_off(handler: Handler, _: Request) -> None:
    """Says how long the answer is and stops before its end."""
    handler.send(200, b'{"id": "chatcmpl-9", "choices": [', Content_Length="5000")
    handler.close_connection = True


def endless(handler: Handler, _: Request) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(10**12))
    handler.end_headers()
    while not handler.server.provider.released.is_set():
        handler.wfile.write(b" " * 65_536)


def obeys(handler: Handler, request: Request) -> None:
    """A model that does what a mail tells it: it answers with the JSON the mail hands it."""
    start = request.mail.find("{")
    handler.complete(request.mail[start : request.mail.rfind("}") + 1])
