"""The SQL of fills: the plan when it is made, the report, and the submission with its application."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

import msgspec
from psycopg.types.json import Jsonb

from extension_api.protocol import FieldOutcome, PlannedField, Submitted
from schema.db import Unit
from schema.identity.urls import PostingUrl
from schema.ids import AnswerId, ApplicationId, DeviceId, DocumentId, FillId, PostingId
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


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A form that became an application: what was planned for each field, and what became of it.

    `outcomes` is empty while no report came. Documents deleted since keep their name here.
    """

    fill_id: FillId
    page_title: str
    canonical_url: str
    submitted_at: datetime
    profile_revision: int | None
    plan: list[PlannedField]
    outcomes: dict[str, FieldOutcome]
    documents: dict[DocumentId, str]

    @property
    def attached(self) -> list[str]:
        """The files that went along, by name."""
        return [
            name
            for field in self.plan
            if field.document_id and (name := self.documents.get(field.document_id))
        ]


class _Stored(msgspec.Struct, frozen=True, kw_only=True):
    fill_id: FillId
    page_title: str
    canonical_url: str
    submitted_at: datetime | None
    profile_revision: int | None
    plan: bytes
    report: bytes | None


class _Reported(msgspec.Struct, frozen=True, kw_only=True):
    plan: bytes
    report: bytes | None


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    id: DocumentId
    file_name: str


OF_APPLICATION = Query(
    "fills.of_application",
    _Stored,
    """SELECT id AS fill_id, page_title, canonical_url, submitted_at, profile_revision, plan, report
       FROM fills
       WHERE application_id = ANY(ARRAY(SELECT record_id FROM application_records o
                                        WHERE o.application_id = %(application_id)s))
         AND submitted_at IS NOT NULL
       ORDER BY submitted_at DESC, id DESC LIMIT 20""",
)
NAMES = Query(
    "fills.document_names",
    _Named,
    "SELECT id, file_name FROM documents WHERE id = ANY(%(ids)s::bigint[])",
)
ADD = Query(
    "fills.add",
    Identified,
    """INSERT INTO fills (device_id, url, canonical_url, page_title, platform, board, vendor_id,
         requisition_id, posting_id, profile_revision, plan, created_at)
       VALUES (%(device_id)s, %(url)s, %(canonical_url)s, %(page_title)s, %(platform)s, %(board)s,
         %(vendor_id)s, %(requisition_id)s, %(posting_id)s, %(profile_revision)s, %(plan)s, %(now)s)
       RETURNING id""",
)
REPORTED = Query("fills.reported", _Reported, "SELECT plan, report FROM fills WHERE id = %(id)s FOR UPDATE")
REPORT = Statement(
    "fills.report",
    "UPDATE fills SET report = %(report)s, reported_at = %(now)s WHERE id = %(id)s",
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


async def keep_report(
    unit: Unit, fill_id: FillId, outcomes: Sequence[FieldOutcome], now: datetime
) -> frozenset[AnswerId]:
    """The latest report of a fill, and the remembered answers no earlier one said were filled.

    Raises `Missing` for a fill that is not the account's.
    """
    before = await unit.one(REPORTED, id=fill_id)
    await unit.run(REPORT, id=fill_id, report=_storable(outcomes), now=now)
    planned = msgspec.json.decode(before.plan, type=list[PlannedField])
    earlier = msgspec.json.decode(before.report, type=list[FieldOutcome]) if before.report else []
    return _answers_filled(planned, outcomes) - _answers_filled(planned, earlier)


def _answers_filled(planned: Sequence[PlannedField], outcomes: Sequence[FieldOutcome]) -> frozenset[AnswerId]:
    filled = {clean(one.key) for one in outcomes if one.outcome == "filled"}
    return frozenset(line.answer_id for line in planned if line.answer_id is not None and line.key in filled)


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


async def submissions_of(unit: Unit, application_id: ApplicationId) -> list[Submission]:
    """The forms that became this application, those of merged records included, the latest first."""
    rows = await unit.all(OF_APPLICATION, application_id=application_id)
    plans = {row.fill_id: msgspec.json.decode(row.plan, type=list[PlannedField]) for row in rows}
    wanted = [field.document_id for plan in plans.values() for field in plan if field.document_id]
    names = {row.id: row.file_name for row in await unit.all(NAMES, ids=wanted)} if wanted else {}
    return [
        _told(row, row.submitted_at, plans[row.fill_id], names)
        for row in rows
        if row.submitted_at is not None
    ]


def _told(
    row: _Stored, submitted_at: datetime, plan: list[PlannedField], names: dict[DocumentId, str]
) -> Submission:
    report = msgspec.json.decode(row.report, type=list[FieldOutcome]) if row.report else []
    return Submission(
        fill_id=row.fill_id,
        page_title=row.page_title,
        canonical_url=row.canonical_url,
        submitted_at=submitted_at,
        profile_revision=row.profile_revision,
        plan=plan,
        outcomes={outcome.key: outcome for outcome in report},
        documents=names,
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
