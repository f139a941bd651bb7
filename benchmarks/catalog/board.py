"""One board of any size on loopback, in the shape of Ashby's public API."""

import json
import random
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

BOARD = "northwind"
URL = f"https://jobs.ashbyhq.com/{BOARD}"
_WORDS = (
    "harbour", "boats", "ropes", "crew", "tides", "charts", "cargo", "deck", "engine", "night", "watch",
    "safety", "storm", "steady", "repair", "team", "plan", "review", "market", "report", "design", "build",
    "test", "measure", "improve", "customer", "service", "supply", "train", "lead", "write", "speak",
)  # fmt: skip
_PLACES = ("Oslo", "Bergen", "Berlin", "Remote", "London", "New York", "Toronto", "Utrecht")


class Board:
    """`body` is what the next reader gets."""

    def __init__(self, listings: int, *, text_chars: int = 2_200) -> None:
        self.body = board_of(listings, text_chars=text_chars)
        self.url = ""


def board_of(listings: int, *, text_chars: int, first: int = 0) -> bytes:
    chance = random.Random(first)
    return json.dumps(
        {
            "apiVersion": "1",
            "jobs": [_job(number, text_chars, chance) for number in range(first, first + listings)],
        }
    ).encode()


def _job(number: int, text_chars: int, chance: random.Random) -> dict[str, object]:
    job_id = str(UUID(int=number + 1))
    place = _PLACES[number % len(_PLACES)]
    return {
        "id": job_id,
        "title": f"{chance.choice(_WORDS).title()} {chance.choice(_WORDS).title()} Engineer {number % 500}",
        "department": "Operations",
        "team": "Harbour",
        "employmentType": "FullTime",
        "location": place,
        "secondaryLocations": [],
        "publishedAt": f"2026-02-{1 + number % 28:02}T08:15:30.120+00:00",
        "isListed": True,
        "isRemote": place == "Remote",
        "workplaceType": "Remote" if place == "Remote" else "Hybrid",
        "address": {"postalAddress": {"addressCountry": "Norway", "addressLocality": place}},
        "jobUrl": f"{URL}/{job_id}",
        "applyUrl": f"{URL}/{job_id}/application",
        "descriptionHtml": _html(text_chars, chance),
        "shouldDisplayCompensationOnJobPostings": False,
    }


def _html(chars: int, chance: random.Random) -> str:
    parts: list[str] = []
    while sum(map(len, parts)) < chars:
        parts.append(f"<p>{' '.join(chance.choices(_WORDS, k=30))}.</p>")
        parts.append(f"<ul>{''.join(f'<li>{chance.choice(_WORDS)} well</li>' for _ in range(5))}</ul>")
    return "".join(parts)


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"  # pyright: ignore[reportIncompatibleVariableOverride] - no other serves it

    def do_GET(self) -> None:
        is_board = "/job-board/" in self.path
        body = self.server.board.body if is_board else b""
        self.send_response(200 if is_board else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the library
        """A benchmark tells its figures and nothing else."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    board: Board


@contextmanager
def served(board: Board) -> Generator[str, None, None]:
    """The address that serves it while the block lasts."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.board = board
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
