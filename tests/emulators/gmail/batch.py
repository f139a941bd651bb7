"""Batches: many calls in one `multipart/mixed`, each with its own answer paired by Content-ID."""

import secrets
from email import message_from_bytes, policy
from http import HTTPStatus

from emulators.gmail.refusals import invalid
from emulators.gmail.wire import Answer, Request

PATHS = ("/batch", "/batch/gmail/v1")
MOST = 100
Part = tuple[str, Request]


def parts_of(request: Request) -> list[Part] | Answer:
    """The calls of a batch with their ids, or why it is none."""
    kind = request.headers.get("content-type", "")
    whole = message_from_bytes(
        f"content-type: {kind}\r\n\r\n".encode() + request.body, policy=policy.compat32
    )
    if not kind.lower().startswith("multipart/mixed") or not whole.is_multipart():
        return invalid("Failed to parse batch request, error: Expected a multipart body.")
    parts = whole.get_payload()
    assert isinstance(parts, list)
    if len(parts) > MOST:
        return invalid(f"The batch request contains {len(parts)} calls, the maximum is {MOST}.")
    outer = request.headers.get("authorization", "")
    return [
        (str(part.get("Content-ID", "")), _inner(part.get_payload(decode=True) or b"", outer))
        for part in parts
    ]


def _inner(content: object, outer: str) -> Request:
    assert isinstance(content, bytes)
    head, _, body = content.replace(b"\r\n", b"\n").partition(b"\n\n")
    first, *lines = head.decode().split("\n")
    method, target, *_ = [*first.split(" "), "", ""]
    named = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, colon, value in named if colon}
    if outer:
        headers.setdefault("authorization", outer)
    return Request(method, target, headers, body, in_batch=True)


def joined(answers: list[tuple[str, Answer]]) -> Answer:
    boundary = f"batch_{secrets.token_hex(12)}"
    written = b"".join(_written(boundary, name, answer) for name, answer in answers)
    return Answer(200, written + f"--{boundary}--\r\n".encode(), f"multipart/mixed; boundary={boundary}")


def _written(boundary: str, name: str, answer: Answer) -> bytes:
    """`<a + 1>` is answered as `<response-a + 1>`."""
    headers = {"Content-Type": answer.kind, "Content-Length": str(len(answer.body)), **answer.headers}
    inner = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
    paired = f"Content-ID: <response-{name.strip().removeprefix('<')}\r\n" if name else ""
    head = (
        f"--{boundary}\r\nContent-Type: application/http\r\n{paired}\r\n"
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n{inner}\r\n"
    )
    return head.encode() + answer.body + b"\r\n"
