"""The SQL of postings only one person knows; the only writer of `own_postings`. Wants an account's unit."""

from datetime import datetime

import msgspec

from pipeline.kept.rules import kept_facts
from pipeline.kept.types import FactsFrom, Kept, Looked, OwnFacts, OwnPosting
from schema.db import Unit
from schema.errors import Missing
from schema.identity.urls import PostingUrl
from schema.ids import ApplicationId, OwnPostingId
from schema.query import Query, Statement
from schema.text import clean


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    id: OwnPostingId


ONE = Query(
    "kept.one",
    OwnPosting,
    """SELECT id, canonical_url, url, title, company, place, pay_words, text, note, facts_from, look,
         look_why, looked_at, (SELECT a.id FROM applications a WHERE a.id = o.application_id
           AND a.dismissed_at IS NULL) AS application_id, saved_at, updated_at
       FROM own_postings o WHERE id = %(id)s AND removed_at IS NULL""",
)
AT = Query(
    "kept.at",
    _Found,
    "SELECT id FROM own_postings WHERE canonical_url = %(canonical_url)s AND removed_at IS NULL",
)
# An address that was removed is kept anew; one that stands there keeps its words.
KEEP = Query(
    "kept.keep",
    Kept,
    """INSERT INTO own_postings AS o (canonical_url, url, title, company, place, pay_words, text, facts_from,
         look, saved_at, updated_at)
       VALUES (%(canonical_url)s, %(url)s, %(title)s, %(company)s, %(place)s, %(pay_words)s, %(text)s,
         %(facts_from)s, %(look)s, %(now)s, %(now)s)
       ON CONFLICT (account_id, canonical_url) DO UPDATE SET removed_at = NULL,
         saved_at = CASE WHEN o.removed_at IS NULL THEN o.saved_at ELSE excluded.saved_at END
       RETURNING o.id, o.title, o.xmax = 0 AS is_new""",
)
CORRECT = Statement(
    "kept.correct",
    """UPDATE own_postings SET canonical_url = %(canonical_url)s, url = %(url)s, title = %(title)s,
         company = %(company)s, place = %(place)s, pay_words = %(pay_words)s, text = %(text)s,
         facts_from = 'person', look = CASE WHEN %(url)s::text IS NULL THEN 'never' ELSE look END,
         looked_at = CASE WHEN %(url)s::text IS NULL THEN NULL ELSE looked_at END,
         look_why = CASE WHEN %(url)s::text IS NULL THEN NULL ELSE look_why END, updated_at = %(now)s
       WHERE id = %(id)s AND removed_at IS NULL""",
)
ASKED = Statement(
    "kept.asked",
    """UPDATE own_postings SET look = 'waits', looked_at = NULL, look_why = NULL
       WHERE id = %(id)s AND removed_at IS NULL AND url IS NOT NULL""",
)
LOOKED = Statement(
    "kept.looked",
    """UPDATE own_postings SET look = %(look)s, look_why = %(why)s, looked_at = %(now)s, title = %(title)s,
         company = %(company)s, place = %(place)s, pay_words = %(pay_words)s, text = %(text)s,
         facts_from = CASE WHEN %(is_of_page)s AND facts_from <> 'person' THEN 'page' ELSE facts_from END,
         updated_at = %(now)s
       WHERE id = %(id)s AND look = 'waits'""",
)
NOTE = Statement(
    "kept.note",
    """UPDATE own_postings SET note = %(note)s, updated_at = %(now)s
       WHERE id = %(id)s AND removed_at IS NULL""",
)
APPLIED = Statement(
    "kept.applied",
    "UPDATE own_postings SET application_id = %(application_id)s, updated_at = %(now)s WHERE id = %(id)s",
)
REMOVE = Statement(
    "kept.remove",
    "UPDATE own_postings SET removed_at = %(now)s WHERE id = %(id)s AND removed_at IS NULL",
)
BRING_BACK = Statement("kept.bring_back", "UPDATE own_postings SET removed_at = NULL WHERE id = %(id)s")
FORGET = Statement(
    "kept.forget", "DELETE FROM own_postings WHERE id = %(id)s AND removed_at <= %(removed_until)s"
)


async def own_posting(unit: Unit, own_id: OwnPostingId) -> OwnPosting:
    """Raises `Missing`, also for one that was removed."""
    return await unit.one(ONE, id=own_id)


async def own_posting_at(unit: Unit, canonical_url: str) -> OwnPostingId | None:
    found = await unit.maybe(AT, canonical_url=canonical_url)
    return None if found is None else found.id


async def keep(
    unit: Unit,
    facts: OwnFacts,
    *,
    address: PostingUrl | None,
    facts_from: FactsFrom,
    is_read: bool = False,
    now: datetime,
) -> Kept:
    """One more posting of one's own; an address that is kept already stays as it is.

    `is_read`: its page is going to be read; the caller asks for that in the same unit.
    """
    return await unit.one(
        KEEP,
        **_columns(facts, address),
        facts_from=facts_from,
        look="waits" if is_read else "never",
        now=now,
    )


async def correct(
    unit: Unit, own_id: OwnPostingId, facts: OwnFacts, *, address: PostingUrl | None, now: datetime
) -> None:
    """The person's words for everything. Raises `Missing`."""
    if not await unit.run(CORRECT, id=own_id, **_columns(facts, address), now=now):
        raise Missing


async def ask_again(unit: Unit, own_id: OwnPostingId) -> None:
    """Its page is going to be read. Raises `Missing` when there is none."""
    if not await unit.run(ASKED, id=own_id):
        raise Missing


async def looked(unit: Unit, own: OwnPosting, found: Looked, *, now: datetime) -> None:
    """What came of reading its page; nothing when the person took it back meanwhile."""
    facts = found.facts or own.facts
    await unit.run(
        LOOKED,
        id=own.id,
        look=found.look,
        why=found.why,
        now=now,
        is_of_page=found.facts is not None,
        **_words(facts),
    )


async def write_own_note(unit: Unit, own_id: OwnPostingId, note: str, *, now: datetime) -> None:
    if not await unit.run(NOTE, id=own_id, note=clean(note).strip(), now=now):
        raise Missing


async def applied_to(
    unit: Unit, own_id: OwnPostingId, application_id: ApplicationId, *, now: datetime
) -> None:
    """Which application came of it. Raises `Missing`."""
    if not await unit.run(APPLIED, id=own_id, application_id=application_id, now=now):
        raise Missing


async def remove(unit: Unit, own_id: OwnPostingId, *, now: datetime) -> None:
    """Out of every list; whoever calls this also asks for the forgetting. Raises `Missing`."""
    if not await unit.run(REMOVE, id=own_id, now=now):
        raise Missing


async def bring_back(unit: Unit, own_id: OwnPostingId) -> None:
    """Raises `Missing` when it is forgotten already."""
    if not await unit.run(BRING_BACK, id=own_id):
        raise Missing


async def forget(unit: Unit, own_id: OwnPostingId, *, removed_until: datetime) -> bool:
    """For good, when it was removed by then."""
    return await unit.run(FORGET, id=own_id, removed_until=removed_until) > 0


def _columns(facts: OwnFacts, address: PostingUrl | None) -> dict[str, object]:
    canonical_url, url = (None, None) if address is None else (address.canonical, address.link)
    return {"canonical_url": canonical_url, "url": url, **_words(facts)}


def _words(facts: OwnFacts) -> dict[str, object]:
    return dict(msgspec.structs.asdict(kept_facts(facts)))
