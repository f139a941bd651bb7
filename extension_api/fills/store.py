"""The SQL of fills: the plan when it is made, the report, and the submission with its application."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

import msgspec
from psycopg.types.json import Jsonb

from extension_api.protocol import FieldOutcome, PlannedField, Submitted
from schema.db import Unit
from schema.identity.urls import PostingUrl
from schema.ids import ApplicationId, DeviceId, FillId, PostingId
from schema.query import Query, Statement
from schema.text import clean


class NewFill(msgspec.Struct, frozen=True, kw_only=True):
    device_id: DeviceId
    url: str
    address: PostingUrl
    page_title: str
    posting_id: PostingId | None
    profile_revision: int
    plan: Sequence[PlannedField]


class Identified(msgspec.Struct, frozen=True, kw_only=True):
    id: FillId


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """What a submission needs of its fill."""

    url: str
    page_title: str
    posting_id: PostingId | None
    created_at: datetime
    application_id: ApplicationId | None


ADD = Query(
    "fills.add",
    Identified,
    """INSERT INTO fills (device_id, url, canonical_url, page_title, platform, board, vendor_id,
         requisition_id, posting_id, profile_revision, plan, created_at)
       VALUES (%(device_id)s, %(url)s, %(canonical_url)s, %(page_title)s, %(platform)s, %(board)s,
         %(vendor_id)s, %(requisition_id)s, %(posting_id)s, %(profile_revision)s, %(plan)s, %(now)s)
       RETURNING id""",
)
REPORT = Query(
    "fills.report",
    Identified,
    "UPDATE fills SET report = %(report)s, reported_at = %(now)s WHERE id = %(id)s RETURNING id",
)
LOCKED = Query(
    "fills.locked",
    Planned,
    """SELECT url, page_title, posting_id, created_at, application_id FROM fills
       WHERE id = %(id)s FOR UPDATE""",
)
SUBMITTED = Statement(
    "fills.submitted",
    """UPDATE fills SET submitted_at = %(submitted_at)s, submission = %(submission)s,
         application_id = %(application_id)s
       WHERE id = %(id)s""",
)


async def add_fill(unit: Unit, new: NewFill, now: datetime) -> FillId:
    """Keep a plan as it was told to the browser."""
    added = await unit.one(
        ADD,
        device_id=new.device_id,
        url=clean(new.url),
        canonical_url=new.address.canonical,
        page_title=clean(new.page_title),
        platform=new.address.platform,
        board=new.address.board,
        vendor_id=new.address.vendor_id,
        requisition_id=new.address.requisition,
        posting_id=new.posting_id,
        profile_revision=new.profile_revision,
        plan=_storable(new.plan),
        now=now,
    )
    return added.id


async def keep_report(unit: Unit, fill_id: FillId, outcomes: Sequence[FieldOutcome], now: datetime) -> None:
    """The latest report of a fill; raises `Missing` for a fill that is not the account's."""
    await unit.one(REPORT, id=fill_id, report=_storable(outcomes), now=now)


async def locked_fill(unit: Unit, fill_id: FillId) -> Planned:
    """The fill, held until the transaction ends; raises `Missing` for one that is not the account's."""
    return await unit.one(LOCKED, id=fill_id)


async def keep_submission(
    unit: Unit,
    fill_id: FillId,
    submission: Submitted,
    *,
    submitted_at: datetime,
    application_id: ApplicationId,
) -> None:
    await unit.run(
        SUBMITTED,
        id=fill_id,
        submission=_storable(submission),
        submitted_at=submitted_at,
        application_id=application_id,
    )


def _storable(value: Sequence[msgspec.Struct] | msgspec.Struct) -> Jsonb:
    """Texts of a page can hold characters that jsonb cannot."""
    return Jsonb(_cleaned(cast("object", msgspec.to_builtins(value))))


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in cast("dict[str, object]", value).items()}
    return value
