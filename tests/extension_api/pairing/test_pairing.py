"""Pairing over HTTP: a code becomes one device, once, in time, and never by guessing."""

import asyncio
import re

import httpx2
import psycopg
import pytest
from fixtures.extension_client import ORIGIN, Browser, new_code
from fixtures.people import FixedClock

from extension_api.pairing import store
from extension_api.pairing.exchange import revoke
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, DeviceId


async def test_a_code_becomes_a_device_that_knows_whose_it_is(
    stranger: Browser, code: str, clock: FixedClock
):
    assert re.fullmatch(r"[B-Z2-9]{4}-[B-Z2-9]{4}", code)
    answer = await stranger.pair_with(code.lower().replace("-", " "), "My  laptop")
    assert answer.status_code == 200
    assert answer.json()["account_name"] == "Ada"
    me = (await stranger.ask("GET", "/device")).json()
    assert me == {
        "device_id": answer.json()["device_id"],
        "device_name": "My laptop",
        "account_name": "Ada",
        "paired_at": "2026-03-02T09:00:00Z",
    }


async def test_a_code_works_once(stranger: Browser, client: httpx2.AsyncClient, code: str):
    await stranger.pair_with(code)
    second = await Browser(client).pair_with(code)
    assert (second.status_code, second.json()["code"]) == (410, "pairing_code_used")


async def test_of_two_browsers_with_one_code_exactly_one_is_paired(client: httpx2.AsyncClient, code: str):
    answers = await asyncio.gather(*(Browser(client).pair_with(code) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 410, 410, 410]


async def test_a_code_is_good_for_ten_minutes(stranger: Browser, code: str, clock: FixedClock):
    clock.move(minutes=10)
    late = await stranger.pair_with(code)
    assert (late.status_code, late.json()["code"]) == (410, "pairing_code_expired")


async def test_a_code_nobody_was_shown_is_unknown(stranger: Browser):
    answer = await stranger.pair_with("BBBB-BBBB")
    assert (answer.status_code, answer.json()["code"]) == (404, "pairing_code_unknown")


async def test_an_old_expired_code_is_forgotten(
    stranger: Browser, code: str, database: Database, clock: FixedClock, account: AccountId
):
    clock.move(days=2)
    await new_code(database, clock, account)
    assert (await stranger.pair_with(code)).json()["code"] == "pairing_code_unknown"


async def test_guessing_is_slowed_down_even_for_the_right_code(stranger: Browser, code: str):
    for _ in range(10):
        assert (await stranger.pair_with("BBBB-BBBB")).status_code == 404
    refused = await stranger.pair_with(code)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_attempts")
    assert 1 <= int(refused.headers["retry-after"]) <= 30


async def test_a_good_code_clears_the_count_of_its_peer(stranger: Browser, code: str, owner_url: str):
    await stranger.pair_with("BBBB-BBBB")
    await stranger.pair_with(code)
    with psycopg.connect(owner_url) as owner:
        rows = owner.execute("SELECT bucket FROM throttles").fetchall()
    assert [bucket.split(":")[0] for (bucket,) in rows] == ["pairing.total"]


async def test_no_secret_is_stored_or_told_again(stranger: Browser, code: str, owner_url: str):
    token = (await stranger.pair_with(code)).json()["token"]
    with psycopg.connect(owner_url) as owner:
        stored = owner.execute(
            "SELECT (SELECT string_agg(d::text, '') FROM devices d)"
            " || (SELECT string_agg(c::text, '') FROM pairing_codes c)"
        ).fetchone()
    assert stored
    assert token not in stored[0]
    assert code.replace("-", "") not in stored[0]


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example"])
async def test_only_an_extension_can_pair(stranger: Browser, code: str, origin: str | None):
    stranger.headers = {} if origin is None else {"Origin": origin}
    refused = await stranger.pair_with(code)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_an_extension")


async def test_a_device_needs_a_name(stranger: Browser, code: str):
    refused = await stranger.pair_with(code, "\x00 ")
    assert (refused.status_code, refused.json()["code"]) == (400, "device_name_empty")


async def test_a_nul_in_the_code_changes_nothing(stranger: Browser, code: str):
    assert (await stranger.pair_with(f"\x00{code}\x00")).status_code == 200


async def test_an_unknown_key_is_named(stranger: Browser, code: str):
    body = {"code": code, "device_name": "x", "scope": "everything"}
    refused = await stranger.ask("POST", "/pair", body)
    assert refused.status_code == 400
    assert "scope" in refused.json()["detail"]


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer nonsense", "Basic YTpi", "Bearer " + "x" * 5000]
)
async def test_without_a_good_token_nothing_is_answered(stranger: Browser, authorization: str):
    refused = await stranger.ask("GET", "/device", headers={"Authorization": authorization})
    assert (refused.status_code, refused.json()["code"]) == (401, "device_unknown")


async def test_a_revoked_device_is_refused_by_name_from_its_next_request(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId
):
    async with database.as_account(account) as unit:
        await revoke(unit, DeviceId(browser.device_id), clock.now())
    refused = await browser.ask("GET", "/device")
    assert (refused.status_code, refused.json()["code"]) == (401, "device_revoked")


async def test_revoking_again_keeps_the_first_time(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId
):
    first = clock.now()
    for _ in range(2):
        async with database.as_account(account) as unit:
            await revoke(unit, DeviceId(browser.device_id), clock.now())
        clock.move(hours=1)
    async with database.as_account(account) as unit:
        assert [device.revoked_at for device in await store.devices(unit)] == [first]


async def test_nobody_revokes_or_lists_anothers_device(
    browser: Browser, database: Database, clock: FixedClock, other_account: AccountId
):
    async with database.as_account(other_account) as unit:
        assert await store.devices(unit) == []
        with pytest.raises(Missing):
            await revoke(unit, DeviceId(browser.device_id), clock.now())
    assert (await browser.ask("GET", "/device")).status_code == 200


async def test_a_token_is_bound_to_the_extension_that_paired(browser: Browser):
    stolen = await browser.ask("GET", "/device", headers={"Origin": ORIGIN.replace("abc", "xyz")})
    assert (stolen.status_code, stolen.json()["code"]) == (403, "wrong_origin")
    del browser.headers["Origin"]
    assert (await browser.ask("GET", "/device")).status_code == 200


async def test_a_disabled_account_has_no_devices_and_no_pairing(
    browser: Browser,
    stranger: Browser,
    database: Database,
    clock: FixedClock,
    account: AccountId,
    owner_url: str,
):
    unused = await new_code(database, clock, account)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE accounts SET disabled_at = now() WHERE id = %s", (account,))
    assert (await browser.ask("GET", "/device")).json()["code"] == "device_revoked"
    assert (await stranger.pair_with(unused)).json()["code"] == "pairing_code_unknown"


async def test_last_seen_moves_at_most_once_a_minute(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId
):
    async def last_seen() -> float:
        await browser.ask("GET", "/device")
        async with database.as_account(account) as unit:
            (device,) = await store.devices(unit)
        assert device.last_seen_at
        return (device.last_seen_at - device.created_at).total_seconds()

    clock.move(seconds=59)
    assert await last_seen() == 0
    clock.move(seconds=1)
    assert await last_seen() == 60
