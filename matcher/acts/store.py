"""The log of acts and its only writer. What it does to other tables is for who asks for it."""

from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from matcher.acts.types import Act, NewAct
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import ActId
from schema.query import Query, Statement


class UndoneAlready(Refusal):
    """This was taken back already."""

    code = "undone_already"
    kind = "conflict"


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    act_id: ActId


APPEND = Query(
    "acts.append",
    _Id,
    """INSERT INTO acts (about, choice, actor, application_id, other_application_id, ask_id, message_id,
         stage, pattern, messages, replaced, created_at)
       SELECT a.*, %(now)s
       FROM jsonb_to_record(%(row)s) AS a (about text, choice text, actor text, application_id bigint,
         other_application_id bigint, ask_id bigint, message_id bigint, stage text, pattern text,
         messages int, replaced jsonb)
       RETURNING id AS act_id""",
)
ONE = Query(
    "acts.one",
    Act,
    """SELECT id AS act_id, about, choice, actor, application_id, other_application_id, ask_id, message_id,
         stage, pattern, messages, replaced, created_at, undone_at
       FROM acts WHERE id = %(act_id)s FOR UPDATE""",
)
COUNT = Statement("acts.count", "UPDATE acts SET messages = %(messages)s WHERE id = %(act_id)s")
TAKE_BACK = Statement(
    "acts.take_back", "UPDATE acts SET undone_at = %(now)s WHERE id = %(act_id)s AND undone_at IS NULL"
)


async def append_act(unit: Unit, act: NewAct, *, now: datetime) -> ActId:
    return (await unit.one(APPEND, row=Jsonb(act), now=now)).act_id


async def act(unit: Unit, act_id: ActId) -> Act:
    """One act, locked to the end of the transaction; another account's is `Missing`."""
    return await unit.one(ONE, act_id=act_id)


async def count_messages(unit: Unit, act_id: ActId, messages: int) -> None:
    """How many decisions about messages the act came to, known only after it was appended."""
    await unit.run(COUNT, act_id=act_id, messages=messages)


async def take_back(unit: Unit, act_id: ActId, *, now: datetime) -> Act:
    """Marks it undone and returns it as it was; who asks puts back what it replaced.

    Raises `Missing`, or `UndoneAlready` when it was taken back before.
    """
    found = await act(unit, act_id)
    if not await unit.run(TAKE_BACK, act_id=act_id, now=now):
        raise UndoneAlready
    return found
