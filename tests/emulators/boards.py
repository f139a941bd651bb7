"""A hiring platform on loopback: Ashby's public posting API with its shapes, and its faults on demand.

One host of the small internet of `web.py`. Boards are ours and small, or captured ones read from a folder.
"""

import json
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import NAMESPACE_URL, uuid5

from emulators.web import MISSING, Asked, Reply, Web

Job = dict[str, object]


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


class Boards:
    """`with Boards() as boards:`; its base address is `boards.url`. It answers for whatever host is asked."""

    def __init__(self) -> None:
        self.web = Web()
        self.web.anywhere = self._reply
        self.url = self.web.url
        self.bodies: dict[str, bytes] = {}
        self.faults: dict[str, list[Reply]] = {}

    @property
    def asked(self) -> list[tuple[str, dict[str, str]]]:
        """The path and the headers of every question for a board, in the usual spelling."""
        return [
            (asked.path, {name.title(): value for name, value in asked.headers.items()})
            for asked in self.web.pages()
        ]

    def _reply(self, asked: Asked) -> Reply:
        board = asked.path.rpartition("/")[2]
        if self.faults.get(board):
            return self.faults[board].pop(0)
        if asked.path.startswith("/posting-api/job-board/") and board in self.bodies:
            return Reply(self.bodies[board])
        return MISSING

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

    def fail(self, board: str, *answers: Reply) -> None:
        """The next answers for that board, before it is well again."""
        self.faults.setdefault(board, []).extend(answers)

    def __enter__(self) -> Self:
        self.web.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.web.__exit__(kind, error, trace)


def status(code: int, **headers: str) -> Reply:
    return Reply(
        b'{"error": "no"}', code, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def body(content: bytes, kind: str = "application/json") -> Reply:
    return Reply(content, content_type=kind)


def cut_short(content: bytes, kept: int) -> Reply:
    """Says how long the body is and stops before its end."""
    return Reply(content, kept=kept)


def redirect(location: str) -> Reply:
    return Reply(status=302, headers={"Location": location})


#: Takes the question and never answers, until the server is closed.
silent = Reply(never=True)
#: A body that grows until the asker has had enough.
endless = Reply(b'{"jobs": [' + b" " * 65_536, endless=True)
