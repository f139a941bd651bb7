"""Other names of employers: entered, shown with where they came from, removed, and each step taken back."""

import httpx2
from fixtures.html import follow, see, send, submit
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples

from matcher.aliases.store import add_name, names
from schema.db import Database
from schema.ids import AccountId

PLACE = "/settings/names"


async def known(database: Database, account: AccountId) -> list[tuple[str, str]]:
    async with database.as_account(account) as unit:
        return [(found.alias, found.company) for found in await names(unit)]


async def test_a_name_is_entered_and_taken_back(
    client: httpx2.AsyncClient, database: Database, account: AccountId
):
    page = await see(client, PLACE)
    assert page.has(f'form[action="{PLACE}"]')
    answer = await send(client, PLACE, alias="Globex", company="Initech GmbH")
    page = await follow(client, answer)
    assert "Globex is Initech GmbH" in page.text()
    assert "Entered by you" in page.text()
    assert await known(database, account) == [("Globex", "Initech GmbH")]


async def test_a_removed_name_can_be_brought_back(
    client: httpx2.AsyncClient, database: Database, account: AccountId, clock: FixedClock
):
    async with database.as_account(account) as unit:
        alias_id = await add_name(unit, "Globex", "Initech", now=clock.now())
    page = await follow(client, await send(client, f"{PLACE}/remove", id=str(alias_id)))
    assert await known(database, account) == []
    assert page.has(f'form[action="{PLACE}/restore"]')
    await send(client, f"{PLACE}/restore", id=str(alias_id))
    assert await known(database, account) == [("Globex", "Initech")]


async def test_what_cannot_be_a_name_is_refused_beside_its_field(client: httpx2.AsyncClient):
    page = await send(client, PLACE, alias="Initech Ltd", company="Initech")
    assert page.answer.status_code == 400
    assert "written alike already" in page.text(".error-summary")
    assert (await send(client, PLACE, alias="", company="Initech")).answer.status_code == 400
    for long in ({"alias": "ß" * 290, "company": "Initech"}, {"alias": "Initech", "company": "ß" * 290}):
        page = await send(client, PLACE, **long)
        assert "too long to be compared" in page.text(".error-summary")
    assert (await send(client, f"{PLACE}/remove", id="x")).answer.status_code == 404
    assert (await send(client, f"{PLACE}/remove", id="99999")).answer.status_code == 404


async def test_anothers_name_is_as_missing_as_none(
    client: httpx2.AsyncClient, database: Database, other_account: AccountId, clock: FixedClock
):
    async with database.as_account(other_account) as unit:
        alias_id = await add_name(unit, "Globex", "Initech", now=clock.now())
    assert not (await see(client, PLACE)).has(".rows")
    assert (await send(client, f"{PLACE}/remove", id=str(alias_id))).answer.status_code == 404
    assert await known(database, other_account) == [("Globex", "Initech")]


async def test_mail_under_an_entered_name_finds_its_application(
    client: httpx2.AsyncClient, match: MatchRunner, samples: Samples
):
    applied = samples.application("Initech", "Analyst")
    samples.message("rejection", employer="Globex", role="Analyst", body="Globex: Analyst")
    await match()
    assert samples.rows("SELECT application_id FROM matches") != [(applied,)]
    await send(client, PLACE, alias="Globex", company="Initech")
    await match()
    assert samples.rows("SELECT application_id FROM matches") == [(applied,)]
    (says,) = samples.rows("SELECT says FROM evidence WHERE name = 'employer' AND strength > 3")[0]
    assert "another name of Initech, which you entered" in str(says)


async def test_a_derived_application_whose_mail_goes_elsewhere_says_so(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    thanks = "Thank you for applying for Pilot at Globex."
    samples.message("acknowledgement", body=thanks, sender_name="Globex", employer="Globex", role="Pilot")
    await match()
    ((derived,),) = samples.rows("SELECT id FROM applications")
    page = await see(client, f"/applications/{derived}")
    assert "it was concluded from mail, first from this message" in page.text(".notice:not(#connection)")
    samples.application("Initech", "Pilot", applied=9)
    await send(client, "/settings/names", alias="Globex", company="Initech")
    await match()
    listed = await see(client, "/applications")
    assert "concluded from mail, none left" in listed.texts("tbody .badge")
    page = await see(client, f"/applications/{derived}")
    assert "belongs to another one by now" in page.text(".notice:not(#connection)")
    gone = await submit(client, page, f"/applications/{derived}/dismiss", within=".notice")
    assert "by now" not in (await follow(client, gone)).text("main")
