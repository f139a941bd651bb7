"""Boards that come in pages, with their vendors' own names and limits: Teamtailor, Manatal, iCIMS and the
career sites of SuccessFactors.

Sites for `Web`. Their pages can be made to lie in the ways the real ones do.
"""

import json
from dataclasses import dataclass, field

from emulators.feeds import Fields
from emulators.web import MISSING, Asked, Reply

HTML = "text/html; charset=utf-8"


def teamtailor_item(number: int, *, host: str = "northwind.teamtailor.com", **posting: object) -> Fields:
    return {
        "id": f"20fafb7d-f013-4061-b6de-{number:012}",
        "title": f"Stoker {number}",
        "url": f"https://{host}/jobs/{number}-stoker",
        "date_published": "2026-09-18T03:16:27+02:00",
        "content_html": "<p>Coal.</p>",
        "_jobposting": {
            "@context": "http://schema.org/",
            "@type": "JobPosting",
            "title": f"Stoker {number}",
            "identifier": {"@type": "PropertyValue", "name": "Northwind AB", "value": number},
            "datePosted": "2026-09-18T03:16:27+02:00",
            "employmentType": "FULL_TIME",
            "hiringOrganization": {"@type": "Organization", "name": "Northwind AB"},
            "jobLocation": [
                {"@type": "Place", "address": {"addressLocality": "Calgary", "addressCountry": "CA"}}
            ],
            **posting,
        },
    }


@dataclass
class TeamtailorSite:
    items: list[Fields] = field(default_factory=list)
    remote: str = "fully"
    host: str = "northwind.teamtailor.com"
    has_rss: bool = True
    next_host: str | None = None
    page_size: int = 100

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/jobs.json":
            return self._json(int(asked.query.get("page", "1")))
        if asked.path == "/jobs.rss" and self.has_rss:
            return self._rss(int(asked.query.get("offset", "0")), int(asked.query.get("per_page", "100")))
        return MISSING

    def _json(self, page: int) -> Reply:
        shown = self.items[(page - 1) * self.page_size : page * self.page_size]
        told: Fields = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": "Northwind AB",
            "items": shown,
        }
        if len(self.items) > page * self.page_size:
            host = self.next_host or self.host
            told["next_url"] = f"https://{host}/jobs.json?page={page + 1}&per_page=100"
        return Reply(json.dumps(told).encode(), content_type="application/feed+json; charset=utf-8")

    def _rss(self, offset: int, size: int) -> Reply:
        items = "".join(
            f"<item><title>{item['title']}</title><pubDate>Thu, 18 Sep 2026 03:16:27 +0200</pubDate>"
            f"<link>{item['url']}</link><remoteStatus>{self.remote}</remoteStatus><guid>{item['id']}</guid>"
            "<tt:locations><tt:location><tt:name>United States - Remote</tt:name><tt:city>Calgary</tt:city>"
            "<tt:country>Canada</tt:country></tt:location></tt:locations></item>"
            for item in self.items[offset : offset + size]
        )
        whole = (
            f'<rss version="2.0" xmlns:tt="https://teamtailor.com/locations"><channel>{items}</channel></rss>'
        )
        return Reply(whole.encode(), content_type="application/rss+xml; charset=utf-8")


def manatal_job(code: str, **changed: object) -> Fields:
    return {
        "id": 3_164_048,
        "hash": code,
        "position_name": f"Rigger {code}",
        "description": "<p>Sails.</p>",
        "country": "Vietnam",
        "state": "",
        "city": "Hanoi",
        "address": "",
        "zipcode": "",
        "location_display": "Hanoi, Vietnam",
        "is_salary_visible": False,
        "is_pinned_in_career_page": False,
        **changed,
    }


@dataclass
class ManatalSite:
    """`page_size` wins over the one that is asked for; `replays` shows the first page for ever."""

    jobs: list[Fields] = field(default_factory=list)
    page_size: int = 100
    replays: bool = False

    def __call__(self, asked: Asked) -> Reply:
        if asked.path != "/api/v1.0/c/northwind/jobs/":
            return Reply(b'{"detail":"Not found."}', 404)
        page, size = int(asked.query.get("page", "1")), self.page_size
        more = self.replays or len(self.jobs) > page * size
        onward = f"https://www.careers-page.com/api/v1.0/c/northwind/jobs/?page={page + 1}" if more else None
        first = 0 if self.replays else (page - 1) * size
        shown = self.jobs[first : first + size]
        told = {"count": len(self.jobs), "next": onward, "previous": None, "results": shown}
        return Reply(json.dumps(told).encode())


