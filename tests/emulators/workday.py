"""One career site of a Workday tenant, with Workday's shapes, limits and answers.

Put it up with `web.sites[site.host] = site`. `clamp` is the row behind which it gives its first page again
and its total; `held_at` the row behind which it shows none though it counts them; `whole_pages` rounds
offsets down to pages, as a server may that counts those. `before` is called with the number of each list
request before it is answered, so that a test can move rows under a reader. A row's `_facets` are its values
of the filters a page offers.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from emulators.web import Asked, Reply

Job = dict[str, object]
PAGE = 20


def job(number: int, title: str = "Pilot", **fields: object) -> Job:
    """A row of a list, with the posting's own page under `_info`."""
    requisition = f"JR{100_000 + number}"
    return {
        "title": f"{title} {number}",
        "externalPath": f"/job/Oslo-Norway/{title}-{number}_{requisition}",
        "locationsText": "Oslo, Norway",
        "postedOn": "Posted 5 Days Ago",
        "bulletFields": [requisition],
        **fields,
    }


def jobs(count: int) -> list[Job]:
    return [job(number) for number in range(count)]


def refusal(status: int, code: str) -> Reply:
    body: dict[str, object] = {
        "errorCode": code,
        "errorCaseId": "T5",
        "httpStatus": status,
        "message": "",
        "messageParams": {},
    }
    return Reply(json.dumps(body).encode(), status)


def answered(content: object) -> Reply:
    return Reply(json.dumps(content).encode())


def _fits(row: Job, applied: dict[str, list[str]]) -> bool:
    return all(set(values) & set(_values(row, name)) for name, values in applied.items())


def _values(row: Job, name: str) -> list[str]:
    facets = row.get("_facets")
    return facets.get(name, []) if isinstance(facets, dict) else []


def _facets(rows: list[Job]) -> list[Job]:
    """Filters as a first page has them: places under one heading, each value with its count."""
    names = sorted({name for row in rows if isinstance(row.get("_facets"), dict) for name in row["_facets"]})
    flat: list[Job] = []
    for name in names:
        counts = Counter(value for row in rows for value in _values(row, name))
        values = [{"descriptor": value.title(), "id": value, "count": n} for value, n in counts.items()]
        flat.append({"facetParameter": name, "descriptor": name, "values": values})
    places = [each for each in flat if str(each["facetParameter"]).startswith("location")]
    rest = [each for each in flat if each not in places]
    return [{"facetParameter": "locationMainGroup", "values": places}, *rest] if places else rest


@dataclass
class WorkdaySite:
    jobs: list[Job] = field(default_factory=list[Job])
    tenant: str = "nw"
    cell: str = ".wd5"
    name: str = "Careers"
    clamp: int | None = None
    held_at: int | None = None
    whole_pages: bool = False
    before: Callable[[int], None] | None = None
    pages: dict[str, object] = field(default_factory=dict[str, object])
    lists: int = 0

    @property
    def host(self) -> str:
        return f"{self.tenant}{self.cell}.myworkdayjobs.com"

    @property
    def board(self) -> str:
        return f"{self.tenant}{self.cell}/{self.name}"

    def __call__(self, asked: Asked) -> Reply:
        parts = asked.path.split("/")
        if parts[:3] != ["", "wday", "cxs"]:
            return Reply(b"<html>Search for Jobs</html>", 200, "text/html")
        if parts[3] != self.tenant:
            return refusal(422, "HTTP_422")
        if parts[4] != self.name:
            return refusal(405 if "-" in parts[4] or len(parts[4]) == 2 else 422, "HTTP_422")
        rest = "/" + "/".join(parts[5:])
        return self._list(asked) if rest == "/jobs" else self._page(rest)

    def _list(self, asked: Asked) -> Reply:
        if asked.method != "POST":
            return refusal(405, "HTTP_405")
        wanted = json.loads(asked.body or b"{}")
        if wanted.keys() < {"appliedFacets", "limit", "offset", "searchText"}:
            return refusal(422, "HTTP_422")
        if wanted["limit"] > PAGE:
            return refusal(400, "HTTP_400")
        if self.before is not None:
            self.before(self.lists)
        self.lists += 1
        offset = wanted["offset"]
        if self.whole_pages:
            offset -= offset % PAGE
        found = [each for each in self.jobs if _fits(each, wanted["appliedFacets"])]
        shown = found if self.clamp is None else found[: self.clamp]
        replayed = self.clamp is not None and offset >= self.clamp
        rows = shown[:PAGE] if replayed else shown[: self.held_at][offset : offset + wanted["limit"]]
        return answered(
            {
                "total": len(shown) if offset == 0 else 0,
                "jobPostings": [
                    {name: value for name, value in row.items() if name != "_facets"} for row in rows
                ],
                "facets": _facets(found) if offset == 0 else [],
                "userAuthenticated": False,
            }
        )

    def _page(self, path: str) -> Reply:
        if path in self.pages:
            found = self.pages[path]
            return found if isinstance(found, Reply) else answered(found)
        row = next((each for each in self.jobs if each["externalPath"] == path), None)
        return refusal(404, "S22") if row is None else answered(self.info(row))

    def info(self, row: Job, **changed: object) -> Job:
        """The page of one row."""
        path = str(row["externalPath"])
        return {
            "jobPostingInfo": {
                "id": "16e3ee312a771000427896360aef0000",
                "title": row["title"],
                "jobDescription": f"<p>{row['title']} flies.</p>",
                "location": "Oslo, Norway",
                "postedOn": "Posted 5 Days Ago",
                "startDate": "2026-02-20",
                "timeType": "Full time",
                "jobReqId": path.rpartition("_")[2],
                "jobPostingId": path.rpartition("/")[2],
                "jobPostingSiteId": self.name,
                "country": {"descriptor": "Norway", "id": "b1"},
                "jobRequisitionLocation": {
                    "descriptor": "Oslo, Norway",
                    "country": {"descriptor": "Norway", "id": "b1", "alpha2Code": "NO"},
                },
                "canApply": True,
                "posted": True,
                "externalUrl": f"https://{self.host}/{self.name}{path}",
                **changed,
            },
            "hiringOrganization": {"name": "Northwind AS", "url": ""},
            "userAuthenticated": False,
        }
