"""What goes over the line: a request as read, an answer as sent, and an answer spoilt on the way."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

# `reset`: the call is carried out and its answer lost. `cut`: half of the body, then the line is dead.
Spoiling = Literal["reset", "cut", "drip"]


@dataclass
class Request:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""
    in_batch: bool = False

    def __post_init__(self) -> None:
        """Google's client asks with POST where the address would pass 2,048 characters."""
        real = self.headers.pop("x-http-method-override", "")
        if real:
            self.method, self.target, self.body = real, f"{self.target}?{self.body.decode()}", b""

    @cached_property
    def path(self) -> str:
        return urlsplit(self.target).path

    @cached_property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.target).query, keep_blank_values=True)

    @cached_property
    def form(self) -> dict[str, str]:
        return {
            name: values[-1] for name, values in parse_qs(self.body.decode(), keep_blank_values=True).items()
        }

    @cached_property
    def segments(self) -> list[str]:
        return [unquote(part) for part in self.path.split("/") if part]

    def first(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[0]

    def json(self) -> dict[str, object]:
        return msgspec.json.decode(self.body or b"{}", type=dict[str, object])


@dataclass
class Answer:
    status: int
    body: bytes
    kind: str = "application/json; charset=UTF-8"
    headers: dict[str, str] = field(default_factory=dict)
    # Messages whose whole content is in the body, as (mailbox, id).
    fetched: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    spoilt: Spoiling | None = None


def as_json(content: object, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, msgspec.json.encode(content), headers=named)


def page(html: str, status: int = 200) -> Answer:
    return Answer(status, html.encode(), "text/html; charset=utf-8")


def redirect(location: str) -> Answer:
    return Answer(302, b"", "text/html; charset=utf-8", {"Location": location})
