"""Workable on loopback: the widget of an account, one row a country, and postings as their pages ask for one.

The older address leads to the widget; what is not there gets no JSON.
"""

import json
import zlib

from emulators.web import Asked, Reply, Web

HOST, OLDER = "apply.workable.com", "www.workable.com"
Job = dict[str, object]
_NOT_FOUND = Reply(b"Not Found", 404, "text/plain")
#: What an account gets that asked too much, for hours.
SHUT_OUT = Reply(b"<html>Attention Required! | Cloudflare</html>", 403, "text/html")


def workable_job(name: str, *, country: tuple[str, str] = ("Norway", "NO"), **changed: object) -> Job:
    """One row in the field names Workable uses; `name` decides its shortcode, not its country."""
    code = f"{zlib.crc32(name.encode()):08X}A5"
    page = f"https://apply.workable.com/j/{code}"
    job: Job = {
        "title": name,
        "shortcode": code,
        "code": "",
        "employment_type": "Full-time",
        "telecommuting": False,
        "department": "Harbour",
        "url": page,
        "shortlink": page,
        "application_url": f"{page}/apply",
        "published_on": "2026-08-05",
        "created_at": "2026-06-24",
        "country": country[0],
        "city": "",
        "state": "",
        "education": "",
        "experience": "Associate",
        "function": "Sales",
        "industry": "Shipping",
        "locations": [
            {"country": country[0], "countryCode": country[1], "city": "", "region": None, "hidden": False}
        ],
        "description": f"<p>{name} at the harbour.</p>",
    }
    return {**job, **changed}


def workable_account(*jobs: Job, name: str = "Northwind") -> bytes:
    return json.dumps({"name": name, "description": "<p>We sail.</p>", "jobs": list(jobs)}).encode()


class Workable:
    """Puts itself up at both hosts; `ended` are shortcodes whose own page still answers."""

    def __init__(self, web: Web) -> None:
        self.accounts: dict[str, list[Job]] = {}
        self.ended: dict[str, Job] = {}
        web.sites[HOST] = self.reply
        web.sites[OLDER] = _older

    def reply(self, asked: Asked) -> Reply:
        match asked.path.strip("/").split("/"):
            case ["api", "v1", "widget", "accounts", account] if account in self.accounts:
                return self._widget(asked, self.accounts[account])
            case ["api", "v2", "accounts", account, "jobs", code] if account in self.accounts:
                return self._posting(self.accounts[account], code)
            case _:
                return _NOT_FOUND

    def _widget(self, asked: Asked, jobs: list[Job]) -> Reply:
        has_details = asked.query.get("details") == "true"
        shown = [
            {name: value for name, value in job.items() if has_details or name != "description"}
            for job in jobs
        ]
        return Reply(workable_account(*shown))

    def _posting(self, jobs: list[Job], code: str) -> Reply:
        same = [job for job in jobs if job["shortcode"] == code]
        if not same and code not in self.ended:
            return _NOT_FOUND
        job = same[0] if same else self.ended[code]
        places = [place for each in same or [job] for place in each["locations"]]  # type: ignore[attr-defined]
        shown = {
            "id": 4_711,
            "shortcode": code,
            "title": job["title"],
            "remote": job["telecommuting"],
            "location": places[0],
            "locations": places,
            "state": "published" if same else "archived",
            "isInternal": False,
            "code": job["code"],
            "published": "2026-08-05T00:00:00.000Z",
            "type": "full",
            "language": "en",
            "department": ["Harbour"],
            "accountUid": "northwind-uid",
            "approvalStatus": "approved",
            "workplace": "on_site",
            "description": job["description"],
            "requirements": "<ul><li>Ropes</li></ul>",
            "benefits": "",
        }
        return Reply(json.dumps(shown).encode())


def _older(asked: Asked) -> Reply:
    account = asked.path.rpartition("/")[2]
    details = "?details=true" if asked.query.get("details") == "true" else ""
    return Reply(
        status=302, headers={"Location": f"https://{HOST}/api/v1/widget/accounts/{account}{details}"}
    )
