"""Rippling's job board API: `web.sites[RIPPLING] = Rippling({"northwind": [...]})`.

Boards are told apart by the case of their names. A list has one row for each place of a posting. `before` is
called with the number of each list request before it is answered; `most` is the largest page it gives.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from emulators.web import Asked, Reply

RIPPLING = "api.rippling.com"
_ROOT = ["", "platform", "api", "ats", "v2", "board"]

Fields = dict[str, object]


def place(name: str, workplace: str = "ON_SITE", **fields: object) -> Fields:
    return {
        "name": name,
        "country": "Norway",
        "countryCode": "NO",
        "state": None,
        "stateCode": None,
        "city": name.partition(",")[0],
        "workplaceType": workplace,
        **fields,
    }


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def rows(number: int, *places: Fields, name: str = "Pilot", **fields: object) -> list[Fields]:
    """One row a place, as a list shows one posting."""
    return [
        {
            "id": uuid(number),
            "name": f"{name} {number}",
            "url": f"https://ats.rippling.com/northwind/jobs/{uuid(number)}",
            "department": {"name": "Flight"},
            "locations": [each],
            "language": "en-US",
            **fields,
        }
        for each in places or (place("Oslo, Norway"),)
    ]


def record(number: int, **fields: object) -> Fields:
    """A posting's own record."""
    return {
        "uuid": uuid(number),
        "name": f"Pilot {number}",
        "description": {"company": "<p>Northwind flies.</p>", "role": "<p>You fly.</p>"},
        "workLocations": ["Oslo, Norway"],
        "department": {"name": "Flight", "base_department": "Air"},
        "employmentType": {"label": "SALARIED_FT", "id": "Salaried, full-time"},
        "createdOn": "2026-02-20T08:15:30.120000+00:00",
        "url": f"https://ats.rippling.com/northwind/jobs/{uuid(number)}",
        "board": {"slug": "northwind"},
        "companyName": "Northwind AS",
        "payRangeDetails": [],
        "unlistedFromSearch": False,
        **fields,
    }


def tier(low: float | None, high: float | None, currency: str = "USD", frequency: str = "YEAR") -> Fields:
    return {
        "location": "Oslo",
        "currency": currency,
        "frequency": frequency,
        "rangeStart": low,
        "rangeEnd": high,
        "isRemote": False,
    }


def missing(what: str) -> Reply:
    body = {"error_code": "RESOURCE_NOT_FOUND", "message": f"{what} not found", "resource": None}
    return Reply(json.dumps(body).encode(), 404)


@dataclass
class Rippling:
    boards: dict[str, list[Fields]] = field(default_factory=dict[str, list[Fields]])
    records: dict[str, object] = field(default_factory=dict[str, object])
    most: int = 1_000
    tells_pages: bool = True
    before: Callable[[int], None] | None = None
    lists: int = 0

    def __call__(self, asked: Asked) -> Reply:
        parts = asked.path.split("/")
        if parts[:6] != _ROOT or parts[7:8] != ["jobs"]:
            return missing("Page")
        board = self.boards.get(parts[6])
        if board is None:
            return missing("Job Board")
        return self._record(parts[8], board) if len(parts) > 8 else self._list(asked, parts[6])

    def _list(self, asked: Asked, name: str) -> Reply:
        if self.before is not None:
            self.before(self.lists)
        self.lists += 1
        board = self.boards[name]
        page, size = int(asked.query.get("page", "0")), int(asked.query.get("pageSize", "20"))
        size = min(size, self.most)
        content: Fields = {"items": board[page * size : (page + 1) * size], "page": page, "pageSize": size}
        if self.tells_pages:
            content |= {"totalItems": len(board), "totalPages": -(-len(board) // size)}
        return Reply(json.dumps(content).encode())

    def _record(self, vendor_id: str, board: list[Fields]) -> Reply:
        found = self.records.get(vendor_id)
        if found is None and any(row["id"] == vendor_id for row in board):
            found = record(int(vendor_id[-12:]))
        if found is None:
            return missing("Job post")
        return found if isinstance(found, Reply) else Reply(json.dumps(found).encode())
