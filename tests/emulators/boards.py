"""A hiring platform on loopback: Ashby's public posting API with its shapes, and its faults on demand.

A real HTTP server in a thread. Boards are ours and small, or captured ones read from a folder.
"""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit
from uuid import NAMESPACE_URL, uuid5

Job = dict[str, object]
Answering = Callable[["Handler"], None]


def ashby_job(name: str, *, board: str = "northwind", **changed: object) -> Job:
    """One posting in the field names Ashby uses; `name` decides its id."""
    job_id = str(uuid5(NAMESPACE_URL, name))
    page = f"https://jobs.ashbyhq.com/{board}/{job_id}"
    job: Job = {
        "id": job_id,
        "title": name,
        "department": "Operations",
        "team": "Harbour",
        "employmentType": "FullTime",
        "location": "Oslo",
        "secondaryLocations": [],
        "publishedAt": "2026-02-20T08:15:30.120+00:00",
        "isListed": True,
        "isRemote": False,
        "address": {"postalAddress": {"addressCountry": "Norway", "addressLocality": "Oslo"}},
        "jobUrl": page,
        "applyUrl": f"{page}/application",
        "descriptionHtml": f"<p>{name} at the harbour.</p><ul><li>Boats</li><li>Ropes</li></ul>",
        "descriptionPlain": f"{name} at the harbour.\n\nBoats\nRopes",
        "shouldDisplayCompensationOnJobPostings": False,
        "compensation": {
            "compensationTierSummary": None,
            "scrapeableCompensationSalarySummary": None,
            "compensationTiers": [],
            "summaryComponents": [],
        },
    }
    return {**job, **changed}


def salary(low: float | None, high: float | None, currency: str = "USD", interval: str = "1 YEAR") -> Job:
    component = {"compensationType": "Salary", "interval": interval, "currencyCode": currency}
    return {"summaryComponents": [{**component, "minValue": low, "maxValue": high}]}


def ashby_board(*jobs: Job) -> bytes:
    return json.dumps({"apiVersion": "1", "jobs": list(jobs)}).encode()


class Handler(BaseHTTPRequestHandler):
    server: "Server"

    def do_GET(self) -> None:
        boards = self.server.boards
        path = unquote(urlsplit(self.path).path)
        boards.asked.append((path, dict(self.headers.items())))
        faults = boards.faults.get(board := path.rpartition("/")[2], [])
        if faults:
            faults.pop(0)(self)
        elif path.startswith("/posting-api/job-board/") and board in boards.bodies:
            self.answer(200, boards.bodies[board])
        else:
            self.answer(404, b"Not Found", "text/plain")

    def answer(
        self,
        status: int,
        body: bytes,
        kind: str = "application/json",
        *,
        length: int | None = None,
        **more: str,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing: the tests look at `Boards.asked`."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    boards: "Boards"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests."""


class Boards:
    """`with Boards() as boards:`; the base address is `boards.url`."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.faults: dict[str, list[Answering]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.released = threading.Event()
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.boards = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def show(self, board: str, *jobs: Job) -> None:
        self.bodies[board] = ashby_board(*jobs)

    def show_captured(self, folder: Path) -> dict[str, int]:
        """Every captured board of a folder, with how many postings its file holds."""
        counts: dict[str, int] = {}
        for file in sorted(folder.glob("*.json")):
            board = file.stem.removeprefix("stapply_")
            self.bodies[board] = file.read_bytes()
            counts[board] = len(json.loads(self.bodies[board])["jobs"])
        return counts

    def fail(self, board: str, *answers: Answering) -> None:
        """The next answers for that board, before it is well again."""
        self.faults.setdefault(board, []).extend(answers)

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


def status(code: int, **headers: str) -> Answering:
    return lambda handler: handler.answer(code, b'{"error": "no"}', **headers)


def body(content: bytes, kind: str = "application/json") -> Answering:
    return lambda handler: handler.answer(200, content, kind)


def cut_short(content: bytes, kept: int) -> Answering:
    """Says how long the body is and stops before its end."""
    return lambda handler: handler.answer(200, content[:kept], length=len(content))


def redirect(location: str) -> Answering:
    return lambda handler: handler.answer(302, b"", Location=location)


def silent(handler: Handler) -> None:
    """Takes the question and never answers, until the server is closed."""
    handler.server.boards.released.wait()


def endless(handler: Handler) -> None:
    """A body that grows until the asker has had enough."""
    handler.send_response(200)
    handler.end_headers()
    piece = b'{"jobs": [' + b" " * 65_536
    while not handler.server.boards.released.is_set():
        handler.wfile.write(piece)
