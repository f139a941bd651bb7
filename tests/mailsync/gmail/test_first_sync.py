"""A mailbox that was never synced, from consent to being in step."""

import asyncio
from datetime import timedelta

from fixtures.mailroom import Mailroom, job_mail, other_mail
from fixtures.worker import until


async def test_the_whole_mailbox_is_read_once_and_only_job_mail_is_kept(mailroom: Mailroom):
    mailroom.deliver(12, job_mail)
    mailroom.deliver(9, other_mail)
    await mailroom.connect()
    status = await mailroom.sync()
    mailroom.is_complete()
    assert (status.phase, status.counts.stored, status.counts.not_kept) == ("in_step", 12, 9)
    assert (status.total, status.last_error, status.holder and status.holder.name) == (21, None, None)
    assert status.remaining == timedelta()


async def test_of_mail_that_is_not_kept_only_id_hash_and_reason_remain(mailroom: Mailroom):
    mailroom.deliver(1, other_mail)
    await mailroom.connect()
    await mailroom.sync()
    assert mailroom.rows("SELECT * FROM messages") == []
    (row,) = mailroom.rows(
        "SELECT state, reason, length(content_sha256), message_id, screen_version > 0 FROM gmail_messages"
    )
    assert row == ("not_kept", "no_hiring_words", 64, None, True)


async def test_job_mail_is_fetched_first_and_newest_first_the_rest_oldest_first(mailroom: Mailroom):
    old, jobs, new = mailroom.deliver(3, other_mail), mailroom.deliver(6), mailroom.deliver(3, other_mail, 3)
    await mailroom.connect()
    await mailroom.build(batch_size=1).sync()
    order = [gmail_id for (gmail_id,) in mailroom.rows("SELECT gmail_id FROM gmail_messages")]
    assert sorted(order) == sorted([*old, *jobs, *new])
    asked = [
        call["target"].split("?")[0].rpartition("/")[2] for call in mailroom.control.calls("messages.get")
    ]
    assert asked == [*reversed(jobs), *old, *new]


async def test_the_cursor_is_taken_before_anything_is_listed(mailroom: Mailroom):
    mailroom.deliver(5)
    await mailroom.connect()
    await mailroom.sync()
    calls = [call["operation"] for call in mailroom.control.calls()]
    assert calls.index("getProfile") < calls.index("messages.list")


async def test_what_arrives_during_the_walk_is_read_as_well(mailroom: Mailroom):
    mailroom.deliver(8)
    await mailroom.connect()
    mailroom.control.fault("messages.list", "hold", after=2)
    syncing = asyncio.create_task(mailroom.sync())

    async def is_held() -> bool | None:
        return bool(mailroom.control.held()) or None

    await until(is_held, 10, "a list is under way")
    mailroom.deliver(3, first=8)
    mailroom.control.release()
    await syncing
    await mailroom.sync()
    mailroom.is_complete()
    assert len(mailroom.ledger()) == 11


async def test_drafts_chats_spam_and_trash_are_left_out(mailroom: Mailroom):
    mailroom.deliver(2)
    mailroom.control.save_draft(job_mail(90))
    mailroom.control.deliver(other_mail(91), ("CHAT",))
    mailroom.control.deliver(job_mail(92), ("SPAM",))
    mailroom.control.deliver(job_mail(93), ("TRASH",))
    await mailroom.connect()
    status = await mailroom.sync()
    assert (status.counts.stored, sum(mailroom.control.fetches().values())) == (2, 2)


async def test_spam_and_trash_are_read_on_request(mailroom: Mailroom):
    mailroom.deliver(2)
    mailroom.control.deliver(job_mail(92), ("SPAM",))
    await mailroom.connect()
    await mailroom.sync()
    await mailroom.connections.narrow(mailroom.who, include_spam=True)
    status = await mailroom.sync()
    assert status.counts.stored == 3
    assert mailroom.fetched_twice() == {}


async def test_what_the_person_sent_is_no_answer_of_an_employer(mailroom: Mailroom):
    mailroom.control.deliver(job_mail(1), ("SENT",))
    await mailroom.connect()
    await mailroom.sync()
    assert mailroom.rows("SELECT from_owner FROM messages") in ([(True,)], [])
    assert mailroom.rows("SELECT count(*) FROM events") == [(0,)]


async def test_a_long_mailbox_is_walked_over_dying_page_tokens(mailroom: Mailroom):
    mailroom.control.deliver_many([other_mail(number) for number in range(520)])
    await mailroom.build(batch_size=50).connect()
    mailroom.control.fault("messages.list .*pageToken", "precondition", times=2)
    status = await mailroom.sync()
    assert status.counts.not_kept == 520
    assert mailroom.fetched_twice() == {}


BY_HAND = b"From: Nour Price <nour.price@brimvale.example>\r\n"


async def test_what_came_before_its_thread_was_about_a_job_is_fetched_again(mailroom: Mailroom):
    await mailroom.connect()
    early = mailroom.control.deliver(BY_HAND + b"\r\nTuesday works.", thread_id="1f")
    news = mailroom.control.deliver(BY_HAND + b"List-Id: <news>\r\n\r\nTen shoes.", thread_id="1f")
    other = mailroom.control.deliver(BY_HAND + b"\r\nPictures of the sea.", thread_id="2f")
    await mailroom.sync()
    assert set(mailroom.ledger().values()) == {"not_kept"}
    lender = mailroom.control.deliver(job_mail(1), thread_id="1f")
    await mailroom.sync()
    assert mailroom.ledger() == {early: "stored", news: "not_kept", other: "not_kept", lender: "stored"}
    assert mailroom.fetched_twice() == {early: 2, news: 2}
    assert mailroom.rows("SELECT kept_because, continues_id IS NULL FROM messages ORDER BY id") == [
        (None, True),
        ("thread", False),
    ]
    await mailroom.sync()
    assert mailroom.fetched_twice() == {early: 2, news: 2}
