"""From a confirmed submission to an application, once, with the work it implies in the same transaction."""

from datetime import datetime

from extension_api.fills import store
from extension_api.fills.rules import better_address, instant_of, names_of, page_address
from extension_api.protocol import Submitted
from matcher.applications.store import record_application
from matcher.applications.types import NewApplication
from schema.db import Unit
from schema.identity.urls import posting_url
from schema.ids import ApplicationId, FillId
from schema.text import clean


async def record_submission(
    unit: Unit, fill_id: FillId, submitted: Submitted, now: datetime
) -> ApplicationId:
    """The application this fill became; telling it again answers the same and changes nothing.

    The matcher's store decides whether it is an application the person has already (saved, tracked, or
    derived from mail), and asks for matching. Raises `Missing` for a fill that is not the account's.
    """
    fill = await store.locked_fill(unit, fill_id)
    if fill.application_id is not None:
        return fill.application_id
    address = better_address(page_address(fill.url), posting_url(clean(submitted.url)))
    names = names_of(submitted, fill.page_title)
    submitted_at = instant_of(submitted.submitted_at, planned_at=fill.created_at, now=now)
    application_id = await record_application(
        unit,
        NewApplication(
            origin="extension",
            company=names.company,
            role=names.role,
            url=address.canonical,
            posting_id=fill.posting_id,
            platform=address.platform,
            board=address.board,
            vendor_id=address.vendor_id,
            requisition_id=submitted.requisition_id or address.requisition,
            applied_at=submitted_at,
        ),
        now=now,
    )
    await store.keep_submission(
        unit, fill_id, submitted, submitted_at=submitted_at, application_id=application_id
    )
    return application_id
