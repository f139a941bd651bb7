"""Lever's postings API on loopback, both of its sides: whole sites, pages by skip and limit, single postings.

A site is told apart by case, and one that is not there gets the same words as a posting that is not.
"""

from uuid import NAMESPACE_URL, uuid5

from emulators.entity_tags import tagged
from emulators.web import Asked, Reply, Web

GLOBAL, EUROPEAN = "api.lever.co", "api.eu.lever.co"
Job = dict[str, object]
_NOT_FOUND = Reply(b'{"ok":false,"error":"Document not found"}', 404)


def lever_job(name: str, *, site: str = "northwind", side: str = "", **changed: object) -> Job:
    """One posting in the field names Lever uses; `name` decides its id."""
    job_id = str(uuid5(NAMESPACE_URL, name))
    page = f"https://jobs{side}.lever.co/{site}/{job_id}"
    opening, body = "<div>Northwind sails.</div>", f"<p>{name} at the harbour.</p>"
    job: Job = {
        "additionalPlain": "Four weeks off.",
        "additional": "<div>Four weeks off.</div>",
        "categories": {
            "commitment": "Full-time",
            "department": "Harbour",
            "location": "Oslo",
            "team": "Boats",
            "allLocations": ["Oslo"],
        },
        "createdAt": 1779223091267,
        "descriptionPlain": f"Northwind sails.\n{name} at the harbour.",
        "description": opening + body,
        "id": job_id,
        "lists": [{"text": "What you bring", "content": "\n<li>Ropes</li><li>Knots &amp; oars</li>"}],
        "text": name,
        "country": "NO",
        "workplaceType": "hybrid",
        "opening": opening,
        "openingPlain": "Northwind sails.",
        "descriptionBody": body,
        "descriptionBodyPlain": f"{name} at the harbour.",
        "hostedUrl": page,
        "applyUrl": f"{page}/apply",
    }
    return {**job, **changed}


class Lever:
    """Puts itself up at both hosts; `sites` holds the postings of (host, name)."""

    def __init__(self, web: Web) -> None:
        self.sites: dict[tuple[str, str], list[Job]] = {}
        web.sites[GLOBAL] = web.sites[EUROPEAN] = self.reply

    def reply(self, asked: Asked) -> Reply:
        version, postings, site, job_id = [*asked.path.strip("/").split("/"), ""][:4]
        jobs = self.sites.get((asked.host, site))
        if (version, postings) != ("v0", "postings") or jobs is None:
            return _NOT_FOUND
        if job_id:
            found = next((job for job in jobs if job["id"] == job_id), None)
            return _NOT_FOUND if found is None else tagged(asked, found)
        skip, limit = int(asked.query.get("skip", "0")), int(asked.query.get("limit", str(len(jobs))))
        return tagged(asked, jobs[skip : skip + limit])
