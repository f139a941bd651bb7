"""Waiting messages by their pattern of evidence as JSON: looked at by a sample, answered as one act."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_409_CONFLICT
from msgspec import Meta

from backend.api.resolutions import TAGS, StaleProblem, conflicts, stale_problem
from backend.http.problems import MEDIA_TYPE
from backend.http.visits import Person
from matcher.resolutions.bulk.answering import answer_all
from matcher.resolutions.bulk.store import bulk, patterns
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Bulk, BulkChoice, BulkDone, PatternLine
from schema.errors import Missing
from schema.text import clean


class AllGiven(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`version` is the mark over what was looked at: a changed set has another."""

    choice: BulkChoice
    version: Annotated[str, Meta(max_length=64)]


@get("/api/resolutions/patterns", operation_id="resolution_patterns", tags=TAGS)
async def every(person: NamedDependency[Person]) -> list[PatternLine]:
    """Every pattern of evidence under which messages wait, the one with most of them first."""
    async with person.unit() as unit:
        return await patterns(unit)


@get(
    "/api/resolutions/patterns/{pattern:str}",
    operation_id="resolution_pattern",
    tags=TAGS,
    opt={"refusals": [Missing]},
)
async def one(person: NamedDependency[Person], pattern: FromPath[str]) -> Bulk:
    """All messages that wait with one pattern: a sample, the measured confirm rate, and what each answer
    would touch."""
    async with person.unit() as unit:
        return await bulk(unit, clean(pattern))


@post(
    "/api/resolutions/patterns/{pattern:str}",
    operation_id="answer_resolution_pattern",
    tags=TAGS,
    status_code=200,
    opt={"refusals": [ChoiceNotEligible, StaleState]},
    responses=conflicts(ChoiceNotEligible.code, StaleState.code),
)
async def answer(
    person: NamedDependency[Person], pattern: FromPath[str], data: JSONBody[AllGiven]
) -> Response[BulkDone | StaleProblem]:
    """Say the same of all of them as one act, which its line of the history takes back."""
    try:
        async with person.unit() as unit:
            done = await answer_all(
                unit, clean(pattern), data.choice, version=data.version, now=person.clock.now()
            )
    except StaleState as stale:
        return Response(stale_problem(stale), status_code=HTTP_409_CONFLICT, media_type=MEDIA_TYPE)
    return Response(done)


ROUTES = (every, one, answer)
