"""Remembered answers and their revisions, and the only writer of both.

Every change holds the account's answers, so that two of them never meet in one key; each state an answer had
is kept and can come back. Taking an answer away keeps it too, out of use.
"""

from collections.abc import Collection
from datetime import datetime

import msgspec

from extension_api.remembered.rules import (
    MAX_ANSWERS,
    AnswerExists,
    Question,
    StaleAnswer,
    TooManyAnswers,
    company_of,
)
from extension_api.remembered.types import Origin, Place, Remembered
from schema.db import Unit
from schema.ids import AnswerId, FillId
from schema.live import announce
from schema.query import Query, Statement

PAGE = 50

_COLUMNS = (
    "id, revision, question, question_key, kind, options, options_key, company, company_key, given, uses,"
    " used_at, updated_at"
)


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True):
    """Equal only for the same answers in the same revisions and the same words."""

    answers: int
    digest: str


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    answers: list[Remembered]
    next: Place | None


class _Held(msgspec.Struct, frozen=True, kw_only=True):
    answers: int


class _Revision(msgspec.Struct, frozen=True, kw_only=True):
    given: list[str]
    company: str | None


HOLD = Query(
    "answers.hold",
    _Held,
    """SELECT
         count(pg_advisory_xact_lock(hashtextextended('answers', jobtrail_account())))::int AS answers""",
)
COUNT = Query("answers.count", _Held, "SELECT count(*)::int AS answers FROM answers WHERE deleted_at IS NULL")
ALL = Query(
    "answers.all",
    Remembered,
    f"SELECT {_COLUMNS} FROM answers WHERE deleted_at IS NULL ORDER BY id",  # noqa: S608
)
FINGERPRINT = Query(
    "answers.fingerprint",
    Fingerprint,
    """SELECT count(*)::int AS answers,
         coalesce(sum(hashtextextended(concat_ws('|', id, revision, question_key, kind, options_key,
           company_key, array_to_string(given, '|')), 0)), 0)::text AS digest
       FROM answers WHERE deleted_at IS NULL""",
)
PAGE_OF = Query(
    "answers.page",
    Remembered,
    f"""SELECT {_COLUMNS} FROM answers
       WHERE deleted_at IS NULL
         AND (%(id)s::bigint IS NULL
              OR (updated_at, id) < (%(updated_at)s::timestamptz, %(id)s::bigint))
         AND NOT EXISTS (SELECT FROM unnest(%(words)s::text[]) w (word)
           WHERE position(w.word IN lower(concat_ws(' ', question, company,
             array_to_string(given, ' ')))) = 0)
       ORDER BY updated_at DESC, id DESC LIMIT %(limit)s""",  # noqa: S608
)
ONE = Query(
    "answers.one",
    Remembered,
    f"SELECT {_COLUMNS} FROM answers WHERE id = %(id)s AND deleted_at IS NULL",  # noqa: S608
)
ALIKE = Query(
    "answers.alike",
    Remembered,
    f"""SELECT {_COLUMNS} FROM answers
       WHERE question_key = %(question_key)s AND kind = %(kind)s AND options_key = %(options_key)s
         AND company_key = %(company_key)s AND deleted_at IS NULL""",  # noqa: S608
)
ADD = Query(
    "answers.add",
    Remembered,
    f"""INSERT INTO answers (question, question_key, kind, options, options_key, company, company_key, given,
         origin, fill_id, created_at, updated_at)
       VALUES (%(question)s, %(question_key)s, %(kind)s, %(options)s::text[], %(options_key)s, %(company)s,
         %(company_key)s, %(given)s::text[], %(origin)s,
         (SELECT id FROM fills WHERE id = %(fill_id)s::bigint), %(now)s, %(now)s)
       RETURNING {_COLUMNS}""",  # noqa: S608
)
CHANGE = Query(
    "answers.change",
    Remembered,
    f"""UPDATE answers SET given = %(given)s::text[], company = %(company)s, company_key = %(company_key)s,
         revision = revision + 1, updated_at = %(now)s
       WHERE id = %(id)s AND revision = %(revision)s AND deleted_at IS NULL RETURNING {_COLUMNS}""",  # noqa: S608
)
TAKE_AWAY = Query(
    "answers.take_away",
    Remembered,
    f"""UPDATE answers SET deleted_at = %(now)s
       WHERE id = %(id)s AND revision = %(revision)s AND deleted_at IS NULL RETURNING {_COLUMNS}""",  # noqa: S608
)
TAKEN_AWAY = Query(
    "answers.taken_away",
    Remembered,
    f"SELECT {_COLUMNS} FROM answers WHERE id = %(id)s AND deleted_at IS NOT NULL",  # noqa: S608
)
BRING_BACK = Query(
    "answers.bring_back",
    Remembered,
    f"""UPDATE answers SET deleted_at = NULL, updated_at = %(now)s WHERE id = %(id)s RETURNING {_COLUMNS}""",  # noqa: S608
)
KEEP_REVISION = Statement(
    "answers.keep_revision",
    """INSERT INTO answer_revisions (answer_id, revision, given, company, created_at)
       VALUES (%(id)s, %(revision)s, %(given)s::text[], %(company)s, %(now)s)""",
)
AT_REVISION = Query(
    "answers.at_revision",
    _Revision,
    "SELECT given, company FROM answer_revisions WHERE answer_id = %(id)s AND revision = %(revision)s",
)
USED = Statement(
    "answers.used",
    "UPDATE answers SET uses = uses + 1, used_at = %(now)s WHERE id = ANY(%(ids)s::bigint[])",
)


