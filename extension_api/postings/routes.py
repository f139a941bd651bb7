"""`POST /postings`: keep the posting of a page, whether the catalog knew it or not."""

from datetime import datetime

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from extension_api.context.store import is_saved, posting_at
from extension_api.fills.rules import NoWebAddress, page_address
from extension_api.pairing.guard import GUARDED
from extension_api.pairing.rules import Device
from extension_api.postings.rules import NotAPosting, found_posting
from extension_api.protocol import SavedPosting, SavePosting
from pipeline.catalog.store import save
from pipeline.postings.store import record_posting
from schema.db import Database
from schema.errors import Unavailable
from schema.ids import AccountId, PostingId
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
    """Saving again answers the same; what the catalog does not know becomes a posting of its own."""
    async with database.as_account(device.account_id) as unit:
        await spend(unit, SAVES, str(device.id))
    posting_id, title = await _known_or_recorded(database, device.account_id, data, now)
    async with database.as_account(device.account_id) as unit:
        was_saved = await is_saved(unit, posting_id)
        await save(unit, posting_id, now=now)
    return SavedPosting(posting_id=posting_id, title=title, was_saved_before=was_saved)


async def _known_or_recorded(
    database: Database, account: AccountId, data: SavePosting, now: datetime
) -> tuple[PostingId, str]:
    address = page_address(data.url)
    found = found_posting(address, title=data.title, company=data.company)
    async with database.as_account(account) as unit:
        known = await posting_at(unit, address)
    if known is not None:
        return known.id, known.title
    async with database.as_fleet() as unit:
        return await record_posting(unit, found, now=now), found.title
