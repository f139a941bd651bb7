"""Drafts, their versions and the leave to have them written, and the only writer of all three.

A version is appended and never changed; which one is in force, the draft's generation says.
"""

from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from extension_api.drafts.types import Held, NewDraft, NewVersion, Standing, Version
from extension_api.protocol import Author, Draft, DraftState
from schema.db import Unit
from schema.ids import DraftId
from schema.live import announce
from schema.query import Query, Statement


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    id: DraftId
    question: str
    company: str | None
    role: str | None
    generation: int
    state: DraftState
    author: Author | None
    text: str
    max_chars: int | None
    rests_on: bytes
    not_in_sources: bytes
    failure: str | None
    accepted_at: datetime | None
    updated_at: datetime
    is_under_way: bool


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A draft in a list. `chars` counts the text in force."""

    id: DraftId
    question: str
    company: str | None
    role: str | None
    canonical_url: str
    state: DraftState
    author: Author | None
    is_accepted: bool
    chars: int
    max_chars: int | None
    updated_at: datetime


class Permission(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a model may write from this account's profile, and since when."""

    allowed: bool
    at: datetime


class _Version(msgspec.Struct, frozen=True, kw_only=True):
    generation: int
    author: Author
    text: str
    rests_on: bytes
    not_in_sources: bytes
    ask: int | None
    created_at: datetime


class _Opened(msgspec.Struct, frozen=True, kw_only=True):
    id: DraftId


class _Generation(msgspec.Struct, frozen=True, kw_only=True):
    generation: int


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


class _Place(msgspec.Struct, frozen=True, kw_only=True):
    canonical_url: str


#: Whether a task is at it; a draft that is said to be written and has none was given up.
_UNDER_WAY = """EXISTS (SELECT FROM tasks t WHERE t.account_id = d.account_id
           AND t.dedupe_key = 'draft.write:' || d.id
           AND t.status IN ('pending', 'running', 'waiting', 'awaiting_batch')) AS is_under_way"""
_FROM = """ FROM drafts d
       LEFT JOIN draft_versions v ON v.account_id = d.account_id AND v.draft_id = d.id
         AND v.generation = d.generation
       WHERE d.deleted_at IS NULL AND """
