"""What people and other processes do while a sync is under way, or after something was cut short."""

import asyncio
import time
from collections.abc import Coroutine

import pytest
from fixtures.mailroom import Mailroom, other_mail

from mailsync.gmail import deletion, keeper
from mailsync.gmail.consent.grants import present_box
from mailsync.gmail.deletion import StillConnected
from mailsync.gmail.ledger import store as ledger
from mailsync.messages.store import delete_some


async def during(
    room: Mailroom, call: str, act: Coroutine[object, object, object], *, after: int = 0
) -> None:
    """`act`, while the answer to such a call of a sync is on its way."""
    room.control.fault(call, "hold", times=1, after=after)
    syncing = asyncio.create_task(room.keeper.once(room.who))
    while not room.control.held():  # noqa: ASYNC110 - the emulator tells nobody
        await asyncio.sleep(0.01)
    await act
    room.control.release()
    await syncing


async def test_a_deletion_that_was_cut_short_loses_nothing_when_connected_again(
    mailroom: Mailroom, monkeypatch: pytest.MonkeyPatch
):
    mailroom.deliver(9)
    await mailroom.connect()
    await mailroom.sync()
    await mailroom.connections.disconnect(mailroom.who)
    portions = iter(range(3))

    async def killed(*arguments: object) -> int:
        assert next(portions, None) is not None
        return await delete_some(*arguments)  # pyright: ignore

    with monkeypatch.context() as patch:
        patch.setattr(deletion, "PORTION", 2)
        patch.setattr(deletion, "delete_some", killed)
        with pytest.raises(AssertionError):
            await mailroom.delete_mail()
    assert mailroom.rows("SELECT count(*) FROM messages") == [(3,)]
    await mailroom.connect()
    await mailroom.sync()
    assert mailroom.rows("SELECT count(*) FROM messages") == [(9,)]
    assert mailroom.rows("SELECT count(message_id) FROM gmail_messages WHERE state = 'stored'") == [(9,)]


async def test_a_deletion_ends_when_the_mailbox_is_connected_meanwhile(
    mailroom: Mailroom, monkeypatch: pytest.MonkeyPatch
):
    mailroom.deliver(4)
    await mailroom.connect()
    await mailroom.sync()
    await mailroom.connections.disconnect(mailroom.who)
    portion = deletion._portion

    async def connected_first(*arguments: object) -> int:
        monkeypatch.setattr(deletion, "_portion", portion)
        await mailroom.connect()
        return await portion(*arguments)  # pyright: ignore

    monkeypatch.setattr(deletion, "_portion", connected_first)
    with pytest.raises(StillConnected):
        await mailroom.delete_mail()
    await mailroom.sync()
    assert mailroom.rows("SELECT count(*) FROM messages") == [(4,)]


async def test_nothing_is_stored_after_a_deletion_in_the_middle_of_a_sync(mailroom: Mailroom):
    mailroom.deliver(12)
    await mailroom.connect()

    async def leave() -> None:
        await mailroom.connections.disconnect(mailroom.who)
        await mailroom.delete_mail()

    await during(mailroom, "^batch ", leave(), after=1)
    tables = ("messages", "readings", "gmail_messages", "quarantine")
    for table in tables:
        assert mailroom.rows(f"SELECT count(*) FROM {table}") == [(0,)], table
    status = await mailroom.status()
    assert (status.state, status.last_error) == ("disconnected", None)


async def test_a_trouble_is_not_told_of_a_mailbox_that_was_disconnected_meanwhile(mailroom: Mailroom):
    await mailroom.connect()
    mailroom.control.fault("messages.list", "html_503", times=1, seconds=1.0)
    syncing = asyncio.create_task(mailroom.keeper.once(mailroom.who))
    while not mailroom.control.calls("messages.list"):  # noqa: ASYNC110 - the emulator tells nobody
        await asyncio.sleep(0.01)
    await mailroom.connections.disconnect(mailroom.who)
    await syncing
    status = await mailroom.status()
    assert (status.state, status.last_error, status.paused_until) == ("disconnected", None, None)


