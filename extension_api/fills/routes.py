"""`POST /resolve`, `POST /fills/{id}` and `POST /fills/{id}/submitted`: plan, report, application."""

import asyncio
from datetime import datetime

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from extension_api.answers.rules import Known, plan
from extension_api.context.store import posting_at
from extension_api.documents.store import known_documents
from extension_api.drafts.store import drafts_at
from extension_api.fills.recording import record_submission
from extension_api.fills.rules import NoWebAddress, TooManyResolves, page_address
from extension_api.fills.store import NewFill, add_fill, keep_report
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.profiles.store import current_profile
from extension_api.protocol import FillPlan, FillReport, PlannedField, Recorded, Resolve, Submitted
from extension_api.remembered.employers import employer_keys, employers_at
from extension_api.remembered.recall import memory, standing
from extension_api.remembered.store import count_uses
from schema.db import Database
from schema.errors import Missing, Unavailable
from schema.ids import FillId
from schema.throttle import Rate, TooManyAttempts, spend

RESOLVES = Rate(name="extension.resolve", burst=100, seconds_each=0.6)


@post(
    "/resolve",
    status_code=200,
    opt={"refusals": [NoWebAddress, TooManyResolves, *GUARDED, Unavailable]},
    operation_id="extension_resolve",
)
async def resolve(
    data: JSONBody[Resolve],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> FillPlan:
    """A fill plan: for each field what to put there, or why it is left."""
    await _spend(database, device)
    address = page_address(data.url)
    async with database.as_account(device.account_id) as unit:
        current = await current_profile(unit)
        documents = await known_documents(unit)
        posting = await posting_at(unit, address)
        employers = employer_keys(await employers_at(unit, address, data.page_title, posting))
        drafts = await drafts_at(unit, address.canonical, can_write=False)
        remembered = await standing(unit)

    def planned() -> list[PlannedField]:
        known = Known(memory=memory(remembered), employers=employers, drafts=drafts)
        return plan(data.fields, current.profile, documents, known)

    # A form nobody filled before takes a good part of a second; other requests are answered meanwhile.
    fields = await asyncio.to_thread(planned)
    new = NewFill(
        device_id=device.id,
        url=data.url,
        address=address,
        page_title=data.page_title,
        posting_id=posting and posting.id,
        profile_revision=current.revision,
        plan=fields,
    )
    async with database.as_account(device.account_id) as unit:
        fill_id = await add_fill(unit, new, now)
    return FillPlan(fill_id=fill_id, platform=address.platform, fields=fields)


async def _spend(database: Database, device: Device) -> None:
    """In a unit of its own, so that a refused or failing request counts too."""
    async with database.as_account(device.account_id) as unit:
        try:
            await spend(unit, RESOLVES, str(device.id))
        except TooManyAttempts as refused:
            raise TooManyResolves(retry_after_seconds=refused.retry_after_seconds) from None


@post(
    "/fills/{fill_id:int}",
    status_code=204,
    opt={"refusals": [Missing, *GUARDED, Unavailable]},
    operation_id="extension_report",
)
async def report(
    fill_id: FromPath[int],
    data: JSONBody[FillReport],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> None:
    """What became of each field; a later report replaces an earlier one."""
    async with database.as_account(device.account_id) as unit:
        used = await keep_report(unit, FillId(fill_id), data.fields, now)
        await count_uses(unit, used, now)


@post(
    "/fills/{fill_id:int}/submitted",
    status_code=200,
    opt={"refusals": [Missing, *GUARDED, Unavailable]},
    operation_id="extension_submitted",
)
async def submitted(
    fill_id: FromPath[int],
    data: JSONBody[Submitted],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> Recorded:
    """The form was sent: the application it became. Telling it again answers the same."""
    async with database.as_account(device.account_id) as unit:
        return Recorded(application_id=await record_submission(unit, FillId(fill_id), data, now))
