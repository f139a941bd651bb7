"""A mailbox that is in step, and what changes in it."""

import pytest
from fixtures.mailroom import Mailroom, job_mail, other_mail


@pytest.fixture
async def in_step(mailroom: Mailroom) -> Mailroom:
    mailroom.deliver(6)
    await mailroom.connect()
    await mailroom.sync()
    return mailroom


async def test_new_mail_is_read_and_nothing_else_is_asked_for(in_step: Mailroom):
    in_step.control.forget_calls()
    in_step.deliver(2, first=6)
    status = await in_step.sync()
    in_step.is_complete()
    assert status.counts.stored == 8
    assert {call["operation"] for call in in_step.control.calls()} <= {
        "history.list",
        "messages.get",
        "batch",
    }


async def test_what_is_deleted_is_marked_as_gone_and_stays_as_evidence(in_step: Mailroom):
    first = next(iter(in_step.control.mailbox()))
    in_step.control.delete(first)
    await in_step.sync()
    in_step.is_complete()
    assert in_step.rows("SELECT state, reason FROM gmail_messages WHERE gmail_id = %s", first) == [
        ("gone", "deleted")
    ]
    assert in_step.rows("SELECT count(*) FROM messages") == [(6,)]


async def test_what_came_and_went_between_two_looks_is_never_fetched(in_step: Mailroom):
    before = in_step.control.fetches()
    (new,) = in_step.deliver(1, first=6)
    in_step.control.delete(new)
    await in_step.sync()
    assert in_step.control.fetches() == before


async def test_labels_are_followed(in_step: Mailroom):
    first = next(iter(in_step.control.mailbox()))
    in_step.control.relabel(first, add=["STARRED"], remove=["UNREAD"])
    await in_step.sync()
    (labels,) = in_step.rows("SELECT labels FROM gmail_messages WHERE gmail_id = %s", first)
    assert sorted(labels[0]) == ["INBOX", "STARRED"]


async def test_mail_taken_out_of_spam_is_read_then(in_step: Mailroom):
    spam = in_step.control.deliver(job_mail(9), ("SPAM",))
    await in_step.sync()
    assert spam not in in_step.control.fetches()
    in_step.control.relabel(spam, add=["INBOX"], remove=["SPAM"])
    await in_step.sync()
    in_step.is_complete()
    assert in_step.ledger()[spam] == "stored"


async def test_drafts_that_are_saved_again_and_again_are_never_fetched(in_step: Mailroom):
    before = in_step.control.fetches()
    draft = in_step.control.save_draft(job_mail(50))
    for _ in range(5):
        draft = in_step.control.save_draft(job_mail(50), replacing=draft)
    await in_step.sync()
    assert in_step.control.fetches() == before
    in_step.control.send_draft(draft)
    await in_step.sync()
    in_step.is_complete()


async def test_history_told_twice_and_out_of_order_comes_to_the_same(in_step: Mailroom):
    in_step.control.history_knobs(disorder=7)
    ids = in_step.deliver(20, first=6)
    for gmail_id in ids[:10]:
        in_step.control.relabel(gmail_id, add=["STARRED"])
    for gmail_id in ids[5:15]:
        in_step.control.delete(gmail_id)
    await in_step.sync()
    await in_step.sync()
    in_step.is_complete()
    gone = {row[0] for row in in_step.rows("SELECT gmail_id FROM gmail_messages WHERE state = 'gone'")}
    assert gone == set(ids[5:15])


async def test_pages_that_hold_only_a_token_do_not_end_the_history(in_step: Mailroom):
    in_step.control.history_knobs(hollow_pages=3)
    in_step.deliver(4, first=6)
    await in_step.sync()
    in_step.is_complete()


async def test_a_page_token_of_history_that_died_loses_nothing(in_step: Mailroom):
    in_step.control.history_knobs(hollow_pages=3)
    in_step.control.fault("history.list .*pageToken", "precondition", times=1)
    in_step.deliver(4, first=6)
    await in_step.sync()
    in_step.is_complete()


async def test_the_cursor_moves_only_with_what_it_stands_for(in_step: Mailroom, monkeypatch):
    from mailsync.gmail.mailbox import store

    (before,) = in_step.rows("SELECT cursor FROM gmail_mailboxes")
    in_step.deliver(2, first=6)

    async def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(store, "move", broken)
        with pytest.raises(RuntimeError):
            await in_step.sync()
    assert in_step.rows("SELECT cursor FROM gmail_mailboxes") == [before]
    assert len(in_step.ledger()) == 6
    assert (await in_step.status()).last_error == "program_fault"
    await in_step.sync()
    in_step.is_complete()


async def test_expired_history_loses_nothing_and_fetches_nothing_again(in_step: Mailroom):
    ids = list(in_step.control.mailbox())
    in_step.deliver(3, first=6)
    in_step.deliver(2, other_mail)
    in_step.control.delete(ids[0])
    in_step.control.trash(ids[1])
    in_step.control.expire_history()
    status = await in_step.sync()
    in_step.is_complete()
    assert status.phase == "in_step"
    assert status.history_usable
    assert [gap.filled_at is not None for gap in status.gaps] == [True]
    assert in_step.rows("SELECT state FROM gmail_messages WHERE gmail_id = %s", ids[0]) == [("gone",)]
    in_step.deliver(1, first=20)
    await in_step.sync()
    in_step.is_complete()


async def test_recent_mail_is_listed_first_after_a_gap(in_step: Mailroom):
    in_step.deliver(1, first=6)
    in_step.control.expire_history()
    in_step.control.forget_calls()
    await in_step.sync()
    lists = [call["target"] for call in in_step.control.calls("messages.list")]
    assert any("after%3A" in target for target in lists[:2])


async def test_history_that_is_never_usable_ends_in_hourly_comparisons_not_in_a_loop(in_step: Mailroom):
    in_step.control.fault("history.list", "not_found", times=None)
    await in_step.sync()
    await in_step.sync()
    status = await in_step.sync()
    assert not status.history_usable
    in_step.control.forget_calls()
    in_step.deliver(1, first=6)
    await in_step.sync()
    assert in_step.control.calls("messages.list") == []
    in_step.clock.move(hours=2)
    await in_step.sync()
    in_step.is_complete()
    assert in_step.control.calls("messages.list") != []
    in_step.control.clear_faults()
    in_step.clock.move(hours=2)
    status = await in_step.sync()
    assert status.history_usable