async def test_what_is_narrowed_away_while_it_is_fetched_is_not_fetched_again(mailroom: Mailroom):
    mailroom.deliver(8, other_mail)
    await mailroom.connect()

    async def narrow() -> None:
        await mailroom.connections.narrow(mailroom.who, query="subject:nothing")
        await mailroom.connections.narrow(mailroom.who)

    await during(mailroom, "^batch ", narrow())
    await mailroom.sync()
    mailroom.is_complete()


async def test_narrowing_in_the_middle_of_a_list_lets_the_sync_go_on_at_once(mailroom: Mailroom):
    mailroom.deliver(4)
    await mailroom.connect()
    narrow = mailroom.connections.narrow(mailroom.who, include_spam=True)
    await during(mailroom, "messages.list", narrow)
    assert mailroom.rows("SELECT holder, due_at <= now() FROM gmail_turns") == [(None, True)]


async def test_a_mailbox_woken_while_it_was_disconnected_is_closed_again(mailroom: Mailroom):
    await mailroom.connect()
    await mailroom.connections.disconnect(mailroom.who)
    mailroom.rows("UPDATE gmail_turns SET due_at = now() RETURNING 1")
    await mailroom.keeper.once(mailroom.who)
    assert (await mailroom.status()).state == "disconnected"
    assert mailroom.rows("SELECT due_at = 'infinity', holder FROM gmail_turns") == [(True, None)]


async def test_two_processes_that_renew_a_token_at_once_do_not_lose_the_grant(mailroom: Mailroom):
    mailroom.control.grant_knobs(rotates=True)
    await mailroom.connect()
    other = Mailroom(
        mailroom.database, mailroom.account, mailroom.clock, mailroom.google, mailroom.ring, mailroom.rows
    )
    box = await present_box(mailroom.database, mailroom.who)
    assert box
    mailroom.control.fault("^token ", "invalid_grant", times=1, seconds=1.0)
    first = asyncio.create_task(mailroom.around.grants.access_token(mailroom.who, box))
    while not mailroom.control.calls("token"):  # noqa: ASYNC110 - the emulator tells nobody
        await asyncio.sleep(0.01)
    await other.around.grants.access_token(mailroom.who, box)
    assert await first


async def test_a_message_wanted_again_stays_wanted_when_its_labels_change_or_the_mailbox_is_narrowed(
    mailroom: Mailroom,
):
    ids = mailroom.deliver(3, other_mail)
    await mailroom.connect()
    await mailroom.sync()
    async with mailroom.database.as_account(mailroom.account) as unit:
        assert await ledger.rescreen(unit, mailroom.who.mailbox_id, version=1_000_000) == 3
    await mailroom.connections.narrow(mailroom.who, include_spam=True)
    mailroom.control.relabel(ids[0], remove=["UNREAD"])
    await mailroom.sync()
    assert set(mailroom.control.fetches().values()) == {2}


async def test_one_long_first_sync_leaves_room_for_other_mailboxes(
    mailroom: Mailroom, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(keeper, "_SHARE_SECONDS", 0.0)
    mailroom.control.deliver_many([other_mail(number) for number in range(300)])
    await mailroom.connect()
    mailroom.control.add_account("another@gmail.example")
    mailroom.control.answer_consent(email="another@gmail.example")
    small = (await mailroom.visit()).mailbox_id
    mailroom.build(mailboxes=1)
    phase = "SELECT phase FROM gmail_mailboxes WHERE mailbox_id = %s"
    mailroom.rows(
        "UPDATE gmail_turns SET due_at = now() - interval '1h' WHERE mailbox_id <> %s RETURNING 1", small
    )
    until = time.monotonic() + 30
    while mailroom.rows(phase, small) != [("in_step",)]:
        assert time.monotonic() < until
        await mailroom.keeper.look()
        await asyncio.sleep(0.05)
    assert mailroom.rows(phase, mailroom.mailbox_id) != [("in_step",)]
    await mailroom.keeper.stop()
