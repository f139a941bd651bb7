"""`POST /postings`: keep the posting of a page, whether the catalog knew it or not."""

from datetime import datetime

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from extension_api.fills.rules import NoWebAddress, page_address
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.protocol import SavedPosting, SavePosting
from pipeline.kept.keeping import keep_address
from pipeline.kept.rules import NotAPosting
from schema.db import Database
from schema.errors import Unavailable
from schema.throttle import Rate, TooManyAttempts, spend

SAVES = Rate(name="extension.save_posting", burst=60, seconds_each=2.0)


@post(
    "/postings",
    status_code=200,
    opt={"refusals": [NoWebAddress, NotAPosting, TooManyAttempts, *GUARDED, Unavailable]},
    operation_id="extension_save_posting",
)
async def save_posting(
    data: JSONBody[SavePosting],
    device: NamedDependency[Device],
    database: NamedDependency[Database],
    now: NamedDependency[datetime],
) -> SavedPosting:
    """Saving again answers the same. What the catalog does not know is kept for this person alone; its page
    is read only where the address is a platform's, so that no address of a private page is asked for."""
    async with database.as_account(device.account_id) as unit:
        await spend(unit, SAVES, str(device.id))
    address = page_address(data.url)
    if address.kind == "board":
        raise NotAPosting(field="url")
    async with database.as_account(device.account_id) as unit:
        found = await keep_address(
            unit,
            address,
            facts_from="browser",
            title=data.title,
            company=data.company,
            reads=address.vendor_id is not None,
            now=now,
        )
    return SavedPosting(posting_id=found.posting_id, title=found.title, was_saved_before=found.was_kept)
