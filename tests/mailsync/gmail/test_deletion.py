"""The mail of a mailbox is deleted as queued work: asked for once, with progress, safe to repeat."""

import asyncio

import pytest
from fixtures.mailroom import Mailroom
from fixtures.worker import QUICK, Tasks

from mailsync.gmail.deletion import StillConnected, ask_for_deletion, delete_mail
from pipeline.worker.loop import Worker
from schema.errors import Missing
from schema.ids import AccountId, TaskId
from schema.requests import AlreadyUnderWay
from schema.tasks import DeleteMail


async def asked(room: Mailroom) -> TaskId:
    async with room.database.as_account(room.account) as unit:
        return await ask_for_deletion(unit, room.who.mailbox_id)


async def run(room: Mailroom, tasks: Tasks, task_id: TaskId):
    worker = Worker(
        room.database, room.clock, {DeleteMail: delete_mail}, QUICK, release="test", jitter=lambda: 0.0
    )
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))
    try:
        return await tasks.until(task_id, "done", "failed")
    finally:
        stop.set()
        await running


async def test_deleting_all_mail_takes_ledger_and_cursor_too(mailroom: Mailroom, tasks: Tasks):
    mailroom.deliver(3)
    await mailroom.connect()
    await mailroom.sync()
    with pytest.raises(StillConnected):
        await asked(mailroom)
    await mailroom.connections.disconnect(mailroom.who)
    task_id = await asked(mailroom)
    with pytest.raises(AlreadyUnderWay):
        await asked(mailroom)
    row = await run(mailroom, tasks, task_id)
    assert (row.status, row.outcome) == ("done", "deleted")
    assert mailroom.rows("SELECT progress->>'note' FROM tasks WHERE id = %s", task_id) == [
        ("3 messages deleted",)
    ]
    for table in ("messages", "gmail_messages", "readings", "events"):
        assert mailroom.rows(f"SELECT count(*) FROM {table}") == [(0,)], table
    assert mailroom.rows("SELECT phase, cursor FROM gmail_mailboxes") == [("starting", None)]
    await mailroom.visit(mailroom.mailbox_id)
    status = await mailroom.sync()
    assert status.counts.stored == 3


async def test_connected_again_before_it_began_the_mailbox_keeps_its_mail(mailroom: Mailroom, tasks: Tasks):
    mailroom.deliver(2)
    await mailroom.connect()
    await mailroom.sync()
    await mailroom.connections.disconnect(mailroom.who)
    task_id = await asked(mailroom)
    await mailroom.connect()
    row = await run(mailroom, tasks, task_id)
    assert (row.status, row.failure_code) == ("failed", "mailbox_connected")
    assert mailroom.rows("SELECT count(*) FROM messages") == [(2,)]


async def test_mail_that_another_mailbox_has_too_is_wanted_from_there(mailroom: Mailroom):
    (shared, *_) = mailroom.deliver(2)
    await mailroom.connect()
    await mailroom.sync()
    await mailroom.connections.disconnect(mailroom.who)
    account = mailroom.account
    (other,) = mailroom.rows(
        """INSERT INTO mailboxes (account_id, door, address, created_at)
           VALUES (%s, 'gmail', 'second@gmail.example', now()) RETURNING id""",
        account,
    )[0]
    mailroom.rows(
        """INSERT INTO gmail_mailboxes (account_id, mailbox_id, state, created_at)
           VALUES (%s, %s, 'connected', now()) RETURNING 1""",
        account,
        other,
    )
    mailroom.rows(
        """INSERT INTO gmail_messages (account_id, mailbox_id, gmail_id, state, rank, place, message_id)
           SELECT account_id, %s, 'same', 'stored', 1, 1, message_id FROM gmail_messages
           WHERE gmail_id = %s RETURNING 1""",
        other,
        shared,
    )
    assert await mailroom.delete_mail() == 2
    assert mailroom.rows("SELECT state, message_id FROM gmail_messages WHERE mailbox_id = %s", other) == [
        ("wanted", None)
    ]


async def test_nobody_deletes_the_mail_of_another_account(mailroom: Mailroom, other_account: AccountId):
    await mailroom.connect()
    await mailroom.connections.disconnect(mailroom.who)
    async with mailroom.database.as_account(other_account) as unit:
        with pytest.raises(Missing):
            await ask_for_deletion(unit, mailroom.who.mailbox_id)
