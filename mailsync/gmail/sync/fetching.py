"""One portion of messages: fetched raw, read and screened in memory, and what is kept stored in one commit.

The commit holds the messages, what they say, the work for the matcher and the ledger together. Before it a
portion is marked as begun, so that a message that ends the program each time is found out: it is fetched
alone and in the end put into quarantine. A part that Google refused does not count as done, whatever became
of the others.
"""

from collections.abc import Mapping, Sequence

import msgspec
import structlog

from mailsync.archive.store import own_addresses
from mailsync.conversations.rules import may_lend
from mailsync.gmail.answers.rules import GmailTrouble, unreachable
from mailsync.gmail.consent.client import ConsentFailed
from mailsync.gmail.consent.grants import GrantLost
from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.ledger.types import Settled, Wanted
from mailsync.gmail.mailbox import store as mailbox
from mailsync.gmail.mailbox.store import Box
from mailsync.gmail.shapes import Part
from mailsync.gmail.sync.rules import (
    MOST_TRIES,
    Outcome,
    outcome,
    put_off_until,
    quarantine_of,
    quarantined,
    settled_as,
)
from mailsync.gmail.sync.session import Pace, Paused, Session
from mailsync.gmail.sync.steps import scope
from mailsync.gmail.types import GmailId, Letter, Scope
from mailsync.messages.keeping import Kept, keep_messages
from mailsync.messages.store import ids_of_keys, quarantine_of_door
from mailsync.messages.types import Quarantined
from schema.db import Unit
from schema.faults import told
from schema.ids import MailboxId, MessageId
from schema.live import announce
from schema.queue import enqueue
from schema.tasks import MatchAccount

log = structlog.get_logger()
_NOTHING: Mapping[GmailId, Part] = {}


class Sorted(msgspec.Struct, frozen=True, kw_only=True):
    """A portion after it was fetched. `refusal` is what stands in the way of the next one."""

    outcomes: list[Outcome]
    not_begun: list[GmailId]
    put_off: list[Wanted]
    refusal: GmailTrouble | None


async def fetch_portion(session: Session, found: Box, pace: Pace, *, most_rank: int) -> bool:
    """Whether there was anything to fetch. Raises what keeps the turn from going on."""
    await session.spend(session.settings.get_units * session.batch)
    begun, own = await _begun(session, found, most_rank)
    if not begun:
        return False
    lost = [each for each in begun if each.tries >= MOST_TRIES]
    parts = _NOTHING if lost else await _parts(session, found, begun)
    sorted_parts = await session.in_thread(sort_parts, begun, parts, scope(found), own)
    async with session.commit() as unit:
        await _store(unit, session, found, sorted_parts, pace)
    await _face(session, sorted_parts.refusal)
    return True


async def _begun(session: Session, found: Box, most_rank: int) -> tuple[list[Wanted], frozenset[str]]:
    async with session.commit() as unit:
        begun = await ledger.begin(
            unit,
            found.mailbox_id,
            most_rank=most_rank,
            limit=session.batch,
            now=session.around.clock.now(),
        )
        return begun, await own_addresses(unit)


async def _parts(session: Session, found: Box, begun: Sequence[Wanted]) -> Mapping[GmailId, Part]:
    """What Google sent. When it sent nothing for a reason of its own, the try does not count."""
    ids = [each.gmail_id for each in begun]
    try:
        return await session.send(lambda token: session.client.letters(token, ids))
    except (Paused, GrantLost, ConsentFailed, GmailTrouble) as error:
        # A line that breaks may be the fault of what it carries; nothing else is.
        if not isinstance(error, GmailTrouble) or error.kind != "passing":
            async with session.commit() as unit:
                await ledger.not_begun(unit, found.mailbox_id, ids)
        raise


async def _face(session: Session, refusal: GmailTrouble | None) -> None:
    """A part that was refused for the rate slows everything down; a token is made anew once."""
    if refusal is None:
        session.tokens_refused = 0
    elif refusal.kind in {"rate", "day"}:
        await session.slow_down(refusal)
    elif refusal.kind == "token" and not session.tokens_refused:
        session.tokens_refused = 1
        await session.renew_token()
    else:
        raise refusal


