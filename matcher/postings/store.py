"""The posting an application is about, looked up in the catalog by its id or its address. Reads only."""

from matcher.applications.rules import address_of
from matcher.applications.types import KnownPosting, NewApplication
from schema.db import Unit
from schema.query import Query

POSTING = Query(
    "applications.posting",
    KnownPosting,
    """SELECT id AS posting_id, platform, vendor_id, board, requisition_id, title, company, canonical_url
       FROM postings WHERE id = %(posting_id)s""",
)
POSTING_AT = Query(
    "applications.posting_at",
    KnownPosting,
    """SELECT id AS posting_id, platform, vendor_id, board, requisition_id, title, company, canonical_url
       FROM postings WHERE platform = %(platform)s AND vendor_id = %(vendor_id)s""",
)


async def known_posting(unit: Unit, new: NewApplication) -> KnownPosting | None:
    """None when the catalog knows of none. Raises `Missing` for an id that names no posting."""
    if new.posting_id is not None:
        return await unit.one(POSTING, posting_id=new.posting_id)
    address = address_of(new)
    if address is None or address.vendor_id is None:
        return None
    return await unit.maybe(POSTING_AT, platform=address.platform, vendor_id=address.vendor_id)
