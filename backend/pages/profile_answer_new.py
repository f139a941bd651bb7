"""A remembered answer written by hand, before any form has asked for it."""

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from backend.http.flash import Undo
from backend.http.forms import Form, read_form
from backend.http.visits import Html, Visit
from backend.pages.profile_answers import HERE, SCOPES, back_to
from extension_api.protocol import MAX_ANSWER_CHARS
from extension_api.remembered.rules import (
    MAX_COMPANY_CHARS,
    MAX_QUESTION_CHARS,
    AnswerNotKept,
    TooManyAnswers,
    asked_by_hand,
    company_of,
    given_of,
    question_of,
)
from extension_api.remembered.store import remember


class NewAnswerView(msgspec.Struct, frozen=True, kw_only=True):
    form: Form
    longest: int = MAX_ANSWER_CHARS
    longest_name: int = MAX_COMPANY_CHARS
    longest_question: int = MAX_QUESTION_CHARS


@get(HERE + "/new", include_in_schema=False)
async def show(visit: NamedDependency[Visit]) -> Html:
    return visit.page("profile_answer_new.html", NewAnswerView(form=Form.of(scope="everywhere")))


@post(HERE + "/new", include_in_schema=False)
async def make(visit: NamedDependency[Visit]) -> Html | Redirect:
    form = await read_form(visit.request)
    asked = form.text("question", "Question", limit=MAX_QUESTION_CHARS)
    text = form.text("given", "Answer", limit=MAX_ANSWER_CHARS)
    scope = form.choice("scope", "Where it holds", SCOPES)
    company = form.text("company", "Employer", limit=MAX_COMPANY_CHARS, required=scope == "employer")
    if form.ok and scope == "employer" and company_of(company)[0] is None:
        form.refuse("company", "Write the employer's name.")
    if not form.ok:
        return visit.page("profile_answer_new.html", NewAnswerView(form=form), status=400)
    return await _kept(visit, form, asked, text, company if scope == "employer" else None)


async def _kept(visit: Visit, form: Form, asked: str, text: str, company: str | None) -> Html | Redirect:
    try:
        question = question_of(asked_by_hand(asked, text))
        given = given_of([text], question.kind)
        async with visit.unit() as unit:
            kept = await remember(
                unit, question, given, company=company, origin="person", now=visit.clock.now()
            )
    except (AnswerNotKept, TooManyAnswers) as refusal:
        form.refuse("given" if refusal.field == "given" else "question", refusal.detail)
        return visit.page("profile_answer_new.html", NewAnswerView(form=form), status=400)
    if kept.revision > 1:
        said = "There was an answer to this question already; it reads so now."
        return visit.leave(HERE, said, undo=back_to(kept, kept.revision - 1))
    undo = Undo(action=f"{HERE}/{kept.id}/delete", fields={"revision": str(kept.revision)})
    return visit.leave(HERE, "The answer is remembered.", undo=undo)


ROUTES = (show, make)
