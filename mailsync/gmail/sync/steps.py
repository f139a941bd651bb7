"""The steps of a sync that move cursors: the beginning, one page of a list, one page of history.

Each asks Gmail outside any unit, then records the answer and moves on in one transaction behind the fence. A
step that is killed anywhere is done again from where the last one was recorded.
"""

from datetime import datetime

from mailsync.gmail.answers.rules import GmailTrouble
from mailsync.gmail.history.rules import entries, fold
from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.mailbox import store as mailbox
from mailsync.gmail.mailbox.store import Box
from mailsync.gmail.sync.rules import earlier, later_cursor
from mailsync.gmail.sync.session import Session
from mailsync.gmail.turns.store import TurnLost
from mailsync.gmail.types import HistoryPage, ListPage, Scope
from mailsync.gmail.walks.rules import Narrowing, Walk, completes, cycle, following, named
from schema.db import Unit
from schema.live import announce

_MOST_RESTARTS = 5


def narrowing(found: Box) -> Narrowing:
    return Narrowing(
        query=found.narrow_query, labels=tuple(found.narrow_labels), include_spam=found.include_spam
    )


def scope(found: Box) -> Scope:
    return Scope(
        include_spam=found.include_spam,
        labels=frozenset(found.narrow_labels),
        only_new=bool(found.narrow_query),
    )


def walks(session: Session, found: Box) -> list[Walk]:
    return cycle(found.cycle, narrowing(found), session.around.queries, found.walk_since)


async def take_baseline(session: Session, found: Box) -> None:
    """The cursor from before anything is listed: what happens meanwhile is told by the history."""
    units = session.settings.profile_units
    profile = await session.ask(units, session.client.profile)
    send_as = await session.ask(units, session.client.send_as)
    first = cycle("first", narrowing(found), session.around.queries, None)[0]
    async with session.commit() as unit:
        await mailbox.begin(
            unit,
            found.mailbox_id,
            cursor=profile.history_id,
            send_as=send_as,
            walk=first.name,
            now=session.around.clock.now(),
        )
        announce(unit, "mail")


async def list_page(session: Session, found: Box, walk: Walk) -> None:
    """One page of the present walk into the ledger, and the walk one page on."""
    try:
        page = await session.ask(
            session.settings.list_units,
            lambda token: session.client.listed(
                token,
                query=walk.query,
                labels=walk.labels,
                include_spam=walk.include_spam,
                page=found.walk_page,
            ),
        )
    except GmailTrouble as error:
        if error.kind != "refused" or found.walk_page is None:
            raise
        async with session.commit() as unit:
            await mailbox.restart_walk(unit, found)
        if found.walk_restarts >= _MOST_RESTARTS:
            raise
        return
    async with session.commit() as unit:
        await _record_list(unit, session, found, walk, page)


async def _record_list(unit: Unit, session: Session, found: Box, walk: Walk, page: ListPage) -> None:
    now = session.around.clock.now()
    place = found.walk_place + len(page.items)
    await ledger.walked(
        unit, found.mailbox_id, walk, page.items, place=found.walk_place, serial=found.walk_serial
    )
    after = walk if page.next_page else following(walks(session, found), walk.name)
    moved = await mailbox.walk_on(
        unit,
        found,
        walk=after.name if after else None,
        page=page.next_page,
        place=place if page.next_page else 0,
        listed=page.next_page is None and completes(walk, after),
        now=now,
    )
    if not moved:
        # A person wants something else walked: this page is not recorded, the next step reads what.
        raise TurnLost
    if after is None:
        await _finish_cycle(unit, session, found)
    announce(unit, "mail")


async def _finish_cycle(unit: Unit, session: Session, found: Box) -> None:
    if found.cycle == "gap":
        await ledger.sweep(unit, found.mailbox_id, found.walk_serial)
    await mailbox.gaps_filled(unit, found.mailbox_id, now=session.around.clock.now())
    await mailbox.set_phase(unit, found.mailbox_id, "fetching")


async def history_page(session: Session, found: Box) -> bool:
    """One page of changes; whether there are more."""
    cursor = found.cursor or "0"
    try:
        page = await session.ask(
            session.settings.history_units,
            lambda token: session.client.history(token, start=cursor, page=found.cursor_page),
        )
    except GmailTrouble as error:
        if error.kind not in {"missing", "refused"}:
            raise
        return await _history_ended(session, found)
    async with session.commit() as unit:
        await _record_history(unit, session, found, cursor, page)
    return page.next_page is not None


async def _record_history(unit: Unit, session: Session, found: Box, cursor: str, page: HistoryPage) -> None:
    now = session.around.clock.now()
    outcomes = fold(page.records)
    known = await ledger.known(unit, found.mailbox_id, [each.gmail_id for each in outcomes])
    changed = entries(outcomes, known, scope(found))
    await ledger.record(unit, found.mailbox_id, changed, serial=found.walk_serial, now=now)
    after = cursor if page.next_page else later_cursor(cursor, page.history_id)
    session.replays = session.replays if page.next_page else 0
    await mailbox.move(unit, found.mailbox_id, cursor=after, page=page.next_page, now=now)
    if changed:
        announce(unit, "mail")


async def _history_ended(session: Session, found: Box) -> bool:
    """A page token that died is replayed, a few times; a cursor that died is replaced, and all listed."""
    if found.cursor_page is not None and session.replays < _MOST_RESTARTS:
        session.replays += 1
        async with session.commit() as unit:
            await mailbox.replay_history(unit, found.mailbox_id)
        return True
    profile = await session.ask(session.settings.profile_units, session.client.profile)
    async with session.commit() as unit:
        newest = await ledger.newest(unit, found.mailbox_id)
        since = missed_since(newest, found)
        first = cycle("gap", narrowing(found), [], since)[0]
        await mailbox.relist(
            unit,
            found.mailbox_id,
            cursor=profile.history_id,
            since=since,
            walk=first.name,
            now=session.around.clock.now(),
        )
        announce(unit, "mail")
    return False


def missed_since(newest: datetime | None, found: Box) -> datetime | None:
    """Beside a query only what arrived since the mailbox was connected counts as new."""
    since = earlier(newest, found.history_good_at)
    return max(since, found.created_at) if since and found.narrow_query else since


def present_walk(session: Session, found: Box) -> Walk | None:
    return None if found.walk is None else named(walks(session, found), found.walk)
