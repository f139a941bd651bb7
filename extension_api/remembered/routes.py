"""`/answers`: what the person had remembered, read in pages, kept, corrected and taken away."""

from datetime import datetime
from typing import Annotated

from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from extension_api.fills.rules import NoWebAddress, page_address
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.protocol import Answer, Answers, EditAnswer, Remember
from extension_api.remembered import store
from extension_api.remembered.employers import employers_at
from extension_api.remembered.places import place_of, told
from extension_api.remembered.rules import (
    AnswerExists,
    AnswerNotKept,
    EmployerUnknown,
    StaleAnswer,
    TooManyAnswers,
    company_of,
    given_of,
    question_of,
)
from extension_api.remembered.types import Remembered
from schema.db import Database, Unit
from schema.errors import Invalid, Missing, Unavailable
from schema.ids import AnswerId
from schema.text import clean

_ID_MAX = 2**63 - 1
_REVISION_MAX = 2**31 - 2


@get(
    "/answers",
    opt={"refusals": [Invalid, *GUARDED, Unavailable]},
    operation_id="extension_answers",
)
async def read_answers(
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    find: Annotated[str, QueryParameter(max_length=200)] = "",
    after: Annotated[str, QueryParameter(max_length=200)] = "",
) -> Answers:
    """What is remembered, the latest first, fifty at a time; `find` are words that have to occur."""
    async with database.as_account(device.account_id) as unit:
        listed = await store.answers_page(unit, find=clean(find), after=place_of(after), limit=store.PAGE)
    return Answers(
        answers=[_told(answer) for answer in listed.answers], next=told(listed.next) if listed.next else None
    )


@post(
    "/answers",
    status_code=200,
    opt={
        "refusals": [AnswerNotKept, EmployerUnknown, NoWebAddress, TooManyAnswers, *GUARDED, Unavailable],
    },
    operation_id="extension_remember",
)
async def remember_answer(
    data: JSONBody[Remember],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> Answer:
    """Keep an answer; one to the same question for the same employer is changed to it. Safe to repeat."""
    question = question_of(data.field)
    given = given_of(data.given, question.kind)
    async with database.as_account(device.account_id) as unit:
        company = await _employer(unit, data) if data.scope == "employer" else None
        kept = await store.remember(
            unit, question, given, company=company, origin="form", fill_id=data.fill_id, now=now
        )
    return _told(kept)


@put(
    "/answers/{answer_id:int}",
    opt={
        "refusals": [
            AnswerNotKept,
            EmployerUnknown,
            StaleAnswer,
            AnswerExists,
            Missing,
            *GUARDED,
            Unavailable,
        ],
    },
    operation_id="extension_edit_answer",
)
async def edit_answer(
    answer_id: FromPath[int],
    data: JSONBody[EditAnswer],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> Answer:
    """Change an answer after the revision that was edited; a newer one refuses it.

    Scope `employer` without a name keeps the employer it has.
    """
    async with database.as_account(device.account_id) as unit:
        before = await store.answer_of(unit, _id(answer_id))
        changed = await store.edit_answer(
            unit,
            before.id,
            revision=data.revision,
            given=given_of(data.given, before.kind),
            company=_company(data, before),
            now=now,
        )
    return _told(changed)


@delete(
    "/answers/{answer_id:int}",
    status_code=204,
    opt={"refusals": [StaleAnswer, Missing, *GUARDED, Unavailable]},
    operation_id="extension_forget_answer",
)
async def forget_answer(
    answer_id: FromPath[int],
    revision: Annotated[int, QueryParameter(ge=1, le=_REVISION_MAX)],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> None:
    """Take an answer out of use; the person's page can bring it back."""
    async with database.as_account(device.account_id) as unit:
        await store.forget_answer(unit, _id(answer_id), revision=revision, now=now)


def _id(number: int) -> AnswerId:
    if not 0 < number <= _ID_MAX:
        raise Missing
    return AnswerId(number)


async def _employer(unit: Unit, data: Remember) -> str:
    names = await employers_at(unit, page_address(data.url), data.page_title)
    found = next((name for name in names if company_of(name)[0]), None)
    if found is None:
        raise EmployerUnknown(field="scope")
    return found


def _company(data: EditAnswer, before: Remembered) -> str | None:
    if data.scope == "everywhere":
        return None
    name = data.company or before.company
    if company_of(name)[0] is None:
        raise EmployerUnknown(field="company")
    return name


def _told(answer: Remembered) -> Answer:
    return Answer(
        id=answer.id,
        revision=answer.revision,
        question=answer.question,
        options=answer.options,
        given=answer.given,
        company=answer.company,
        uses=answer.uses,
        used_at=answer.used_at,
        updated_at=answer.updated_at,
    )
