"""Operations: what runs, what waits and what failed, over all accounts. For operators."""

from typing import Annotated, get_args
from urllib.parse import urlencode

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from backend.http.forms import ID_MAX
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from backend.http.words import TASKS
from backend.operations.rules import TaskLooks, Verdict, verdicts
from backend.operations.store import MOST, KindCounts, kind_counts, open_kinds
from backend.pages.fleet import RELEASE, kinds_alive
from pipeline.worker.operations.fleet.store import fleet
from pipeline.worker.operations.views.store import TaskLine, tasks
from schema.db import Unit
from schema.errors import Invalid
from schema.failures import FAILURES
from schema.ids import AccountId, TaskId
from schema.tasks import CATALOGUE
from schema.text import clean
from schema.vocabulary import TaskStatus

ROWS = 50
RUNNING_SHOWN = 10
STATUSES: tuple[TaskStatus, ...] = get_args(TaskStatus)

Word = Annotated[str, QueryParameter(max_length=200)]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    id: TaskId


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of the list; what is None or empty does not narrow it."""

    status: TaskStatus | None = None
    kind: str = ""
    code: str = ""
    account_id: AccountId | None = None

    @property
    def query(self) -> str:
        """The filters as they stand in the address."""
        filters = {"status": self.status, "kind": self.kind, "code": self.code, "account": self.account_id}
        return urlencode({name: value for name, value in filters.items() if value})


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """Over all kinds, and the list that shows them. At most `MOST` of a kind are counted."""

    number: int
    has_more: bool
    label: str
    query: str


def totals(kinds: list[KindCounts]) -> list[Total]:
    def total(label: str, query: str, numbers: list[int]) -> Total:
        counted = sum(min(number, MOST) for number in numbers)
        return Total(number=counted, has_more=counted < sum(numbers), label=label, query=query)

    return [
        total("run", "status=running", [each.running for each in kinds]),
        total("wait for a worker", "status=pending", [each.ready for each in kinds]),
        total("wait for their time", "status=pending", [each.later for each in kinds]),
        total("wait for parts or a batch", "status=waiting", [each.apart for each in kinds]),
        total("failed", "status=failed", [each.failed for each in kinds]),
    ]


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    busy: list[KindCounts]
    idle: list[str]
    totals: list[Total]
    verdicts: list[Verdict]
    unknown: list[str]
    """Kinds with work that no worker alive knows."""


class TasksView(TaskLooks, frozen=True, kw_only=True):
    overview: Overview
    running: list[TaskLine]
    """Some of what runs, above a list that nothing narrows."""
    rows: list[TaskLine]
    wanted: Wanted
    statuses: list[tuple[str, str]]
    kinds: list[str]
    codes: list[str]
    next: str | None
    most: int

    @property
    def has_more_running(self) -> bool:
        return len(self.running) == RUNNING_SHOWN


@get("/operations", include_in_schema=False)
async def listed(
    visit: NamedDependency[Visit],
    status: Word = "",
    kind: Word = "",
    code: Word = "",
    account: Annotated[int | None, QueryParameter(ge=1, le=ID_MAX)] = None,
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    visit.require_operations()
    wanted = Wanted(
        status=_status(status),
        kind=clean(kind).strip(),
        code=clean(code).strip(),
        account_id=AccountId(account) if account else None,
    )
    place = key_of(after, Place)
    async with visit.database.as_fleet() as unit:
        overview = await _overview(unit)
        is_whole = place is None and not wanted.query
        running = await tasks(unit, status="running", limit=RUNNING_SHOWN) if is_whole else []
        rows = await _rows(unit, wanted, place)
    view = TasksView(
        now=visit.clock.now(),
        most=MOST,
        overview=overview,
        running=running,
        rows=rows[:ROWS],
        wanted=wanted,
        statuses=[("", "Any"), *((each, TASKS[each].text) for each in STATUSES)],
        kinds=sorted({*CATALOGUE, *(each.kind for each in overview.busy), *filter(None, [wanted.kind])}),
        codes=sorted({*FAILURES, *filter(None, [wanted.code])}),
        next=cursor(Place(id=rows[ROWS - 1].id)) if len(rows) > ROWS else None,
    )
    return visit.page("tasks.html", view)


async def _rows(unit: Unit, wanted: Wanted, place: Place | None) -> list[TaskLine]:
    """A screenful, and one row more when there is a next one."""
    return await tasks(
        unit,
        status=wanted.status,
        kind=wanted.kind or None,
        code=wanted.code or None,
        account_id=wanted.account_id,
        before=place.id if place else None,
        limit=ROWS + 1,
    )


async def _overview(unit: Unit) -> Overview:
    members = await fleet(unit)
    known = kinds_alive(members)
    at_work = await open_kinds(unit)
    counts = await kind_counts(unit, sorted(at_work.union(known, CATALOGUE)))
    return Overview(
        busy=[each for each in counts if not each.is_idle],
        idle=[each.kind for each in counts if each.is_idle],
        totals=totals(counts),
        verdicts=[each for each in verdicts(members, RELEASE) if each.tone != "good"],
        unknown=sorted(at_work - known) if known else [],
    )


def _status(text: str) -> TaskStatus | None:
    if not text:
        return None
    if text not in STATUSES:
        raise Invalid("There is no such status; choose one of the list.", field="status")
    return text


ROUTES = (listed,)
