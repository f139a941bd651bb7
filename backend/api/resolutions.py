"""Doubtful messages as questions, and the answers to them, as JSON.

An answer to a superseded item is refused with 409 `stale_state`; the problem carries the fresh item, and
nothing was changed.
"""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_409_CONFLICT
from msgspec import Meta

from backend.http.forms import ID_MAX
from backend.http.paging import cursor, key_of
from backend.http.problems import MEDIA_TYPE, Problem, of_refusal
from backend.http.visits import Person
from matcher.resolutions.answering import resolve
from matcher.resolutions.former import HistoryEntry, Item, NewFromMessage, Place, Resolved
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.store import history, item, waiting
from schema.errors import Missing
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.text import clean
from schema.vocabulary import Choice

TAGS = ["resolutions"]
NAME_MAX = 300

Limit = Annotated[int, QueryParameter(ge=1, le=20)]
HistoryLimit = Annotated[int, QueryParameter(ge=1, le=200)]
Id = Annotated[int, Meta(ge=1, le=ID_MAX)]
Name = Annotated[str, Meta(max_length=NAME_MAX)]


class Questions(msgspec.Struct, frozen=True, kw_only=True):
    """`total` counts the whole queue, `changing` those whose answer would move an application."""

    items: list[Item]
    next: str | None
    total: int
    changing: int


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`version` is that of the item looked at. `company` and `role` are for `create_application`."""

    choice: Choice
    version: Annotated[int, Meta(ge=0, le=ID_MAX)]
    target: Id | None = None
    company: Name | None = None
    role: Name | None = None


class StaleProblem(Problem, frozen=True, kw_only=True, omit_defaults=True):
    """`item` is how the message stands now; only with the code `stale_state`."""

    item: Item | None = None


@get("/api/resolutions", operation_id="resolutions", tags=TAGS)
async def questions(
    person: NamedDependency[Person],
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
    limit: Limit = 10,
) -> Questions:
    """What waits for an answer: first what would move an application, and within that the newest."""
    place = key_of(after, Place)
    async with person.unit() as unit:
        page = await waiting(unit, after=place, limit=limit)
        items = [await item(unit, line.message_id) for line in page.items]
    return Questions(
        items=items,
        next=cursor(page.next) if page.next else None,
        total=page.total,
        changing=page.changing,
    )


@get("/api/resolutions/history", operation_id="resolution_history", tags=TAGS)
async def decided(
    person: NamedDependency[Person],
    before: Annotated[int | None, QueryParameter(ge=1, le=ID_MAX)] = None,
    limit: HistoryLimit = 50,
) -> list[HistoryEntry]:
    """What the person decided, the latest first; goes on before the last entry's `decision_id`."""
    async with person.unit() as unit:
        return await history(unit, before=DecisionId(before) if before else None, limit=limit)


@get("/api/resolutions/{message_id:int}", operation_id="resolution", tags=TAGS, opt={"refusals": [Missing]})
async def question(person: NamedDependency[Person], message_id: FromPath[int]) -> Item:
    """One message as a question, whatever was decided about it."""
    async with person.unit() as unit:
        return await item(unit, MessageId(message_id))


@post(
    "/api/resolutions/{message_id:int}",
    operation_id="answer_resolution",
    tags=TAGS,
    status_code=200,
    opt={"refusals": [Missing, TargetRequired, ChoiceNotEligible, StaleState]},
    responses={
        HTTP_409_CONFLICT: ResponseSpec(
            data_container=StaleProblem,
            description=f"{ChoiceNotEligible.code}, {StaleState.code}",
            media_type=MEDIA_TYPE,
            generate_examples=False,
        )
    },
)
async def answer(
    person: NamedDependency[Person], message_id: FromPath[int], data: JSONBody[Answer]
) -> Response[Resolved | StaleProblem]:
    """Confirm, reject, assign, create an application, say what it is not, or undo."""
    try:
        async with person.unit() as unit:
            done = await resolve(
                unit,
                MessageId(message_id),
                version=DecisionId(data.version),
                choice=data.choice,
                target=ApplicationId(data.target) if data.target else None,
                new=NewFromMessage(company=_name(data.company), role=_name(data.role)),
                now=person.clock.now(),
            )
    except StaleState as stale:
        return Response(stale_problem(stale), status_code=HTTP_409_CONFLICT, media_type=MEDIA_TYPE)
    return Response(done)


def stale_problem(stale: StaleState) -> StaleProblem:
    problem = of_refusal(stale)
    return StaleProblem(**msgspec.structs.asdict(problem), item=stale.item)


def _name(text: str | None) -> str | None:
    return clean(text).strip() or None if text else None


ROUTES = (questions, decided, question, answer)