def icims_card(number: int, *, host: str = "careers-nw.icims.com") -> str:
    return f"""<li class="iCIMS_JobCardItem"><div class="row">
<div class="col-xs-6 header left"><span class="sr-only field-label">Job Locations</span>
<span >US-NJ-Edison</span></div>
<div class="col-xs-12 title">
<a href="https://{host}/jobs/{number}/bosun%2c-first/job?in_iframe=1&amp;hashed=-3355" class="iCIMS_Anchor"
 title="{number} - Bosun, First"><span class="sr-only field-label">Job Title</span>
<h3 >Bosun, First &amp; Last</h3></a></div>
<div class="col-xs-12 additionalFields"><dl class="iCIMS_JobHeaderGroup"><div class="iCIMS_JobHeaderTag">
<dt class="iCIMS_JobHeaderField">Job ID</dt><dd class="iCIMS_JobHeaderData"><span>2026-{number}</span></dd>
</div></dl></div></div></li>"""


@dataclass
class IcimsSite:
    """Behind the last page `after_last` stands: the last once more, an empty one, or the first again."""

    cards: list[str] = field(default_factory=list)
    page_size: int = 20
    after_last: str = "last"
    links_on: bool = True
    pages: dict[str, Reply] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path in self.pages:
            return self.pages[asked.path]
        if asked.path != "/jobs/search":
            return MISSING
        asked_page = int(asked.query.get("pr", "0"))
        last = max((len(self.cards) - 1) // self.page_size, 0)
        page = asked_page if asked_page <= last else {"last": last, "first": 0}.get(self.after_last, last + 1)
        shown = "".join(self.cards[page * self.page_size : (page + 1) * self.page_size])
        links = "".join(
            f'<a href="https://{asked.host}/jobs/search?pr={each}&amp;in_iframe=1">{each + 1}</a>'
            for each in range(last + 1 if self.links_on else 0)
        )
        whole = (
            f'<div class="iCIMS_MainWrapper iCIMS_ListingsPage"><ul class="iCIMS_JobsTable">{shown}</ul>'
            f'<div class="iCIMS_Paging">{links}</div></div>'
        )
        return Reply(whole.encode(), content_type=HTML)


def successfactors_tile(number: int, **changed: str) -> str:
    place = changed.get("place", "Noida, NCR, India")
    path = changed.get("path", f"/job/Noida-Helmsman-NCR/{number}/")
    section = f"job-{number}-desktop-section"
    return f"""<li class="job-tile job-id-{number} job-row-index-1" data-url="{path}" data-row-index="1">
<div class="job-tile-cell"><div class="sub-section-desktop"><div class="tiletitle">
<a class="jobTitle-link" href="{path}">Helmsman &amp; Mate {number}</a></div>
<div id="{section}-customfield1"><span id="{section}-customfield1-label">Req ID</span>
<div id="{section}-customfield1-value">81838</div></div>
<div id="{section}-date"><span>Date</span><div id="{section}-date-value">Jun 29, 2026</div></div>
<div id="{section}-location"><span>Location</span><div id="{section}-location-value">{place}</div></div></div>
<div class="sub-section-mobile"><a class="jobTitle-link" href="{path}">Helmsman &amp; Mate {number}</a></div>
</div></li>"""


@dataclass
class SuccessFactorsSite:
    tiles: list[str] = field(default_factory=list)
    page_size: int = 25
    tells_total: bool = True
    replays: bool = False
    site: str = ""
    pages: dict[str, Reply] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path in self.pages:
            return self.pages[asked.path]
        if asked.path != f"{self.site}/tile-search-results/":
            return MISSING
        row = 0 if self.replays else int(asked.query.get("startrow", "0"))
        shown = self.tiles[row : row + self.page_size]
        if not shown and row:
            return Reply(b"\n", content_type=HTML)
        label = f"Showing 1 to {len(shown)} of {len(self.tiles)} Jobs" if self.tells_total else ""
        head = f'<span id="tile-search-results-label">{label}</span>' if row == 0 else ""
        return Reply(f'{head}<ul id="job-tile-list">{"".join(shown)}</ul>'.encode(), content_type=HTML)


def successfactors_page(title: str) -> bytes:
    """Microdata whose properties of a place stand in no item of their own."""
    return f"""<html><head><meta charset="utf-8"></head><body>
<div class="jobDisplayShell" itemscope="itemscope" itemtype="http://schema.org/JobPosting">
<meta itemprop="datePosted" content="Wed Aug 05 02:00:00 UTC 2026">
<meta itemprop="validThrough" content="Thu Dec 31 00:00:00 UTC 2026">
<meta itemprop="hiringOrganization" content="Northwind">
<span itemprop="jobLocation"><span itemprop="address"><meta itemprop="addressLocality" content="Zürich">
<meta itemprop="addressCountry" content="CH"></span></span>
<h1><span itemprop="title" data-careersite-propertyid="title">{title}</span></h1>
<span itemprop="description" data-careersite-propertyid="description"><span class="jobdescription">
<h2>Mission</h2><p>Hold the wheel.</p></span></span></div></body></html>""".encode()
