"""What Google refuses, cuts off or takes away in the middle, and what is made of it."""

import json

import pytest
from fixtures.mailroom import Mailroom, job_mail, other_mail

from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.quota import store as quota
from mailsync.gmail.sync import fetching, rules


async def again(room: Mailroom) -> None:
    """The pause is over."""
    room.rows("UPDATE gmail_quota SET paused_until = '-infinity', units = capacity RETURNING 1")
    await room.sync()


async def test_every_shape_of_a_rate_refusal_pauses_and_loses_nothing(mailroom: Mailroom):
    mailroom.deliver(10)
    await mailroom.connect()
    for kind in ("per_minute", "user_rate", "concurrent", "exhausted", "retry_at"):
        mailroom.control.fault("messages.get", kind, times=1)
        status = await mailroom.sync()
        assert (status.state, status.last_error) == ("connected", "quota_exhausted"), kind
        assert status.remaining is None
        mailroom.rows("UPDATE gmail_quota SET paused_until = '-infinity', units = capacity RETURNING 1")
    status = await mailroom.sync()
    mailroom.is_complete()
    assert status.last_error is None


async def test_a_refused_part_of_a_batch_is_not_done_and_the_others_are(mailroom: Mailroom):
    ids = mailroom.deliver(4)
    await mailroom.connect()
    mailroom.control.fault(f"messages.get .*{ids[1]}", "exhausted", times=1)
    await mailroom.sync()
    assert mailroom.ledger() == {each: "wanted" if each == ids[1] else "stored" for each in ids}
    assert mailroom.rows("SELECT tries FROM gmail_messages WHERE gmail_id = %s", ids[1]) == [(0,)]
    await again(mailroom)
    mailroom.is_complete()


async def test_a_batch_that_is_refused_as_a_whole_is_no_try_of_its_messages(mailroom: Mailroom):
    mailroom.deliver(4)
    await mailroom.connect()
    mailroom.control.fault("^batch ", "exhausted", times=None)
    for _ in range(2):
        await again(mailroom)
    assert mailroom.rows("SELECT DISTINCT state, tries FROM gmail_messages") == [("wanted", 0)]
    mailroom.control.clear_faults()
    await again(mailroom)
    mailroom.is_complete()


async def test_google_says_until_when_to_stay_away(mailroom: Mailroom):
    mailroom.deliver(1)
    await mailroom.connect()
    mailroom.control.fault("messages.list", "unavailable", times=1, retry_after=120)
    mailroom.control.fault("getProfile", "exhausted", times=1, retry_after=120)
    await mailroom.sync()
    (row,) = mailroom.rows(
        "SELECT extract(epoch FROM max(paused_until) - now()) BETWEEN 100 AND 125,"
        " min(rate / full_rate) FROM gmail_quota"
    )
    assert row == (True, 0.5)


async def test_a_mailbox_larger_than_the_quota_of_a_minute_is_read_within_it(mailroom: Mailroom):
    mailroom.deliver(40, other_mail)
    mailroom.control.set_quota(costs="2026", per_user=60_000)
    await mailroom.connect()
    await mailroom.build(user_units_minute=60_000).sync()
    mailroom.is_complete()
    assert mailroom.control.meters()["refused"] == 0


async def test_a_revoked_grant_stops_the_sync_and_keeps_data_and_cursor(mailroom: Mailroom):
    mailroom.deliver(6)
    await mailroom.connect()
    await mailroom.sync()
    mailroom.deliver(6, first=6)
    mailroom.control.revoke()
    status = await mailroom.sync()
    assert (status.state, status.last_error, status.counts.stored) == ("grant_lost", "grant_lost", 6)
    assert mailroom.rows("SELECT due_at = 'infinity', holder FROM gmail_turns") == [(True, None)]
    assert mailroom.rows("SELECT cursor IS NOT NULL FROM gmail_mailboxes") == [(True,)]
    assert not await mailroom.keeper.once(mailroom.who)
    await mailroom.visit(mailroom.mailbox_id)
    await mailroom.sync()
    mailroom.is_complete()


