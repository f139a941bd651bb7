"""Boards that come in one answer, with their vendors' own field names: Personio, JazzHR, Pinpoint, Recruitee.

Sites for `Web`; what they show can be changed while they stand.
"""

import json
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from emulators.entity_tags import tagged
from emulators.web import MISSING, Asked, Reply, Site

Fields = dict[str, object]
XML = "text/xml;charset=UTF-8"
#: Where vendors send whoever asks for a tenant they do not know.
MARKETING = b"<!doctype html><html><title>All-in-one HR software</title><body>Book a demo</body></html>"


def page_of(title: str, *, extra: str = "") -> bytes:
    """The page of one posting, with the JSON-LD platforms put there."""
    told = {
        "@context": "https://schema.org/",
        "@type": "JobPosting",
        "title": title,
        "description": "<p>Sail.</p>",
    }
    script = f'<script type="application/ld+json">{json.dumps(told)}</script>'
    return f"<html><head>{script}{extra}</head></html>".encode()


def element(name: str, text: object) -> str:
    return f"<{name}>{text if isinstance(text, Raw) else escape(str(text))}</{name}>"


class Raw(str):
    """XML that stands as it is."""

    __slots__ = ()


def personio_position(number: int, **changed: object) -> str:
    told = "<name>Tasks &amp; more</name><value><![CDATA[<p>Steer.</p>]]></value>"
    sections = element("jobDescription", Raw(told))
    fields: Fields = {
        "id": number,
        "subcompany": "Northwind SE & Co. KG",
        "office": "Hamburg",
        "additionalOffices": Raw("<office>Bremen</office><office>Hamburg</office>"),
        "department": "Harbour",
        "recruitingCategory": "Crew",
        "name": f"Pilot {number}",
        "jobDescriptions": Raw(sections),
        "employmentType": "permanent",
        "seniority": "experienced",
        "schedule": "full-time",
        "yearsOfExperience": "2-5",
        "createdAt": "2026-09-13T14:10:41+00:00",
    }
    return element("position", Raw("".join(element(*each) for each in (fields | changed).items())))


def personio_feed(*positions: str) -> bytes:
    whole = f"<workzag-jobs>{''.join(positions)}</workzag-jobs>"
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{whole}".encode()


@dataclass
class PersonioSite:
    feed: bytes = field(default_factory=personio_feed)
    pages: dict[str, bytes] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/xml":
            return Reply(self.feed, content_type=XML)
        page = self.pages.get(asked.path)
        return MISSING if page is None else Reply(page, content_type="text/html; charset=utf-8")


def jazzhr_job(code: str, **changed: object) -> str:
    fields: Fields = {
        "id": f"job_20260106122430_{code}",
        "status": "Open",
        "title": f"Deckhand {code}",
        "department": "Crew",
        "url": f"http://northwind.applytojob.com/apply/{code}/Deckhand?source=feed",
        "city": "Austin",
        "state": "TX",
        "country": "United States",
        "postalcode": "78701",
        "description": "<p>Ropes & knots.</p>",
        "type": "Full Time",
        "experience": "Experienced",
        "hiring_lead": "Ada Nobody",
    }
    told = (element(name, Raw(f"<![CDATA[{text}]]>")) for name, text in (fields | changed).items())
    return element("job", Raw("".join(told)))


def jazzhr_feed(*jobs: str) -> bytes:
    head = "<publisher><![CDATA[JazzHR]]></publisher><company><![CDATA[Northwind]]></company>"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<jobs>{head}{"".join(jobs)}</jobs>'.encode()


def pinpoint_posting(number: int, **changed: object) -> Fields:
    path = f"/en/postings/0a1b-{number}"
    return {
        "id": str(number),
        "title": f"Purser {number}",
        "url": f"https://northwind.pinpointhq.com{path}",
        "path": path,
        "description": "<p>Count.</p>",
        "key_responsibilities_header": "What you will do",
        "key_responsibilities": "<ul><li>Money</li></ul>",
        "skills_knowledge_expertise_header": "What you bring",
        "skills_knowledge_expertise": "<p>Care</p>",
        "benefits_header": "Benefits",
        "benefits": "",
        "workplace_type": "hybrid",
        "workplace_type_text": "Hybrid",
        "compensation": "$70,000 - $90,000 / year",
        "compensation_minimum": 70_000.0,
        "compensation_maximum": 90_000,
        "compensation_currency": "USD",
        "compensation_frequency": "year",
        "compensation_visible": True,
        "deadline_at": "2026-12-28T23:59:59-04:00",
        "job": {"id": "9", "requisition_id": f"REQ-{number}", "department": {"id": "1", "name": "Crew"}},
        "location": {"id": "3", "name": "Boston, MA"},
        **changed,
    }


def pinpoint_site(postings: list[Fields], pages: dict[str, bytes] | None = None) -> Site:
    def answer(asked: Asked) -> Reply:
        if asked.path == "/postings.json":
            return tagged(asked, {"data": postings})
        page = (pages or {}).get(asked.path)
        return MISSING if page is None else Reply(page, content_type="text/html")

    return answer


def recruitee_offer(number: int, **changed: object) -> Fields:
    page = f"https://northwind.recruitee.com/o/cook-{number}"
    return {
        "id": number,
        "slug": f"cook-{number}",
        "title": f"Cook {number}",
        "status": "published",
        "company_name": "Northwind",
        "careers_url": page,
        "careers_apply_url": f"{page}/c/new",
        "location": "Remote job",
        "locations": [
            {"id": 1, "name": "Kiel", "city": "Kiel", "state": "Schleswig-Holstein", "country": "Germany"}
        ],
        "remote": False,
        "hybrid": True,
        "on_site": False,
        "employment_type_code": "fulltime_permanent",
        "published_at": "2026-08-05 09:41:37 UTC",
        "description": "<p>Cook.</p>",
        "requirements": "<p>Salt.</p>",
        "salary": {"min": "60000", "max": "75000", "period": "year", "currency": "EUR"},
        "mailbox_email": "job.e4u78@northwind.recruitee.com",
        **changed,
    }