_TOLD = (
    """SELECT d.id, d.question, d.company, d.role, d.generation, d.state, v.author,
         coalesce(v.text, '') AS text, d.max_chars, coalesce(v.rests_on, '[]'::jsonb) AS rests_on,
         coalesce(v.not_in_sources, '[]'::jsonb) AS not_in_sources, d.failure, d.accepted_at, d.updated_at,
         """
    + _UNDER_WAY
    + _FROM
)
AT = Query("drafts.at", _Row, _TOLD + "d.canonical_url = %(canonical_url)s ORDER BY d.id")
ONE = Query("drafts.one", _Row, _TOLD + "d.id = %(id)s")
PLACE = Query(
    "drafts.place", _Place, "SELECT canonical_url FROM drafts WHERE id = %(id)s AND deleted_at IS NULL"
)
NEWEST = Query(
    "drafts.newest",
    Line,
    """SELECT d.id, d.question, d.company, d.role, d.canonical_url, d.state, v.author,
         d.accepted_at IS NOT NULL AS is_accepted, coalesce(length(v.text), 0) AS chars, d.max_chars,
         d.updated_at
       FROM drafts d
       LEFT JOIN draft_versions v ON v.account_id = d.account_id AND v.draft_id = d.id
         AND v.generation = d.generation
       WHERE d.deleted_at IS NULL
         AND (%(updated_at)s::timestamptz IS NULL OR (d.updated_at, d.id) < (%(updated_at)s, %(id)s::bigint))
       ORDER BY d.updated_at DESC, d.id DESC LIMIT %(limit)s""",
)
COUNT = Query("drafts.count", _Count, "SELECT count(*) FROM drafts WHERE deleted_at IS NULL")
OPEN = Query(
    "drafts.open",
    _Opened,
    """INSERT INTO drafts AS d (canonical_url, company, role, question, question_key, max_chars, state,
         created_at, updated_at)
       VALUES (%(canonical_url)s, %(company)s, %(role)s, %(question)s, %(question_key)s, %(max_chars)s,
         'empty', %(now)s, %(now)s)
       ON CONFLICT (account_id, canonical_url, question_key) WHERE deleted_at IS NULL
         DO UPDATE SET max_chars = coalesce(excluded.max_chars, d.max_chars)
       RETURNING id""",
)
HOLD = Query(
    "drafts.hold",
    Held,
    """SELECT d.id, d.canonical_url, d.company, d.role, d.question, d.max_chars, d.asks, d.ask_generation,
         d.ask_replaces, d.generation, d.state, v.author, coalesce(v.text, '') AS text,
         coalesce(jsonb_array_length(v.not_in_sources) > 0, false) AS is_doubted, d.accepted_at,
         """
    + _UNDER_WAY
    + _FROM
    + "d.id = %(id)s FOR UPDATE OF d",
)
VERSIONS = Query(
    "drafts.versions",
    _Version,
    """SELECT generation, author, text, rests_on, not_in_sources, ask, created_at FROM draft_versions
       WHERE draft_id = %(id)s ORDER BY generation DESC""",
)
APPEND = Query(
    "drafts.append",
    _Generation,
    """INSERT INTO draft_versions (draft_id, generation, author, text, rests_on, not_in_sources, ask, model,
         prompt_version, created_at)
       SELECT %(id)s::bigint, 1 + coalesce(max(generation), 0), %(author)s, %(text)s, %(rests_on)s,
         %(not_in_sources)s, %(ask)s, %(model)s, %(prompt_version)s, %(now)s
       FROM draft_versions WHERE draft_id = %(id)s
       RETURNING generation""",
)
STAND = Statement(
    "drafts.stand",
    """UPDATE drafts SET generation = %(generation)s, state = %(state)s, failure = %(failure)s,
         accepted_at = %(accepted_at)s, updated_at = %(now)s
       WHERE id = %(id)s""",
)
ASK = Statement(
    "drafts.ask",
    """UPDATE drafts SET asks = asks + 1, ask_generation = generation, ask_replaces = %(replaces)s,
         state = 'writing', failure = NULL, updated_at = %(now)s
       WHERE id = %(id)s""",
)
KEEP_OURS = Statement("drafts.keep_ours", "UPDATE drafts SET ask_replaces = false WHERE id = %(id)s")
DELETE = Query(
    "drafts.delete",
    _Opened,
    "UPDATE drafts SET deleted_at = %(now)s WHERE id = %(id)s AND deleted_at IS NULL RETURNING id",
)
RESTORE = Query(
    "drafts.restore",
    _Opened,
    """UPDATE drafts AS d SET deleted_at = NULL
       WHERE id = %(id)s AND deleted_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM drafts AS same
                         WHERE same.canonical_url = d.canonical_url AND same.question_key = d.question_key
                           AND same.deleted_at IS NULL)
       RETURNING id""",
)
PERMISSION = Query(
    "drafts.permission",
    Permission,
    "SELECT allowed, at FROM draft_permissions ORDER BY id DESC LIMIT 1",
)
SET_PERMISSION = Statement(
    "drafts.set_permission",
    "INSERT INTO draft_permissions (allowed, at) VALUES (%(allowed)s, %(now)s)",
)


async def drafts_at(unit: Unit, canonical_url: str, *, can_write: bool) -> list[Draft]:
    """The drafts for the posting at this address; `can_write`: a language model may add to them."""
    rows = await unit.all(AT, canonical_url=canonical_url)
    return [_draft(row, can_write=can_write) for row in rows]


async def draft_of(unit: Unit, draft_id: DraftId, *, can_write: bool) -> Draft:
    """Raises `Missing` for a deleted one as for one that never was."""
    return _draft(await unit.one(ONE, id=draft_id), can_write=can_write)


async def place_of(unit: Unit, draft_id: DraftId) -> str:
    """The address of the posting a draft is for; raises `Missing`."""
    return (await unit.one(PLACE, id=draft_id)).canonical_url


async def newest(unit: Unit, *, after: tuple[datetime, int] | None, limit: int) -> list[Line]:
    """The drafts by when they were changed last, newest first, from behind `after`."""
    updated_at, place = after or (None, None)
    return await unit.all(NEWEST, updated_at=updated_at, id=place, limit=limit)


async def count_drafts(unit: Unit) -> int:
    return (await unit.one(COUNT)).count


