"""The views of the applications that a person keeps, and the only writer of `saved_views`.

A view is a name for filters. What the filters mean is the list's business; here they are a text.
"""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.errors import Missing, Refusal
from schema.ids import SavedViewId
from schema.live import announce
from schema.query import Query, Statement

VIEWS_MOST = 50


class NameTaken(Refusal):
    """There is another view of that name."""

    code = "view_name_taken"
    kind = "conflict"


class TooManyViews(Refusal):
    """No more views can be saved; delete one first."""

    code = "too_many_views"
    kind = "conflict"


class SavedView(msgspec.Struct, frozen=True, kw_only=True):
    """`query` is the filters as they stand in the address of the list."""

    view_id: SavedViewId
    name: str
    query: str


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    view_id: SavedViewId


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


ALL = Query(
    "views.all", SavedView, "SELECT id AS view_id, name, query FROM saved_views ORDER BY lower(name), id"
)
ONE = Query(
    "views.one", SavedView, "SELECT id AS view_id, name, query FROM saved_views WHERE id = %(view_id)s"
)
NAMED = Query(
    "views.named",
    SavedView,
    "SELECT id AS view_id, name, query FROM saved_views WHERE lower(name) = lower(%(name)s)",
)
COUNT = Query("views.count", _Count, "SELECT count(*)::int AS count FROM saved_views")
INSERT = Query(
    "views.insert",
    _Id,
    """INSERT INTO saved_views (name, query, created_at) VALUES (%(name)s, %(filters)s, %(now)s)
       ON CONFLICT (account_id, lower(name)) DO NOTHING RETURNING id AS view_id""",
)
RENAME = Query(
    "views.rename",
    _Id,
    """UPDATE saved_views v SET name = %(name)s
       WHERE id = %(view_id)s AND NOT EXISTS (SELECT FROM saved_views o
         WHERE o.id <> v.id AND lower(o.name) = lower(%(name)s)) RETURNING id AS view_id""",
)
REPLACE = Statement("views.replace", "UPDATE saved_views SET query = %(filters)s WHERE id = %(view_id)s")
DELETE = Statement("views.delete", "DELETE FROM saved_views WHERE id = %(view_id)s")
ONE_AT_A_TIME = Statement(
    "views.one_at_a_time", "SELECT pg_advisory_xact_lock(hashtextextended('views', jobtrail_account()))"
)


async def saved_views(unit: Unit) -> list[SavedView]:
    """By name."""
    return await unit.all(ALL)


async def saved_view(unit: Unit, view_id: SavedViewId) -> SavedView:
    return await unit.one(ONE, view_id=view_id)


async def view_named(unit: Unit, name: str) -> SavedView | None:
    """Capitals do not tell two names apart."""
    return await unit.maybe(NAMED, name=name)


async def save_view(unit: Unit, name: str, filters: str, *, now: datetime) -> SavedViewId:
    """Raises `NameTaken` and `TooManyViews`."""
    if (await unit.one(COUNT)).count >= VIEWS_MOST:
        raise TooManyViews
    made = await unit.maybe(INSERT, name=name, filters=filters, now=now)
    if made is None:
        raise NameTaken
    announce(unit, "applications")
    return made.view_id


async def rename_view(unit: Unit, view_id: SavedViewId, name: str) -> SavedView:
    """The view as it was. Raises `NameTaken`."""
    await unit.run(ONE_AT_A_TIME)
    before = await unit.one(ONE, view_id=view_id)
    if await unit.maybe(RENAME, view_id=view_id, name=name) is None:
        raise NameTaken
    announce(unit, "applications")
    return before


async def replace_view(unit: Unit, view_id: SavedViewId, filters: str) -> SavedView:
    """The view as it was, its filters replaced."""
    before = await unit.one(ONE, view_id=view_id)
    await unit.run(REPLACE, view_id=view_id, filters=filters)
    announce(unit, "applications")
    return before


async def delete_view(unit: Unit, view_id: SavedViewId) -> SavedView:
    """The view that is gone; saving it again undoes it."""
    before = await unit.one(ONE, view_id=view_id)
    if not await unit.run(DELETE, view_id=view_id):
        raise Missing
    announce(unit, "applications")
    return before
