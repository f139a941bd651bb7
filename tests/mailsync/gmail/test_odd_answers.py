"""Answers that Google should never give: none stops a mailbox for good, or takes a token elsewhere."""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Callable

import pytest
from emulators.gmail.server import Gmail
from emulators.gmail.wire import Answer, Request, as_json, redirect
from fixtures.mailroom import Mailroom, job_mail, other_mail

LISTS = "messages.list (?!.*labelIds)"
Answering = Callable[[Request], Answer]


def listing(ids: list[str], **more: str) -> Answering:
    return lambda _: as_json({"messages": [{"id": each, "threadId": "t\0"} for each in ids], **more})


@pytest.mark.parametrize("odd", ["", "x" * 101, "a\0b", "ü/../../x?y=1"])
async def test_an_id_no_message_can_have_is_passed_over(mailroom: Mailroom, odd: str):
    ids = mailroom.deliver(3)
    await mailroom.connect()
    mailroom.control.fault(LISTS, listing([*ids, odd]), times=None)
    status = await mailroom.sync()
    assert (status.counts.stored, status.last_error) == (3, None)
    mailroom.is_complete()


async def test_a_page_that_tells_an_id_twice_counts_it_once(mailroom: Mailroom):
    ids = mailroom.deliver(3)
    await mailroom.connect()
    mailroom.control.fault(LISTS, listing(ids + ids), times=None)
    await mailroom.sync()
    mailroom.is_complete()


async def test_an_empty_page_token_is_the_end_of_a_list(mailroom: Mailroom):
    ids = mailroom.deliver(2)
    await mailroom.connect()
    mailroom.control.fault(LISTS, listing(ids, nextPageToken=""), times=None)
    mailroom.control.fault(
        "history.list", lambda _: as_json({"historyId": "9", "nextPageToken": ""}), times=None
    )
    status = await asyncio.wait_for(mailroom.sync(), 20)
    assert (status.phase, status.total) == ("in_step", 2)


@pytest.mark.parametrize("told", ["", "abc", "-5", "١٢", "9" * 41, "9" * 5000])
async def test_a_history_id_that_is_none_is_asked_for_again(mailroom: Mailroom, told: str):
    mailroom.deliver(1)
    await mailroom.connect()
    profile = as_json({"emailAddress": "sam.carter@gmail.example", "historyId": told})
    mailroom.control.fault("getProfile", lambda _: profile, times=1)
    assert (await mailroom.sync()).last_error == "gmail_unreachable"
    await mailroom.sync()
    mailroom.is_complete()


async def test_a_record_with_an_odd_number_and_odd_texts_is_recorded(mailroom: Mailroom):
    await mailroom.connect()
    await mailroom.sync()
    moved = {"message": {"id": "a1", "threadId": "x\0"}, "labelIds": ["DRAFT", "A\0", *map(str, range(9000))]}
    told = {"history": [{"id": "9" * 5000, "labelsAdded": [moved]}], "historyId": "9" * 60}
    mailroom.control.fault("history.list", lambda _: as_json(told), times=1)
    await mailroom.sync()
    assert mailroom.ledger() == {"a1": "left_out"}
    mailroom.deliver(1)
    await mailroom.sync()
    mailroom.is_complete()


@pytest.mark.parametrize(
    "odd", [{"labelIds": None}, {"labelIds": ["x\0y"]}, {"threadId": "\0"}, {"internalDate": "-86400000"}]
)
async def test_a_message_with_odd_texts_around_it_is_stored(mailroom: Mailroom, odd: dict[str, object]):
    (gmail_id,) = mailroom.deliver(1)
    await mailroom.connect()
    message = {"id": gmail_id, "raw": urlsafe_b64encode(job_mail(0)).decode().rstrip("="), **odd}
    mailroom.control.fault("messages.get", lambda _: as_json(message), times=None)
    assert (await mailroom.sync()).counts.stored == 1


async def test_another_message_than_was_asked_for_is_not_taken_for_it(mailroom: Mailroom):
    mailroom.deliver(1)
    await mailroom.connect()
    mailroom.control.fault("messages.get", lambda _: as_json({"id": "x\0", "raw": "eA=="}), times=1)
    await mailroom.sync()
    assert mailroom.rows("SELECT count(*) FROM messages") == [(0,)]
    mailroom.clock.move(hours=1)
    await mailroom.sync()
    mailroom.is_complete()


async def test_no_token_follows_a_redirect(mailroom: Mailroom):
    await mailroom.connect()
    with Gmail() as elsewhere:
        there = f"{elsewhere.url}/gmail/v1/users/me/profile"
        mailroom.control.fault("getProfile", lambda _: redirect(there), times=1)
        assert (await mailroom.sync()).last_error == "gmail_unavailable"
        assert elsewhere.control.calls() == []


async def test_a_list_whose_page_tokens_always_die_is_given_a_rest(mailroom: Mailroom):
    mailroom.control.deliver_many([other_mail(number) for number in range(510)])
    await mailroom.connect()
    mailroom.control.fault("messages.list .*pageToken", "precondition", times=None)
    for _ in range(2):
        status = await asyncio.wait_for(mailroom.sync(), 20)
        assert status.last_error == "request_refused"
    mailroom.control.clear_faults()
    while (await mailroom.status()).total is None:
        mailroom.control.fault("messages.get", "exhausted", times=1)
        await mailroom.sync()
        mailroom.rows("UPDATE gmail_quota SET paused_until = '-infinity', units = capacity RETURNING 1")
    assert len(mailroom.ledger()) == 510


async def test_a_history_whose_page_tokens_always_die_is_compared_instead(mailroom: Mailroom):
    await mailroom.connect()
    await mailroom.sync()
    mailroom.control.history_knobs(hollow_pages=100)
    mailroom.deliver(4)
    mailroom.control.fault("history.list .*pageToken", "precondition", times=None)
    status = await asyncio.wait_for(mailroom.sync(), 20)
    assert status.gaps
    mailroom.is_complete()