async def test_a_grant_revoked_in_the_middle_of_the_first_sync_loses_nothing(mailroom: Mailroom):
    mailroom.deliver(12)
    await mailroom.connect()
    mailroom.control.fault("messages.get", "unauthorized", after=5, times=None)
    mailroom.control.fault("^token ", "invalid_grant", times=None, after=1)
    status = await mailroom.sync()
    assert status.state == "grant_lost"
    mailroom.control.clear_faults()
    await mailroom.visit(mailroom.mailbox_id)
    await mailroom.sync()
    mailroom.is_complete()


async def test_a_dead_grant_is_noticed_while_nothing_is_synced(mailroom: Mailroom):
    await mailroom.connect()
    await mailroom.sync()
    mailroom.rows("UPDATE gmail_quota SET paused_until = now() + interval '1 day' RETURNING 1")
    mailroom.control.revoke()
    mailroom.clock.move(minutes=11)
    status = await mailroom.build().sync()
    assert status.state == "grant_lost"


async def test_an_access_token_that_ran_out_is_made_anew_once(mailroom: Mailroom):
    mailroom.deliver(3)
    await mailroom.connect()
    await mailroom.sync()
    mailroom.control.expire_access()
    mailroom.control.forget_calls()
    mailroom.deliver(2, first=3)
    await mailroom.sync()
    mailroom.is_complete()
    assert len(mailroom.control.calls("token")) == 1


async def test_a_rotated_refresh_token_is_kept(mailroom: Mailroom):
    mailroom.control.grant_knobs(rotates=True)
    await mailroom.connect()
    await mailroom.sync()
    for _ in range(3):
        mailroom.clock.move(minutes=11)
        status = await mailroom.build().sync()
    assert status.state == "connected"


async def test_a_server_in_trouble_is_left_alone_ever_longer(mailroom: Mailroom):
    mailroom.deliver(3)
    await mailroom.connect()
    mailroom.control.fault("messages.list", "html_503", times=None)
    rests: list[float] = []
    for _ in range(3):
        status = await mailroom.sync()
        assert status.last_error == "gmail_unavailable"
        assert status.paused_until
        rests.append((status.paused_until - mailroom.clock.now()).total_seconds())
    assert rests == sorted(rests)
    assert rests[0] < rests[2]
    mailroom.control.clear_faults()
    status = await mailroom.sync()
    assert (status.last_error, status.paused_until) == (None, None)
    mailroom.is_complete()


async def test_answers_that_are_cut_or_lost_cost_a_repetition_and_nothing_else(mailroom: Mailroom):
    mailroom.deliver(9)
    await mailroom.connect()
    for operation, kind in (
        ("batch", "cut"),
        ("batch", "reset"),
        ("messages.list", "cut"),
        ("history", "cut"),
    ):
        mailroom.control.fault(operation, kind, times=1)
    for _ in range(6):
        await mailroom.sync()
    mailroom.is_complete()


async def test_a_message_that_cannot_be_read_is_quarantined_and_listed(mailroom: Mailroom, monkeypatch):
    ids = mailroom.deliver(5)
    real = fetching.outcome

    def poisoned(letter, *more):
        if letter.gmail_id == ids[2]:
            raise RecursionError("too deep")
        return real(letter, *more)

    monkeypatch.setattr(fetching, "outcome", poisoned)
    await mailroom.connect()
    status = await mailroom.sync()
    mailroom.is_complete()
    assert [(bad.gmail_id, bad.code) for bad in status.quarantined] == [(ids[2], "unparseable")]
    assert mailroom.rows("SELECT code FROM quarantine") == [("unparseable",)]
    await mailroom.sync()
    monkeypatch.undo()
    async with mailroom.database.as_account(mailroom.account) as unit:
        assert await ledger.try_again(unit, mailroom.who.mailbox_id) == 1
    status = await mailroom.sync()
    assert status.counts.quarantined == 0
    assert status.counts.stored == 5


async def test_a_message_google_never_sends_does_not_stop_the_others(mailroom: Mailroom):
    ids = mailroom.deliver(6)
    await mailroom.connect()
    mailroom.control.fault(f"messages.get .*{ids[3]}", "backend", times=None)
    for _ in range(12):
        await mailroom.sync()
        mailroom.clock.move(hours=7)
    status = await mailroom.status()
    assert status.counts.stored == 5
    assert [(bad.gmail_id, bad.code) for bad in status.quarantined] == [(ids[3], "fetch_never_ended")]


