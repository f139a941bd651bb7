"""One task: how it stands, what happened to it, who asked for it again, and what an operator can do."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Literal

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from backend.http.forms import ID_MAX, Form, read_form
from backend.http.visits import Html, Visit
from backend.operations import rules
from backend.operations.archived import ArchivedTask, read_archived
from pipeline.worker.operations.archive import archive
from pipeline.worker.operations.cancel import cancel
from pipeline.worker.operations.refusals import TaskRefused
from pipeline.worker.operations.replay import replay
from pipeline.worker.operations.rules import REASON_MAX
from pipeline.worker.operations.views.store import (
    Event,
    LineageMember,
    Task,
    TaskLine,
    archived,
    children,
    events,
    lineage,
    task,
)
from schema.db import Unit
from schema.errors import Missing
from schema.ids import TaskId
from schema.queue import CLICKED, ORDINARY
from schema.tasks import CATALOGUE

CHILDREN_SHOWN = 20

Verb = Literal["replay", "cancel", "archive"]


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Why an act was not done, and the task that stands in the way."""

    detail: str
    blocking_id: TaskId | None


class TaskView(rules.TaskLooks, frozen=True, kw_only=True):
    task: Task
    does: str | None
    why_failed: str
    works_on: list[str]
    urgency: str
    lineage: list[LineageMember]
    events: list[Event]
    children: list[TaskLine]
    form: Form
    refused: Refused | None
    reason_max: int = REASON_MAX

    @property
    def is_held(self) -> bool:
        """Whether its worker still renews its claim: alive, even if nothing moves."""
        return self.task.lease_expires_at is not None and self.task.lease_expires_at > self.now

    @property
    def may(self) -> list[Verb]:
        """What can be done with a task that stands like this."""
        if self.task.status not in rules.ENDED:
            return ["cancel"]
        is_last = self.task.replayed_by_id is None
        return (
            ["replay", "archive"] if self.task.status == "failed" and is_last and self.does else ["archive"]
        )


class ArchivedView(msgspec.Struct, frozen=True, kw_only=True):
    task: ArchivedTask
    why_failed: str
    works_on: list[str]


@get("/operations/tasks/{task_id:int}", include_in_schema=False)
async def shown(visit: NamedDependency[Visit], task_id: FromPath[int]) -> Html:
    visit.require_operations()
    return await _page(visit, _id(task_id), Form.of())


async def _page(
    visit: Visit, task_id: TaskId, form: Form, refused: Refused | None = None, *, status: int = 200
) -> Html:
    async with visit.database.as_fleet() as unit:
        found = await task(unit, task_id)
        if found is None:
            return visit.page("task_archived.html", await _archived(unit, task_id), status=status)
        view = await _view(unit, found, visit.clock.now(), form, refused)
    return visit.page("task.html", view, status=status)


async def _view(unit: Unit, found: Task, now: datetime, form: Form, refused: Refused | None) -> TaskView:
    return TaskView(
        now=now,
        task=found,
        does=rules.what_it_does(found.kind),
        why_failed=rules.why_failed(found.word or ""),
        works_on=rules.works_on(found.payload),
        urgency=urgency(found.priority),
        lineage=await lineage(unit, found.id),
        events=await events(unit, found.id),
        children=await children(unit, found.id, limit=CHILDREN_SHOWN) if found.children else [],
        form=form,
        refused=refused,
    )


async def _archived(unit: Unit, task_id: TaskId) -> ArchivedView:
    found = await archived(unit, task_id)
    if found is None:
        raise Missing
    read = read_archived(found)
    return ArchivedView(
        task=read,
        why_failed=rules.why_failed(read.row.failure_code or ""),
        works_on=rules.works_on(read.payload),
    )


Act = Callable[[Unit, str], Awaitable[tuple[TaskId, str]]]
"""Does it for the reason given; where to look then, and the sentence about it."""


async def _act(visit: Visit, task_id: int, act: Act) -> Html | Redirect:
    visit.require_operations()
    form = await read_form(visit.request)
    reason = form.text("reason", "The reason", limit=REASON_MAX)
    if not form.ok:
        return await _page(visit, _id(task_id), form, status=400)
    try:
        async with visit.database.as_fleet() as unit:
            there, said = await act(unit, reason)
    except TaskRefused as refusal:
        if not visit.wants_page:
            raise
        refused = Refused(detail=rules.sentence(refusal.detail), blocking_id=refusal.blocking_id)
        return await _page(visit, _id(task_id), form, refused, status=409)
    return visit.leave(f"/operations/tasks/{there}", said)


@post("/operations/tasks/{task_id:int}/replay", include_in_schema=False)
async def run_again(visit: NamedDependency[Visit], task_id: FromPath[int]) -> Html | Redirect:
    async def act(unit: Unit, reason: str) -> tuple[TaskId, str]:
        made = await replay(
            unit, _id(task_id), actor=visit.account.email, reason=reason, kinds=CATALOGUE.keys()
        )
        return made, f"Task {task_id} is run once more, as this one."

    return await _act(visit, task_id, act)


@post("/operations/tasks/{task_id:int}/cancel", include_in_schema=False)
async def call_off(visit: NamedDependency[Visit], task_id: FromPath[int]) -> Html | Redirect:
    async def act(unit: Unit, reason: str) -> tuple[TaskId, str]:
        done = await cancel(unit, _id(task_id), actor=visit.account.email, reason=reason)
        below = f", with {done.below} of its parts" if done.below else ""
        return done.task_id, f"Cancelled{below}."

    return await _act(visit, task_id, act)


@post("/operations/tasks/{task_id:int}/archive", include_in_schema=False)
async def put_away(visit: NamedDependency[Visit], task_id: FromPath[int]) -> Html | Redirect:
    async def act(unit: Unit, reason: str) -> tuple[TaskId, str]:
        done = await archive(unit, _id(task_id), actor=visit.account.email, reason=reason)
        many = f"{done.tasks} tasks" if done.tasks > 1 else "The task"
        return _id(task_id), f"{many} left the queue; the archive keeps what happened."

    return await _act(visit, task_id, act)


def urgency(priority: int) -> str:
    if priority <= CLICKED:
        return "somebody waits for it"
    return "in its turn" if priority <= ORDINARY else "when nothing else waits"


def _id(number: int) -> TaskId:
    if not 0 < number <= ID_MAX:
        raise Missing
    return TaskId(number)


ROUTES = (shown, run_again, call_off, put_away)
