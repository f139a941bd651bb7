"""The switch for language models: off until the person says yes, and it says what would be sent and where."""

from collections.abc import AsyncGenerator

import httpx2
import pytest
from fixtures.app import app_of, browsing, running
from fixtures.html import follow, see, send, submit
from fixtures.people import FixedClock
from fixtures.samples import Samples
from msgspec.structs import replace

from mailsync.classify.language_model.store import may_read
from pipeline.usage.store import set_switch
from schema.db import Database
from schema.ids import AccountId
from schema.settings import ModelSettings, Settings

PLACE = "/settings/model"
MODEL = ModelSettings(key="sk-canary-of-the-key", name="small-one", url="https://models.example/v1")


@pytest.fixture
async def asker(
    settings: Settings, clock: FixedClock, session_token: str
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Somebody on an installation that has a model."""
    made = app_of(replace(settings, model=MODEL), clock)
    async with running(made), browsing(made, session_token) as client:
        yield client


async def allowed(database: Database, account: AccountId) -> bool:
    async with database.as_account(account) as unit:
        return await may_read(unit)


async def test_without_a_model_nothing_can_be_allowed(
    client: httpx2.AsyncClient, database: Database, account: AccountId
):
    page = await see(client, PLACE)
    assert "There is no language model here, so nothing is sent" in page.text()
    assert page.text("#model .badge") == "No"
    assert not page.has(f'form[action="{PLACE}"]')
    answer = await follow(client, await send(client, PLACE, allowed="yes"))
    assert "Nothing is sent" in answer.text(".flash")
    assert not await allowed(database, account)


async def test_a_person_says_yes_and_takes_it_back(
    asker: httpx2.AsyncClient, database: Database, account: AccountId, samples: Samples
):
    samples.message(body="Could you tell us more about your dog?")
    page = await see(asker, PLACE)
    assert page.texts("#model dd") == ["models.example", "small-one", "1 message"]
    assert "sk-canary" not in page.answer.text
    page = await follow(asker, await submit(asker, page, PLACE))
    assert page.text("#model .badge") == "Yes"
    assert await allowed(database, account)
    assert samples.rows("SELECT count(*) FROM tasks WHERE kind = 'mail.interpret.v1'") == [(1,)]
    page = await follow(asker, await submit(asker, page, PLACE))
    assert "No language model reads your mail" in page.text(".flash")
    assert not await allowed(database, account)


async def test_what_the_operator_holds_back_is_told(
    asker: httpx2.AsyncClient, database: Database, clock: FixedClock
):
    async with database.as_fleet() as unit:
        await set_switch(unit, allowed=False, actor="grace", reason="too dear", now=clock.now())
    told = (await see(asker, PLACE)).text("#model")
    assert "held back at the moment" in told
    assert "too dear" in told


async def test_an_answer_that_is_none_changes_nothing(
    asker: httpx2.AsyncClient, database: Database, account: AccountId
):
    for sent in ("", "maybe", "true"):
        assert (await send(asker, PLACE, allowed=sent)).status == 400
    assert not await allowed(database, account)
