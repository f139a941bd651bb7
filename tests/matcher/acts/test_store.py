"""The log of acts: appended, read back whole, undone once."""

import msgspec
import pytest
from fixtures.people import FixedClock
from fixtures.samples import Samples

from matcher.acts.store import UndoneAlready, act, append_act, count_messages, take_back
from matcher.acts.types import NewAct
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, ActId


async def test_an_act_is_read_back_as_it_was_appended(
    database: Database, account: AccountId, samples: Samples, clock: FixedClock
):
    applied = samples.application()
    replaced = msgspec.Raw(b'{"status":"applied"}')
    new = NewAct(
        about="status",
        choice="accept_status",
        application_id=applied,
        message_id=samples.message("rejection"),
        stage="rejected",
        replaced=replaced,
    )
    async with database.as_account(account) as unit:
        act_id = await append_act(unit, new, now=clock.now())
        await count_messages(unit, act_id, 3)
    async with database.as_account(account) as unit:
        found = await act(unit, act_id)
    assert (found.about, found.choice, found.stage, found.messages) == (
        "status",
        "accept_status",
        "rejected",
        3,
    )
    assert (found.actor, found.application_id, found.undone_at) == ("person", applied, None)
    assert msgspec.json.decode(found.replaced or b"") == {"status": "applied"}


async def test_an_act_is_taken_back_once(database: Database, account: AccountId, clock: FixedClock):
    async with database.as_account(account) as unit:
        act_id = await append_act(
            unit, NewAct(about="pattern", choice="confirm", pattern="weak:"), now=clock.now()
        )
        assert (await take_back(unit, act_id, now=clock.now())).undone_at is None
        assert (await act(unit, act_id)).undone_at == clock.now()
        with pytest.raises(UndoneAlready):
            await take_back(unit, act_id, now=clock.now())


async def test_another_account_has_no_such_act(
    database: Database, account: AccountId, other_account: AccountId, clock: FixedClock
):
    async with database.as_account(account) as unit:
        act_id = await append_act(unit, NewAct(about="pattern", choice="confirm"), now=clock.now())
    async with database.as_account(other_account) as unit:
        for missing in (act_id, ActId(999_999)):
            with pytest.raises(Missing):
                await take_back(unit, missing, now=clock.now())
