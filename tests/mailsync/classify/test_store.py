from datetime import datetime
from pathlib import Path

import pytest
from fixtures.mail import mail
from fixtures.people import FixedClock

from mailsync.classify.store import append, correct, in_force, undo
from mailsync.classify.types import Reading
from schema.db import Database
from schema.errors import Invalid, Missing
from schema.ids import AccountId, MessageId


@pytest.fixture
async def message_id(importer, tmp_path: Path, rows) -> MessageId:
    (tmp_path / "a.eml").write_bytes(mail("We received your application for the Baker role."))
    await importer(tmp_path)
    return MessageId(rows("SELECT id FROM messages")[0][0])


async def kinds_in_force(
    database: Database, account: AccountId, message_id: MessageId
) -> tuple[str, list[str]]:
    async with database.as_account(account) as unit:
        found = await in_force(unit, message_id)
    assert found is not None
    return found.stage, list(found.kinds)


@pytest.fixture
def now(clock: FixedClock) -> datetime:
    return clock.now()


async def test_a_person_overrules_the_rules_and_no_machine_overrules_the_person(
    database: Database, account: AccountId, message_id: MessageId, now: datetime, rows
):
    assert await kinds_in_force(database, account, message_id) == ("rules", ["acknowledgement"])
    async with database.as_account(account) as unit:
        await correct(unit, message_id, ["interview_invite", "info_request"], now=now)
    said = ("person", ["interview_invite", "info_request"])
    assert await kinds_in_force(database, account, message_id) == said
    machine = Reading(stage="rules", version=2, state="open")
    async with database.as_account(account) as unit:
        await append(unit, {message_id: machine}, now=now)
    assert await kinds_in_force(database, account, message_id) == said
    assert rows("SELECT count(*) FROM readings") == [(3,)]


async def test_a_correction_can_be_taken_back_and_the_log_keeps_both(
    database: Database, account: AccountId, message_id: MessageId, now: datetime, rows
):
    async with database.as_account(account) as unit:
        await correct(unit, message_id, ["rejection"], now=now)
    async with database.as_account(account) as unit:
        await correct(unit, message_id, [], now=now)
    assert await kinds_in_force(database, account, message_id) == ("person", [])
    for expected in (
        ("person", ["rejection"]),
        ("rules", ["acknowledgement"]),
        ("rules", ["acknowledgement"]),
    ):
        async with database.as_account(account) as unit:
            await undo(unit, message_id, now=now)
        assert await kinds_in_force(database, account, message_id) == expected
    assert rows("SELECT stage, count(*) FROM readings GROUP BY stage ORDER BY stage") == [
        ("person", 4),
        ("rules", 1),
    ]


async def test_a_correction_asks_the_matcher_to_look_again(
    database: Database, account: AccountId, message_id: MessageId, now: datetime, rows
):
    before = rows("SELECT count(*) FROM tasks WHERE kind = 'match.account.v1'")[0][0]
    async with database.as_account(account) as unit:
        await correct(unit, message_id, ["rejection"], now=now)
    assert rows("SELECT count(*) FROM tasks WHERE kind = 'match.account.v1'") == [(before + 1,)]


async def test_another_persons_message_is_a_missing_one(
    database: Database, other_account: AccountId, message_id: MessageId, now: datetime
):
    with pytest.raises(Missing):
        async with database.as_account(other_account) as unit:
            await correct(unit, message_id, ["rejection"], now=now)
    with pytest.raises(Missing):
        async with database.as_account(other_account) as unit:
            await undo(unit, message_id, now=now)


async def test_what_is_about_no_job_says_nothing_of_an_application(
    database: Database, account: AccountId, message_id: MessageId, now: datetime, rows
):
    async with database.as_account(account) as unit:
        with pytest.raises(Invalid, match="stands alone"):
            await correct(unit, message_id, ["not_job_related", "status_update"], now=now)
    assert rows("SELECT count(*) FROM readings WHERE stage = 'person'") == [(0,)]
