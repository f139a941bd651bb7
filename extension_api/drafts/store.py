"""Drafts and their versions, and the only writer of both."""

from datetime import datetime

import msgspec

from extension_api.protocol import Author, Draft, DraftState
from schema.db import Unit
from schema.ids import DraftId
from schema.query import Query


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
    failure: str | None
    accepted_at: datetime | None
    updated_at: datetime


AT = Query(
    "drafts.at",
    _Row,
    """SELECT d.id, d.question, d.company, d.role, d.generation, d.state, v.author,
         coalesce(v.text, '') AS text, d.max_chars, coalesce(v.rests_on, '[]'::jsonb) AS rests_on, d.failure,
         d.accepted_at, d.updated_at
       FROM drafts d
       LEFT JOIN draft_versions v ON v.account_id = d.account_id AND v.draft_id = d.id
         AND v.generation = d.generation
       WHERE d.canonical_url = %(canonical_url)s AND d.deleted_at IS NULL ORDER BY d.id""",
)


async def drafts_at(unit: Unit, canonical_url: str, *, can_write: bool) -> list[Draft]:
    """The drafts for the posting at this address; `can_write`: a language model may add to them."""
    rows = await unit.all(AT, canonical_url=canonical_url)
    return [_draft(row, can_write=can_write) for row in rows]


def _draft(row: _Row, *, can_write: bool) -> Draft:
    return Draft(
        id=row.id,
        question=row.question,
        company=row.company,
        role=row.role,
        generation=row.generation,
        state=row.state,
        author=row.author,
        text=row.text,
        max_chars=row.max_chars,
        rests_on=msgspec.json.decode(row.rests_on, type=list[str]),
        failure=row.failure,
        is_accepted=row.accepted_at is not None,
        can_write=can_write,
        updated_at=row.updated_at,
    )