async def test_a_message_that_ends_the_program_each_time_is_found_out(mailroom: Mailroom):
    ids = mailroom.deliver(6)
    await mailroom.connect()
    await mailroom.sync()
    mailroom.rows(
        "UPDATE gmail_messages SET state = 'wanted', tries = 8 WHERE gmail_id = %s RETURNING 1", ids[2]
    )
    status = await mailroom.sync()
    assert [(bad.gmail_id, bad.code) for bad in status.quarantined] == [(ids[2], "fetch_never_ended")]


async def test_a_suspect_is_fetched_alone(mailroom: Mailroom):
    ids = mailroom.deliver(6)
    await mailroom.connect()
    await mailroom.sync()
    mailroom.rows("UPDATE gmail_messages SET state = 'wanted' RETURNING 1")
    mailroom.rows("UPDATE gmail_messages SET tries = 3 WHERE gmail_id = %s RETURNING 1", ids[5])
    async with mailroom.database.as_account(mailroom.account) as unit:
        first = await ledger.begin(
            unit, mailroom.who.mailbox_id, most_rank=3, limit=4, now=mailroom.clock.now()
        )
    assert [each.gmail_id for each in first] == [ids[5]]


async def test_a_message_that_is_gone_before_it_is_fetched_is_no_trouble(mailroom: Mailroom):
    ids = mailroom.deliver(5)
    await mailroom.connect()
    mailroom.control.fault(f"messages.get .*{ids[2]}", "not_found", times=None)
    status = await mailroom.sync()
    assert (status.counts.stored, status.counts.gone, status.last_error) == (4, 1, None)


async def test_without_a_batch_endpoint_messages_are_asked_for_one_by_one(mailroom: Mailroom):
    mailroom.deliver(5)
    await mailroom.connect()
    mailroom.control.fault("^batch ", "not_found", times=None)
    await mailroom.sync()
    mailroom.is_complete()


async def test_a_changed_screen_names_exactly_what_it_may_keep(mailroom: Mailroom):
    mailroom.deliver(3, job_mail)
    others = mailroom.deliver(3, other_mail)
    await mailroom.connect()
    await mailroom.sync()
    mailroom.rows("UPDATE gmail_messages SET screen_version = 1 WHERE gmail_id = %s RETURNING 1", others[0])
    from mailsync.classify import screen

    async with mailroom.database.as_account(mailroom.account) as unit:
        assert await ledger.rescreen(unit, mailroom.who.mailbox_id, version=screen.VERSION) == 1
    await mailroom.sync()
    assert mailroom.fetched_twice() == {others[0]: 2}


async def test_no_log_line_names_a_token_or_a_letter(mailroom: Mailroom, capsys, caplog):
    import logging

    caplog.set_level(logging.DEBUG)
    mailroom.deliver(3)
    await mailroom.connect()
    mailroom.control.fault("messages.list", "html_503", times=1)
    await mailroom.sync()
    await mailroom.sync()
    told = caplog.text + json.dumps(list(capsys.readouterr()))
    for call in mailroom.control.calls():
        if call["token"]:
            assert call["token"] not in told
    assert "Your application" not in told
    assert mailroom.settings.client_secret not in told


def test_bursts_and_rate_together_stay_within_the_minute():
    bucket = quota.Bucket(key="user:x", units_minute=6000)
    assert bucket.capacity + bucket.rate * 60 <= 6000


async def test_a_reader_that_reads_nothing_puts_no_message_aside(mailroom: Mailroom, monkeypatch):
    mailroom.deliver(4)
    await mailroom.connect()

    def broken(*arguments: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(rules, "read_message", broken)
        with pytest.raises(RuntimeError):
            await mailroom.sync()
    assert (await mailroom.status()).last_error == "program_fault"
    assert mailroom.control.fetches() == {}
    await mailroom.sync()
    mailroom.is_complete()
    assert (await mailroom.status()).counts.stored == 4


async def test_a_message_put_off_by_a_clock_that_was_days_ahead_does_not_wait_for_days(mailroom: Mailroom):
    ids = mailroom.deliver(4)
    await mailroom.connect()
    mailroom.control.fault(f"messages.get .*{ids[1]}", "backend", times=1)
    mailroom.clock.move(days=3)
    await mailroom.sync()
    assert mailroom.ledger()[ids[1]] == "wanted"
    mailroom.clock.move(days=-3)
    await mailroom.sync()
    mailroom.is_complete()
