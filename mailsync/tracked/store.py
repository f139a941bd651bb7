"""The applications of one person that messages could name: one question for a batch, by index. Reads only.

An application derived from mail is none here: whether mail is kept must not hang on which mail came first.
"""

from collections.abc import Sequence

from mailsync.tracked.types import Mentions, Tracked
from schema.db import Unit
from schema.query import Query

TRACKED = Query(
    "tracked.applications",
    Tracked,
    """SELECT k.key AS name_key, a.role, a.applied_at, a.applied_on
       FROM unnest(%(keys)s::text[]) k (key) JOIN applications a ON a.company_key = k.key
       WHERE a.origin <> 'derived' AND a.dismissed_at IS NULL
       UNION ALL
       SELECT l.alias_key, a.role, a.applied_at, a.applied_on
       FROM unnest(%(keys)s::text[]) k (key) JOIN aliases l ON l.alias_key = k.key
       JOIN applications a ON a.company_key = l.company_key
       WHERE l.removed_at IS NULL AND l.origin = 'person'
         AND a.origin <> 'derived' AND a.dismissed_at IS NULL""",
)


async def tracked(unit: Unit, mentions: Sequence[Mentions]) -> list[Tracked]:
    """Whatever is recorded under one of the names, whether or not its title stands there too."""
    keys = sorted({key for each in mentions for key in each.companies})
    return await unit.all(TRACKED, keys=keys) if keys else []
