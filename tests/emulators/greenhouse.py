"""Greenhouse's job board API on loopback: boards, single postings, entity tags, and its words for the absent.

What a list leaves out unless asked for, it leaves out here too.
"""

import html
import zlib

from emulators.entity_tags import tagged
from emulators.web import Asked, Reply, Web

HOST = "boards-api.greenhouse.io"
Job = dict[str, object]
_WITH_CONTENT = (
    "content",
    "departments",
    "offices",
    "ai_disclaimer",
    "include_ai_disclaimer",
    "ai_opt_out_request_url",
)
_JOB_NOT_FOUND = Reply(b'{"status":404,"error":"Job not found"}', 404)
_BOARD_NOT_FOUND = Reply(b'{"status":404,"error":"Job board not found"}', 404)


def greenhouse_job(name: str, *, board: str = "northwind", **changed: object) -> Job:
    """One posting in the field names Greenhouse uses; `name` decides its id."""
    number = 4_000_000_000 + zlib.crc32(name.encode())
    text = (
        f"<div class='content-intro'>Northwind sails.</div><p>{name} at R&amp;D &mdash; boats &lt; 12 m.</p>"
    )
    job: Job = {
        "absolute_url": f"https://job-boards.greenhouse.io/{board}/jobs/{number}",
        "data_compliance": [
            {
                "type": "gdpr",
                "requires_consent": False,
                "requires_processing_consent": False,
                "requires_retention_consent": False,
                "retention_period": None,
                "demographic_data_consent_applies": False,
            }
        ],
        "internal_job_id": number + 7,
        "location": {"name": "Oslo, Norway"},
        "metadata": None,
        "id": number,
        "updated_at": "2026-11-02T08:50:01-04:00",
        "requisition_id": "R-12263",
        "title": name,
        "company_name": "Northwind ",
        "first_published": "2026-07-16T11:55:32-04:00",
        "language": "en",
        "application_deadline": None,
        "content": html.escape(text),
        "departments": [{"id": 4021875008, "name": "Harbour", "child_ids": [], "parent_id": None}],
        "offices": [
            {"id": 4016769008, "name": "Oslo", "location": "Oslo, Norway", "child_ids": [], "parent_id": None}
        ],
        "ai_disclaimer": None,
        "include_ai_disclaimer": None,
        "ai_opt_out_request_url": None,
    }
    return {**job, **changed}


def custom(name: str, value: object, value_type: str = "single_select") -> Job:
    return {"id": 4095122002, "name": name, "value": value, "value_type": value_type}


class Greenhouse:
    """Puts itself up at its host; `boards` holds the postings of each, `total` what a board says it has."""

    def __init__(self, web: Web) -> None:
        self.boards: dict[str, list[Job]] = {}
        self.total: dict[str, int] = {}
        web.sites[HOST] = self.reply

    def reply(self, asked: Asked) -> Reply:
        version, boards, board, *rest = [*asked.path.strip("/").split("/"), "", "", ""][:5]
        jobs = self.boards.get(board)
        if (version, boards) != ("v1", "boards") or rest[0] not in {"", "jobs"}:
            return Reply(b"<html>Page not found</html>", 404, "text/html")
        if jobs is None:
            return _JOB_NOT_FOUND if rest[0] else _BOARD_NOT_FOUND
        if not rest[0]:
            return tagged(asked, {"name": "Northwind", "content": ""})
        if rest[1]:
            found = next((job for job in jobs if str(job["id"]) == rest[1]), None)
            return _JOB_NOT_FOUND if found is None else tagged(asked, _shown(asked, found, content=True))
        listed = [_shown(asked, job, content=asked.query.get("content") == "true") for job in jobs]
        return tagged(asked, {"jobs": listed, "meta": {"total": self.total.get(board, len(jobs))}})


def _shown(asked: Asked, job: Job, *, content: bool) -> Job:
    ranges = job.get("pay_input_ranges", [])
    told = {name: value for name, value in job.items() if content or name not in _WITH_CONTENT}
    told.pop("pay_input_ranges", None)
    return {**told, "pay_input_ranges": ranges} if asked.query.get("pay_transparency") == "true" else told