async def open_draft(unit: Unit, new: NewDraft, *, now: datetime) -> DraftId:
    """The draft for this question of this posting, made where there is none."""
    opened = await unit.one(
        OPEN,
        canonical_url=new.canonical_url,
        company=new.company,
        role=new.role,
        question=new.question,
        question_key=new.question_key,
        max_chars=new.max_chars,
        now=now,
    )
    announce(unit, "profile", opened.id)
    return opened.id


async def hold(unit: Unit, draft_id: DraftId) -> Held:
    """The draft, locked until the unit ends; raises `Missing`."""
    return await unit.one(HOLD, id=draft_id)


async def hold_if_there(unit: Unit, draft_id: DraftId) -> Held | None:
    return await unit.maybe(HOLD, id=draft_id)


async def versions(unit: Unit, draft_id: DraftId) -> list[Version]:
    """Every text it had or was offered, newest first."""
    return [
        Version(
            generation=row.generation,
            author=row.author,
            text=row.text,
            rests_on=_texts(row.rests_on),
            not_in_sources=_texts(row.not_in_sources),
            ask=row.ask,
            created_at=row.created_at,
        )
        for row in await unit.all(VERSIONS, id=draft_id)
    ]


async def append(unit: Unit, draft_id: DraftId, new: NewVersion, *, now: datetime) -> int:
    """One more version, of a draft that is held; which one is in force does not change by it."""
    row = await unit.one(
        APPEND,
        id=draft_id,
        author=new.author,
        text=new.text,
        rests_on=Jsonb(list(new.rests_on)),
        not_in_sources=Jsonb(list(new.not_in_sources)),
        ask=new.ask,
        model=new.model,
        prompt_version=new.prompt_version,
        now=now,
    )
    return row.generation


async def stand(unit: Unit, draft_id: DraftId, standing: Standing, *, now: datetime) -> None:
    """How a held draft stands from now on."""
    await unit.run(
        STAND,
        id=draft_id,
        generation=standing.generation,
        state=standing.state,
        failure=standing.failure,
        accepted_at=standing.accepted_at,
        now=now,
    )
    announce(unit, "profile", draft_id)


async def begin_asking(unit: Unit, draft_id: DraftId, *, replaces: bool, now: datetime) -> None:
    """A machine writes at a held draft from now on."""
    await unit.run(ASK, id=draft_id, replaces=replaces, now=now)
    announce(unit, "profile", draft_id)


async def keep_ours(unit: Unit, draft_id: DraftId) -> None:
    """The person chose what is in force: an asking that was to replace it no longer may."""
    await unit.run(KEEP_OURS, id=draft_id)


async def delete_draft(unit: Unit, draft_id: DraftId, *, now: datetime) -> None:
    """Raises `Missing` when it is not there."""
    await unit.one(DELETE, id=draft_id, now=now)
    announce(unit, "profile", draft_id)


async def restore_draft(unit: Unit, draft_id: DraftId) -> None:
    """Undo a deletion; raises `Missing` when it is not deleted, or the question has a new draft since."""
    await unit.one(RESTORE, id=draft_id)
    announce(unit, "profile", draft_id)


async def may_write(unit: Unit) -> bool:
    """Whether the person lets a model write. Nobody asked means no."""
    permission = await unit.maybe(PERMISSION)
    return permission is not None and permission.allowed


async def let_model_write(unit: Unit, *, allowed: bool, now: datetime) -> None:
    await unit.run(SET_PERMISSION, allowed=allowed, now=now)


def _draft(row: _Row, *, can_write: bool) -> Draft:
    state, failure = row.state, row.failure
    if state == "writing" and not row.is_under_way:
        state, failure = ("ready" if row.text.strip() else "failed"), "gave_up"
    return Draft(
        id=row.id,
        question=row.question,
        company=row.company,
        role=row.role,
        generation=row.generation,
        state=state,
        author=row.author,
        text=row.text,
        max_chars=row.max_chars,
        rests_on=_texts(row.rests_on),
        not_in_sources=_texts(row.not_in_sources),
        failure=failure,
        is_accepted=row.accepted_at is not None,
        can_write=can_write,
        updated_at=row.updated_at,
    )


def _texts(stored: bytes) -> list[str]:
    return msgspec.json.decode(stored, type=list[str])
