"""What employers wait for: opened by one message, settled by a later one or by the person."""

from datetime import UTC, date, datetime

import pytest
from fixtures.matching import MatchRunner
from fixtures.samples import Samples, day

from matcher.applications.store import dismiss
from matcher.asks.rules import asks_of, due
from matcher.asks.store import asks_of_application, open_asks, reopen_ask, settle_ask
from matcher.timeline.types import Event
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, AskId, MessageId
from schema.vocabulary import AskKind, EventKind


def event(kind: EventKind, sent: float | None, message: int) -> Event:
    return Event(
        event_id=message,
        message_id=MessageId(message),
        kind=kind,
        sent_at=None if sent is None else day(sent),
    )


@pytest.mark.parametrize(
    ("opens", "kind"),
    [
        ("assessment_invite", "finish_assessment"),
        ("interview_invite", "choose_time"),
        ("info_request", "send_information"),
        ("offer", "answer_offer"),
    ],
)
def test_an_event_opens_an_ask_that_an_end_settles(opens: EventKind, kind: AskKind):
    asked = event(opens, 3, 1)
    (ask,) = asks_of([asked])
    assert (ask.kind, ask.opened_at, ask.settled_at) == (kind, day(3), None)
    (ask,) = asks_of([event("rejection", 5, 2), asked])
    assert (ask.settled_at, ask.settling_message_id) == (day(5), 2)


def test_a_reminder_settles_nothing_and_asks_again():
    asks = asks_of([event("assessment_invite", 3, 1), event("assessment_invite", 4, 2)])
    assert [ask.settled_at for ask in asks] == [None, None]


def test_only_what_was_sent_later_settles():
    (ask,) = asks_of([event("rejection", 2, 2), event("interview_invite", 3, 1)])
    assert ask.settled_at is None


def test_an_offer_waits_for_the_person():
    asks = asks_of([event("offer", 3, 1), event("interview_scheduled", 4, 2)])
    assert [ask.settled_at for ask in asks] == [None]


def test_a_message_of_unknown_time_opens_nothing():
    assert asks_of([event("offer", None, 1)]) == []


@pytest.mark.parametrize(
    ("comparable", "instant", "plain"),
    [
        ("2026-03-20", None, date(2026, 3, 20)),
        ("2026-03-20T17:00:00+00:00", datetime(2026, 3, 20, 17, tzinfo=UTC), None),
        ("2026-03-20T17:00", None, date(2026, 3, 20)),
        ("2026-13-45", None, None),
        ("soon", None, None),
        ("", None, None),
    ],
)
def test_a_deadline_is_an_instant_a_day_or_unknown(
    comparable: str, instant: datetime | None, plain: date | None
):
    assert due(comparable) == (instant, plain)


async def test_asks_follow_the_mail(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    named = {"employer": "Northwind", "role": "Data Engineer"}
    test = samples.message("assessment_invite", sent=6, deadline="2026-03-20", **named)
    await match()
    async with database.as_account(account) as unit:
        (ask,) = await open_asks(unit)
    assert (ask.kind, ask.message_id, ask.due_on, ask.due_at) == (
        "finish_assessment",
        test,
        date(2026, 3, 20),
        None,
    )
    assert (ask.due_text, ask.company, ask.opened_at) == ("2026-03-20", "Northwind", day(6))
    invite = samples.message("interview_invite", sent=9, **named)
    await match()
    async with database.as_account(account) as unit:
        assert [found.kind for found in await open_asks(unit)] == ["choose_time"]
        rows = await asks_of_application(unit, applied)
    assert [(row.settled_by, row.settling_message_id) for row in rows] == [("message", invite), (None, None)]


async def test_a_deadline_nobody_could_read_stays_text(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    samples.application()
    samples.message("info_request", employer="Northwind", role="Data Engineer", deadline="end of next week")
    await match()
    async with database.as_account(account) as unit:
        (ask,) = await open_asks(unit)
    assert (ask.due_at, ask.due_on, ask.due_text) == (None, None, "end of next week")


async def test_what_the_person_settled_stays_settled_until_they_reopen_it(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    samples.application()
    message = samples.message("offer", employer="Northwind", role="Data Engineer")
    await match()
    async with database.as_account(account) as unit:
        (ask,) = await open_asks(unit)
        await settle_ask(unit, ask.ask_id, now=day(12))
        await settle_ask(unit, ask.ask_id, now=day(13))
    samples.reading(message, "offer", "info_request", employer="Northwind", role="Data Engineer")
    await match()
    async with database.as_account(account) as unit:
        assert [found.kind for found in await open_asks(unit)] == ["send_information"]
        await reopen_ask(unit, ask.ask_id)
        assert {found.kind for found in await open_asks(unit)} == {"send_information", "answer_offer"}
    assert samples.rows("SELECT count(*) FROM asks") == [(2,)]


async def test_an_ask_goes_with_its_message(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    message = samples.message("offer", employer="Northwind", role="Data Engineer")
    await match()
    samples.reading(message, "not_job_related")
    await match()
    async with database.as_account(account) as unit:
        assert await asks_of_application(unit, applied) == []


async def test_a_dismissed_application_asks_nothing(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    samples.message("offer", employer="Northwind", role="Data Engineer")
    await match()
    async with database.as_account(account) as unit:
        await dismiss(unit, applied, now=day(12))
        assert await open_asks(unit) == []


async def test_another_accounts_ask_is_missing(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples
):
    theirs = samples.of(other_account)
    ask = AskId(
        theirs.insert(
            "asks",
            application_id=theirs.application(),
            message_id=theirs.message("offer"),
            kind="answer_offer",
            opened_at=day(3),
        )
    )
    async with database.as_account(account) as unit:
        with pytest.raises(Missing):
            await settle_ask(unit, ask, now=day(4))
        with pytest.raises(Missing):
            await reopen_ask(unit, ask)