def sort_parts(
    begun: Sequence[Wanted], parts: Mapping[GmailId, Part], wanted: Scope, own: frozenset[str]
) -> Sorted:
    """Read what came; blocks for as long as reading takes."""
    outcomes: list[Outcome] = []
    not_begun: list[GmailId] = []
    put_off: list[Wanted] = []
    refusal: GmailTrouble | None = None
    for each in begun:
        part = parts.get(each.gmail_id)
        if each.tries >= MOST_TRIES:
            outcomes.append(_given_up(each))
        elif isinstance(part, Letter):
            outcomes.append(_read(part, wanted, own))
        elif part is None or part.kind in {"rate", "day", "token", "scope"}:
            not_begun.append(each.gmail_id)
            refusal = refusal or part or unreachable()
        elif part.kind == "missing":
            # A draft saved anew, or deleted before it was read. Anything told of it later brings it back.
            gone = Settled(gmail_id=each.gmail_id, state="gone", reason="absent")
            outcomes.append(Outcome(settled=gone))
        else:
            put_off.append(each)
    if put_off and not outcomes:
        # Not one message but Google itself, as far as anybody can tell: rest before asking for the next.
        refusal = refusal or unreachable()
    return Sorted(outcomes=outcomes, not_begun=not_begun, put_off=put_off, refusal=refusal)


def _read(letter: Letter, wanted: Scope, own: frozenset[str]) -> Outcome:
    try:
        return outcome(letter, wanted, own)
    except Exception as error:  # noqa: BLE001 - one message must not stop the others
        log.error("a message could not be read", gmail_id=letter.gmail_id, fault=told(error))
        seen = Settled(gmail_id=letter.gmail_id, state="quarantined", thread_id=letter.thread_id)
        return Outcome(settled=quarantined(seen, "unparseable", len(letter.raw) * 3 // 4))


def _given_up(wanted: Wanted) -> Outcome:
    seen = Settled(gmail_id=wanted.gmail_id, state="quarantined")
    return Outcome(settled=quarantined(seen, "fetch_never_ended", None))


async def _store(unit: Unit, session: Session, found: Box, done: Sorted, pace: Pace) -> None:
    now = session.around.clock.now()
    mailbox_id = found.mailbox_id
    kept = await _kept(unit, session, mailbox_id, done.outcomes)
    settled = await _settled(unit, done.outcomes, kept)
    await ledger.settle(unit, mailbox_id, settled, now=now)
    await ledger.want_threads(unit, mailbox_id, _threads_about_jobs(done.outcomes, kept))
    await ledger.not_begun(unit, mailbox_id, done.not_begun)
    for each in done.put_off:
        await ledger.put_off(unit, mailbox_id, [each.gmail_id], put_off_until(each.tries, now))
    await quarantine_of_door(
        unit, [_position(mailbox_id, each) for each in settled if _is_bad(each)], now=now
    )
    await mailbox.set_pace(unit, mailbox_id, pace.add(len(settled)), now=now)
    if kept.has_readings:
        await _ask_for_matching(unit, mailbox_id)
    announce(unit, "mail")


async def _kept(unit: Unit, session: Session, mailbox_id: MailboxId, outcomes: Sequence[Outcome]) -> Kept:
    # In the order of their keys: two mailboxes with the same mail take the same rows at once.
    found = [each.read for each in outcomes if each.read is not None]
    reads = sorted(found, key=lambda read: read.message.message_key)
    now = session.around.clock.now()
    return await keep_messages(unit, mailbox_id, reads, now=now, with_identities=False)


async def _settled(unit: Unit, outcomes: Sequence[Outcome], kept: Kept) -> list[Settled]:
    """Those that came by another door before have an id already."""
    new = {row.message_key: row.id for row in kept.stored}
    old = [key for key, read in kept.read.items() if key not in new and read.message.kept != "identity"]
    ids = {**new, **(await ids_of_keys(unit, old) if old else {})}
    return [_settled_one(each, kept, ids) for each in outcomes]


def _settled_one(each: Outcome, kept: Kept, ids: Mapping[str, MessageId]) -> Settled:
    if each.read is None:
        return each.settled
    key = each.read.message.message_key
    return settled_as(msgspec.structs.replace(each.settled, message_id=ids.get(key)), kept.read[key].message)


def _threads_about_jobs(outcomes: Sequence[Outcome], kept: Kept) -> list[str]:
    """What stands in these and came before them was not kept for want of them."""
    new = {row.message_key for row in kept.stored}
    found: set[str] = set()
    for each in outcomes:
        key = each.read.message.message_key if each.read is not None else ""
        if key not in new or each.settled.thread_id is None:
            continue
        reading = kept.read[key].reading
        if reading is not None and may_lend(reading):
            found.add(each.settled.thread_id)
    return sorted(found)


async def _ask_for_matching(unit: Unit, mailbox_id: MailboxId) -> None:
    """Behind the last message without a key: a match that is running may have passed it."""
    more = await ledger.any_wanted(unit, mailbox_id)
    await enqueue(unit, MatchAccount(), dedupe_key=MatchAccount.KIND if more else None)


def _is_bad(settled: Settled) -> bool:
    return settled.state == "quarantined"


def _position(mailbox_id: MailboxId, settled: Settled) -> Quarantined:
    return Quarantined(
        position=f"{quarantine_of(mailbox_id)}{settled.gmail_id}",
        code=settled.reason or "unparseable",
        size_bytes=settled.size_bytes or 0,
    )
