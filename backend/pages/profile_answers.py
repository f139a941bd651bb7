"""Remembered answers: found, corrected, taken away, and the way back from each."""

from typing import Annotated
from urllib.parse import quote

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.paging import cursor, key_of
from backend.http.visits import Html, Visit
from extension_api.protocol import MAX_ANSWER_CHARS
from extension_api.remembered.rules import (
    MAX_COMPANY_CHARS,
    AnswerExists,
    AnswerNotKept,
    StaleAnswer,
    company_of,
    given_of,
)
from extension_api.remembered.store import (
    PAGE,
    answer_of,
    answers_page,
    bring_back_answer,
    edit_answer,
    forget_answer,
    revert_answer,
)
from extension_api.remembered.types import Place, Remembered
from schema.errors import Missing
from schema.ids import AnswerId
from schema.text import clean

HERE = "/profile/answers"
REVISION_MAX = 2**31 - 2
_ID_MAX = 2**63 - 1
SCOPES = ("everywhere", "employer")


class AnswersView(msgspec.Struct, frozen=True, kw_only=True):
    answers: list[Remembered]
    find: str
    next: str | None

    @property
    def query(self) -> str:
        """What stands in the address besides the place, for the next page."""
        return f"find={quote(self.find, safe='')}&" if self.find else ""


class AnswerView(msgspec.Struct, frozen=True, kw_only=True):
    """`is_stale`: the answer was changed elsewhere meanwhile; the form holds what was typed here."""

    answer: Remembered
    form: Form
    is_stale: bool = False
    longest: int = MAX_ANSWER_CHARS
    longest_name: int = MAX_COMPANY_CHARS

    @property
    def offered(self) -> list[tuple[str, str]]:
        """The options of a question that takes one, with the answer it has."""
        if self.answer.kind != "choice" or not self.answer.options:
            return []
        return [(text, text) for text in dict.fromkeys([*self.answer.options, *self.answer.given])]


@get(HERE, include_in_schema=False)
async def show(
    visit: NamedDependency[Visit],
    find: Annotated[str, QueryParameter(max_length=200)] = "",
    after: Annotated[str | None, QueryParameter(max_length=500)] = None,
) -> Html:
    words = clean(find).strip()
    async with visit.unit() as unit:
        listed = await answers_page(unit, find=words, after=key_of(after, Place), limit=PAGE)
    following = cursor(listed.next) if listed.next else None
    return visit.page("profile_answers.html", AnswersView(answers=listed.answers, find=words, next=following))


@get(HERE + "/{answer_id:int}", include_in_schema=False)
async def show_one(visit: NamedDependency[Visit], answer_id: FromPath[int]) -> Html:
    async with visit.unit() as unit:
        answer = await answer_of(unit, _id(answer_id))
    return visit.page("profile_answer.html", AnswerView(answer=answer, form=_form(answer)))


@post(HERE + "/{answer_id:int}", include_in_schema=False)
async def save(visit: NamedDependency[Visit], answer_id: FromPath[int]) -> Html | Redirect:
    form = await read_form(visit.request)
    revision = form.whole("revision", "Revision", high=REVISION_MAX)
    form.require_ok()
    text = form.text("given", "Answer", limit=MAX_ANSWER_CHARS)
    scope = form.choice("scope", "Where it holds", SCOPES)
    company = form.text("company", "Employer", limit=MAX_COMPANY_CHARS, required=scope == "employer")
    if form.ok and scope == "employer" and company_of(company)[0] is None:
        form.refuse("company", "Write the employer's name.")
    async with visit.unit() as unit:
        answer = await answer_of(unit, _id(answer_id))
    if not form.ok:
        return visit.page("profile_answer.html", AnswerView(answer=answer, form=form), status=400)
    return await _saved(visit, answer, form, revision, text, company if scope == "employer" else None)


async def _saved(
    visit: Visit, answer: Remembered, form: Form, revision: int, text: str, company: str | None
) -> Html | Redirect:
    try:
        given = given_of(text.splitlines() if answer.kind == "choices" else [text], answer.kind)
        async with visit.unit() as unit:
            saved = await edit_answer(
                unit, answer.id, revision=revision, given=given, company=company, now=visit.clock.now()
            )
    except (AnswerNotKept, AnswerExists) as refusal:
        form.refuse("given" if isinstance(refusal, AnswerNotKept) else "scope", refusal.detail)
        return visit.page("profile_answer.html", AnswerView(answer=answer, form=form), status=400)
    except StaleAnswer:
        return visit.page(
            "profile_answer.html", AnswerView(answer=answer, form=form, is_stale=True), status=409
        )
    if saved.revision == revision:
        return visit.leave(HERE, "Nothing had changed.")
    return visit.leave(HERE, "The answer is changed.", undo=back_to(saved, revision))


def back_to(answer: Remembered, to_revision: int) -> Undo:
    """The way back from a change, to an earlier revision of an answer."""
    fields = {"revision": str(answer.revision), "to_revision": str(to_revision)}
    return Undo(action=f"{HERE}/{answer.id}/revert", fields=fields)


@post(HERE + "/{answer_id:int}/revert", include_in_schema=False)
async def revert(visit: NamedDependency[Visit], answer_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    revision = form.whole("revision", "Revision", high=REVISION_MAX)
    to_revision = form.whole("to_revision", "Earlier revision", high=REVISION_MAX)
    form.require_ok()
    try:
        async with visit.unit() as unit:
            back = await revert_answer(
                unit, _id(answer_id), revision=revision, to_revision=to_revision, now=visit.clock.now()
            )
    except (StaleAnswer, AnswerExists) as refusal:
        return visit.leave(HERE, refusal.detail, tone="refused")
    return visit.leave(HERE, "The answer is as it was.", undo=back_to(back, revision))


@post(HERE + "/{answer_id:int}/delete", include_in_schema=False)
async def delete(visit: NamedDependency[Visit], answer_id: FromPath[int]) -> Redirect:
    form = await read_form(visit.request)
    revision = form.whole("revision", "Revision", high=REVISION_MAX)
    form.require_ok()
    try:
        async with visit.unit() as unit:
            await forget_answer(unit, _id(answer_id), revision=revision, now=visit.clock.now())
    except StaleAnswer as refusal:
        return visit.leave(HERE, refusal.detail, tone="refused")
    undo = Undo(action=f"{HERE}/{answer_id}/restore")
    return visit.leave(HERE, "The answer is remembered no more.", undo=undo)


@post(HERE + "/{answer_id:int}/restore", include_in_schema=False)
async def restore(visit: NamedDependency[Visit], answer_id: FromPath[int]) -> Redirect:
    try:
        async with visit.unit() as unit:
            await bring_back_answer(unit, _id(answer_id), now=visit.clock.now())
    except AnswerExists as refusal:
        return visit.leave(HERE, refusal.detail, tone="refused")
    return visit.leave(HERE, "The answer is back.")


def _form(answer: Remembered) -> Form:
    return Form.of(
        given="\n".join(answer.given),
        scope="employer" if answer.company else "everywhere",
        company=answer.company or "",
    )


def _id(number: int) -> AnswerId:
    if not 0 < number <= _ID_MAX:
        raise Missing
    return AnswerId(number)


ROUTES = (show, show_one, save, revert, delete, restore)
