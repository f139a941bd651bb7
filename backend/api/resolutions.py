"""What waits for a person, and their answers, as JSON.

An answer to a superseded version is refused with 409 `stale_state`; the problem carries how it stands now,
and nothing was changed.
"""

from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_409_CONFLICT
from msgspec import Meta

from backend.http.forms import ID_MAX
from backend.http.paging import cursor, key_of
from backend.http.problems import MEDIA_TYPE, Problem, of_refusal
from backend.http.visits import Person
from matcher.acts.store import UndoneAlready
from matcher.merging import CannotMerge
from matcher.resolutions.answering import resolve
from matcher.resolutions.history.store import history
from matcher.resolutions.history.undoing import undo_entry
from matcher.resolutions.items import item, items
from matcher.resolutions.queue.store import waiting
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.types import (
    Answer,
    Bulk,
    Count,
    EntryId,
    HistoryEntry,
    HistoryPlace,
    Item,
    ItemId,
    NewFromMessage,
    Place,
    Resolved,
    Verb,
    WaitingKind,
)
from schema.errors import Missing
from schema.ids import ApplicationId, MessageId
from schema.text import clean

TAGS = ["resolutions"]
NAME_MAX = 300
MESSAGES_MAX = 1_000

Limit = Annotated[int, QueryParameter(ge=1, le=20)]
HistoryLimit = Annotated[int, QueryParameter(ge=1, le=200)]
After = Annotated[str | None, QueryParameter(max_length=500)]
Id = Annotated[int, Meta(ge=1, le=ID_MAX)]
Name = Annotated[str, Meta(max_length=NAME_MAX)]
Version = Annotated[str, Meta(max_length=64)]


class Questions(msgspec.Struct, frozen=True, kw_only=True):
    """`counts` are of the whole queue by kind and rank; `total` is their sum."""

    items: list[Item]
    next: str | None
    total: int
    counts: list[Count]


class Given(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`version` is that of the item looked at. `target` is for `confirm`, `reject`, `assign` and `merge`,
    `messages` for `split`, `company` and `role` for `create_application` and `split`."""

    choice: Verb
    version: Version
    target: Id | None = None
    messages: Annotated[list[Id], Meta(max_length=MESSAGES_MAX)] = []
    company: Name | None = None
    role: Name | None = None


class Undo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`version` is that of the line of the history looked at."""

    version: Version


class History(msgspec.Struct, frozen=True, kw_only=True):
    entries: list[HistoryEntry]
    next: str | None


class StaleProblem(Problem, frozen=True, kw_only=True, omit_defaults=True):
    """With the code `stale_state`: how the item, the line of the history or the pattern stands now."""

    item: Item | None = None
    entry: HistoryEntry | None = None
    bulk: Bulk | None = None


def conflicts(*codes: str) -> dict[int, ResponseSpec]:
    """The one 409 of an operation, as OpenAPI declares it."""
    return {
        HTTP_409_CONFLICT: ResponseSpec(
            data_container=StaleProblem,
            description=", ".join(sorted(codes)),
            media_type=MEDIA_TYPE,
            generate_examples=False,
        )
    }


@get("/api/resolutions", operation_id="resolutions", tags=TAGS)
async def questions(
    person: NamedDependency[Person],
    after: After = None,
    kind: FromQuery[WaitingKind | None] = None,
    limit: Limit = 10,
) -> Questions:
    """What waits for an answer: first what would move an application, and within that the newest."""
    place = key_of(after, Place)
    async with person.unit() as unit:
        page = await waiting(unit, after=place, limit=limit, kind=kind)
        found = await items(unit, [line.id for line in page.lines])
    return Questions(
        items=found,
        next=cursor(page.next) if page.next else None,
        total=page.total,
        counts=page.counts,
    )


@get("/api/resolutions/history", operation_id="resolution_history", tags=TAGS)
async def decided(
    person: NamedDependency[Person],
    after: After = None,
    by: FromQuery[Literal["person", "anybody"]] = "person",
    limit: HistoryLimit = 50,
) -> History:
    """What was decided, the latest first. `anybody` adds what the machine attached on its evidence."""
    place = key_of(after, HistoryPlace)
    async with person.unit() as unit:
        page = await history(unit, after=place, limit=limit, automatic=by == "anybody")
    return History(entries=page.entries, next=cursor(page.next) if page.next else None)


@post(
    "/api/resolutions/history/{entry_id:str}",
    operation_id="undo_resolution",
    tags=TAGS,
    status_code=200,
    opt={"refusals": [Missing, ChoiceNotEligible, StaleState, CannotMerge, UndoneAlready]},
    responses=conflicts(ChoiceNotEligible.code, StaleState.code, CannotMerge.code, UndoneAlready.code),
)
async def undo(
    person: NamedDependency[Person], entry_id: FromPath[str], data: JSONBody[Undo]
) -> Response[Resolved | StaleProblem]:
    """Take one decision or act back: what it replaced stands again."""
    try:
        async with person.unit() as unit:
            done = await undo_entry(unit, EntryId(entry_id), version=data.version, now=person.clock.now())
    except StaleState as stale:
        return stale_answer(stale)
    return Response(done)


@get("/api/resolutions/{item_id:str}", operation_id="resolution", tags=TAGS, opt={"refusals": [Missing]})
async def question(person: NamedDependency[Person], item_id: FromPath[str]) -> Item:
    """One item, whether it waits or not: `message:12`, `status:3`, `ask:4`, `pair:3-5` or `application:3`."""
    async with person.unit() as unit:
        return await item(unit, ItemId(item_id))


@post(
    "/api/resolutions/{item_id:str}",
    operation_id="answer_resolution",
    tags=TAGS,
    status_code=200,
    opt={"refusals": [Missing, TargetRequired, ChoiceNotEligible, StaleState, CannotMerge, UndoneAlready]},
    responses=conflicts(ChoiceNotEligible.code, StaleState.code, CannotMerge.code, UndoneAlready.code),
)
async def answer(
    person: NamedDependency[Person], item_id: FromPath[str], data: JSONBody[Given]
) -> Response[Resolved | StaleProblem]:
    """Give one of the answers the item offers, or take the last one back."""
    try:
        async with person.unit() as unit:
            done = await resolve(unit, ItemId(item_id), _answer(data), now=person.clock.now())
    except StaleState as stale:
        return stale_answer(stale)
    return Response(done)


def stale_answer(stale: StaleState) -> Response[Resolved | StaleProblem]:
    return Response(stale_problem(stale), status_code=HTTP_409_CONFLICT, media_type=MEDIA_TYPE)


def stale_problem(stale: StaleState) -> StaleProblem:
    problem = of_refusal(stale)
    return StaleProblem(
        **msgspec.structs.asdict(problem), item=stale.item, entry=stale.entry, bulk=stale.bulk
    )


def _answer(given: Given) -> Answer:
    return Answer(
        choice=given.choice,
        version=given.version,
        target=ApplicationId(given.target) if given.target else None,
        messages=tuple(MessageId(each) for each in given.messages),
        new=NewFromMessage(company=_name(given.company), role=_name(given.role)),
    )


def _name(text: str | None) -> str | None:
    return clean(text).strip() or None if text else None


ROUTES = (questions, decided, undo, question, answer)