async def all_answers(unit: Unit) -> list[Remembered]:
    """Everything remembered, the oldest first."""
    return await unit.all(ALL)


async def fingerprint(unit: Unit) -> Fingerprint:
    """What tells one state of all answers from another."""
    return await unit.one(FINGERPRINT)


async def answers_page(unit: Unit, *, find: str, after: Place | None, limit: int) -> Listed:
    """The answers that hold every word of `find` in question, answer or employer; the latest first."""
    rows = await unit.all(
        PAGE_OF,
        words=find.lower().split()[:20],
        updated_at=after and after.updated_at,
        id=after and after.id,
        limit=limit + 1,
    )
    last = rows[limit - 1] if len(rows) > limit else None
    return Listed(answers=rows[:limit], next=last and Place(updated_at=last.updated_at, id=last.id))


async def answer_of(unit: Unit, answer_id: AnswerId) -> Remembered:
    """Raises `Missing` for one that was taken away or is not the account's."""
    return await unit.one(ONE, id=answer_id)


async def remember(
    unit: Unit,
    question: Question,
    given: list[str],
    *,
    company: str | None,
    origin: Origin,
    fill_id: FillId | None = None,
    now: datetime,
) -> Remembered:
    """Keep an answer; another one to the same question for the same employer is changed to it.

    Safe to repeat. Raises `TooManyAnswers`.
    """
    await unit.one(HOLD)
    shown, company_key = company_of(company)
    before = await _alike(unit, question, company_key)
    if before is not None:
        same = before.given == given
        return before if same else await _changed(unit, before, given, shown, company_key, now)
    if (await unit.one(COUNT)).answers >= MAX_ANSWERS:
        raise TooManyAnswers
    added = await unit.one(
        ADD,
        question=question.question,
        question_key=question.question_key,
        kind=question.kind,
        options=question.options,
        options_key=question.options_key,
        company=shown,
        company_key=company_key,
        given=given,
        origin=origin,
        fill_id=fill_id,
        now=now,
    )
    return await _kept(unit, added, now)


async def edit_answer(
    unit: Unit,
    answer_id: AnswerId,
    *,
    revision: int,
    given: list[str],
    company: str | None,
    now: datetime,
) -> Remembered:
    """Change what was edited at `revision`. Raises `Missing`, `StaleAnswer` and `AnswerExists`."""
    await unit.one(HOLD)
    before = await answer_of(unit, answer_id)
    if before.revision != revision:
        raise StaleAnswer
    shown, company_key = company_of(company)
    if company_key != before.company_key and await _alike(unit, _question(before), company_key):
        raise AnswerExists
    if (before.given, before.company) == (given, shown):
        return before
    return await _changed(unit, before, given, shown, company_key, now)


async def revert_answer(
    unit: Unit, answer_id: AnswerId, *, revision: int, to_revision: int, now: datetime
) -> Remembered:
    """Go back to an earlier state, as one more revision. Raises as `edit_answer` does."""
    older = await unit.one(AT_REVISION, id=answer_id, revision=to_revision)
    return await edit_answer(
        unit, answer_id, revision=revision, given=older.given, company=older.company, now=now
    )


async def forget_answer(unit: Unit, answer_id: AnswerId, *, revision: int, now: datetime) -> Remembered:
    """Take an answer out of use. Raises `Missing` and `StaleAnswer`."""
    await unit.one(HOLD)
    taken = await unit.maybe(TAKE_AWAY, id=answer_id, revision=revision, now=now)
    if taken is None:
        await answer_of(unit, answer_id)
        raise StaleAnswer
    announce(unit, "profile")
    return taken


async def bring_back_answer(unit: Unit, answer_id: AnswerId, *, now: datetime) -> Remembered:
    """Undo `forget_answer`. Raises `AnswerExists` when the question was answered anew meanwhile."""
    await unit.one(HOLD)
    taken = await unit.one(TAKEN_AWAY, id=answer_id)
    if await _alike(unit, _question(taken), taken.company_key):
        raise AnswerExists
    announce(unit, "profile")
    return await unit.one(BRING_BACK, id=answer_id, now=now)


async def count_uses(unit: Unit, answer_ids: Collection[AnswerId], now: datetime) -> None:
    """These went into a form."""
    if answer_ids:
        await unit.run(USED, ids=sorted(answer_ids), now=now)


async def _alike(unit: Unit, question: Question, company_key: str) -> Remembered | None:
    return await unit.maybe(
        ALIKE,
        question_key=question.question_key,
        kind=question.kind,
        options_key=question.options_key,
        company_key=company_key,
    )


def _question(answer: Remembered) -> Question:
    return Question(
        question=answer.question,
        question_key=answer.question_key,
        kind=answer.kind,
        options=answer.options,
        options_key=answer.options_key,
    )


async def _changed(
    unit: Unit, before: Remembered, given: list[str], company: str | None, company_key: str, now: datetime
) -> Remembered:
    changed = await unit.one(
        CHANGE,
        id=before.id,
        revision=before.revision,
        given=given,
        company=company,
        company_key=company_key,
        now=now,
    )
    return await _kept(unit, changed, now)


async def _kept(unit: Unit, answer: Remembered, now: datetime) -> Remembered:
    await unit.run(
        KEEP_REVISION,
        id=answer.id,
        revision=answer.revision,
        given=answer.given,
        company=answer.company,
        now=now,
    )
    announce(unit, "profile")
    return answer
