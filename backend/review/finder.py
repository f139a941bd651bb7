"""Finding the application a message is about: the person's own by company and role, same employer first.

Reads only.
"""

from collections.abc import Iterable
from datetime import date, datetime

import msgspec

from backend.http.paging import Page, cursor
from matcher.evidence.keys import company_key
from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query
from schema.text import clean
from schema.vocabulary import Stage

WORDS_MAX = 10
ROWS = 10


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One application; `same_company` when it is at an employer the message may come from."""

    application_id: ApplicationId
    company: str | None
    role: str | None
    stage: Stage
    applied_at: datetime | None
    applied_on: date | None
    same_company: bool
    activity_at: datetime


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a page ended: the sort key of its last line."""

    same: bool
    at: datetime
    application_id: ApplicationId


FIND = Query(
    "review.find",
    Found,
    """SELECT * FROM (
         SELECT a.id AS application_id, a.company, a.role, s.stage, a.applied_at, a.applied_on,
           coalesce(a.company_key = ANY(%(companies)s::text[]), false) AS same_company, s.activity_at
         FROM standings s
         JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
         WHERE NOT s.dismissed AND a.merged_into_id IS NULL
           AND a.id <> ALL(%(besides)s::bigint[])
           AND concat_ws(' ', a.company, a.role) ILIKE ALL (%(words)s::text[])) f
       WHERE %(after_id)s::bigint IS NULL OR (f.same_company, f.activity_at, f.application_id)
         < (%(after_same)s::boolean, %(after_at)s::timestamptz, %(after_id)s::bigint)
       ORDER BY f.same_company DESC, f.activity_at DESC, f.application_id DESC LIMIT %(limit)s""",
)


async def find(
    unit: Unit,
    words: str,
    *,
    companies: Iterable[str],
    besides: Iterable[ApplicationId] = (),
    after: Place | None = None,
    limit: int = ROWS,
) -> Page[Found]:
    """Those whose company or role contain every word; all of them without words.

    Applications at one of `companies` come first, then the latest activity; `besides` are left out.
    """
    rows = await unit.all(
        FIND,
        companies=sorted({key for name in companies if (key := company_key(name))}),
        besides=sorted(set(besides)),
        words=[_pattern(word) for word in clean(words).split()[:WORDS_MAX]],
        after_same=after.same if after else None,
        after_at=after.at if after else None,
        after_id=after.application_id if after else None,
        limit=limit + 1,
    )
    last = rows[limit - 1] if len(rows) > limit else None
    return Page(items=rows[:limit], next=cursor(_place(last)) if last else None)


def _place(row: Found) -> Place:
    return Place(same=row.same_company, at=row.activity_at, application_id=row.application_id)


def _pattern(word: str) -> str:
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"
