"""What a page's address is known for: posting, application, whether it is saved, its form. Reads only."""

import msgspec

from extension_api.protocol import KnownApplication, KnownForm, KnownPosting
from schema.db import Unit
from schema.identity.urls import PostingUrl
from schema.ids import PostingId
from schema.query import Query

POSTING = Query(
    "context.posting",
    KnownPosting,
    """SELECT id, title, company, closed_at FROM postings
       WHERE (platform = %(platform)s::text AND vendor_id = %(vendor_id)s::text)
          OR canonical_url = %(canonical_url)s::text
       ORDER BY (platform = %(platform)s::text AND vendor_id = %(vendor_id)s::text) IS TRUE DESC,
                closed_at IS NOT NULL, id DESC
       LIMIT 1""",
)
APPLICATION = Query(
    "context.application",
    KnownApplication,
    """SELECT s.id, s.company, s.role, s.applied_at, s.status
       FROM applications a
       JOIN applications s ON s.account_id = a.account_id AND s.id = coalesce(a.merged_into_id, a.id)
       WHERE s.dismissed_at IS NULL
         AND (a.posting_id = %(posting_id)s::bigint
              OR (a.platform = %(platform)s::text AND a.vendor_id = %(vendor_id)s::text)
              OR a.canonical_url = %(canonical_url)s::text)
       ORDER BY a.id DESC LIMIT 1""",
)
FORM = Query(
    "context.form",
    KnownForm,
    """SELECT count(*)::int AS fills, max(created_at) AS last_filled_at, max(submitted_at) AS submitted_at
       FROM fills WHERE canonical_url = %(canonical_url)s AND reported_at IS NOT NULL
       HAVING count(*) > 0""",
)


class _Saved(msgspec.Struct, frozen=True, kw_only=True):
    posting_id: PostingId


SAVED = Query(
    "context.saved",
    _Saved,
    "SELECT posting_id FROM user_jobs WHERE posting_id = %(posting_id)s AND saved_at IS NOT NULL",
)


async def posting_at(unit: Unit, address: PostingUrl) -> KnownPosting | None:
    """The catalog's posting of this address; an open one before a closed one."""
    if address.kind == "board":
        return None
    return await unit.maybe(
        POSTING,
        platform=address.platform,
        vendor_id=address.vendor_id,
        canonical_url=address.canonical,
    )


async def application_at(
    unit: Unit, address: PostingUrl, posting_id: PostingId | None
) -> KnownApplication | None:
    """The person's latest application to what this address names; a list of openings names nothing."""
    if address.kind == "board":
        return None
    return await unit.maybe(
        APPLICATION,
        posting_id=posting_id,
        platform=address.platform,
        vendor_id=address.vendor_id,
        canonical_url=address.canonical,
    )


async def is_saved(unit: Unit, posting_id: PostingId) -> bool:
    """Whether the person keeps this posting."""
    return await unit.maybe(SAVED, posting_id=posting_id) is not None


async def form_at(unit: Unit, address: PostingUrl) -> KnownForm | None:
    """How often the form at this address was filled before; None when never."""
    return await unit.maybe(FORM, canonical_url=address.canonical)
