"""What a language model names stands beside what was read before it, on the page as for the matcher."""

from datetime import datetime

import pytest
from fixtures.language_model import LeaveOpen
from fixtures.people import FixedClock

from backend.mail.store import named
from mailsync.classify.store import append
from mailsync.classify.types import Fact, Reading, Span
from matcher.evidence.store import letters
from schema.db import Database
from schema.ids import AccountId, MessageId

BODY = "Northwind, req 4711, Baker, Contoso"


def fact(name: str, value: str) -> Fact:
    start = BODY.index(value)
    span = Span(source="text", start=start, end=start + len(value), text=value)
    return Fact(name=name, value=value, comparable=value.lower(), span=span)  # pyright: ignore


def reading(stage: str, *facts: Fact) -> Reading:
    return Reading(stage=stage, version=1, state="open", facts=facts)  # pyright: ignore


@pytest.fixture
def now(clock: FixedClock) -> datetime:
    return clock.now()


async def told(database: Database, account: AccountId, message_id: MessageId) -> set[tuple[str, str, bool]]:
    async with database.as_account(account) as unit:
        (letter,) = await letters(unit, [message_id])
        shown = await named(unit, message_id)
    assert {(each.name, each.value) for each in shown} == {(each.name, each.value) for each in letter.named}
    return {(each.name, each.value, each.sure) for each in letter.named}


async def test_a_model_adds_only_what_nothing_before_it_had_named(
    database: Database, account: AccountId, leave_open: LeaveOpen, now: datetime
):
    message = await leave_open(BODY)
    by_rules = reading("rules", fact("employer", "Northwind"), fact("requisition", "4711"))
    by_model = reading("language_model", fact("employer", "Contoso"), fact("role", "Baker"))
    for each in (by_rules, by_model):
        async with database.as_account(account) as unit:
            await append(unit, {message: each}, now=now)
    assert await told(database, account, message) == {
        ("employer", "Northwind", True),
        ("requisition", "4711", True),
        ("role", "Baker", False),
    }


async def test_rules_that_read_anew_are_believed_before_an_older_and_a_newer_model(
    database: Database, account: AccountId, leave_open: LeaveOpen, now: datetime
):
    message = await leave_open(BODY)
    readings = (
        reading("language_model", fact("employer", "Contoso")),
        reading("rules", fact("employer", "Northwind")),
        reading("language_model", fact("employer", "Contoso"), fact("role", "Baker")),
    )
    for each in readings:
        async with database.as_account(account) as unit:
            await append(unit, {message: each}, now=now)
    assert await told(database, account, message) == {
        ("employer", "Northwind", True),
        ("role", "Baker", False),
    }


async def test_alone_a_model_is_heard(
    database: Database, account: AccountId, leave_open: LeaveOpen, now: datetime
):
    message = await leave_open(BODY)
    async with database.as_account(account) as unit:
        await append(unit, {message: reading("language_model", fact("role", "Baker"))}, now=now)
    assert await told(database, account, message) == {("role", "Baker", False)}
