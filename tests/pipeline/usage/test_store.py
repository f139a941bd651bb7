"""The ledger: one row for each paid request, priced once, changed by nobody. And the switch."""

from datetime import UTC, date, datetime
from decimal import Decimal

import psycopg
import pytest
from fixtures.people import FixedClock

from pipeline.usage.store import current_switch, is_bought, may_submit, record, set_switch
from pipeline.usage.types import Paid, Price, Tokens
from schema.db import Database
from schema.ids import AccountId

ASKED = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PRICES = (Price(model="small", since=date(2026, 1, 1), currency="USD", input=Decimal(1), output=Decimal(2)),)


def paid(custom_id: str = "a-1", request_id: str | None = "req_1", **changed: object) -> Paid:
    values: dict[str, object] = {
        "purpose": "mail.interpret",
        "subject_id": 7,
        "version": 1,
        "provider": "api.example.org",
        "model": "small",
        "mode": "live",
        "custom_id": custom_id,
        "request_id": request_id,
        "outcome": "decided",
        "tokens": Tokens(input=1000, cached=None, output=100),
        "asked_at": ASKED,
    }
    return Paid(**{**values, **changed})  # pyright: ignore


@pytest.fixture
def recorded(database: Database, account: AccountId, clock: FixedClock):
    async def record_one(request: Paid, prices: tuple[Price, ...] = PRICES) -> bool:
        async with database.as_account(account) as unit:
            return await record(unit, request, prices, now=clock.now())

    return record_one


@pytest.fixture
def ledger(owner_url: str):
    def rows(columns: str) -> list[tuple[object, ...]]:
        with psycopg.connect(owner_url, autocommit=True) as connection:
            return connection.execute(f"SELECT {columns} FROM usage ORDER BY id").fetchall()  # pyright: ignore

    return rows


async def test_a_request_is_recorded_once_with_its_price(recorded, ledger):
    assert await recorded(paid())
    assert not await recorded(paid(outcome="open"))
    assert ledger("outcome, estimate, currency, price_since, cached_tokens") == [
        ("decided", Decimal("0.0012"), "USD", date(2026, 1, 1), None)
    ]


async def test_an_unknown_price_is_null(recorded, ledger):
    await recorded(paid(model="other"))
    await recorded(paid("a-2", "req_2", tokens=Tokens()))
    assert ledger("estimate, currency, price_since, input_tokens") == [(None, None, None, 1000), (None,) * 4]


async def test_a_server_that_repeats_its_ids_does_not_hide_a_paid_request(recorded, ledger):
    assert await recorded(paid("a-1", "same"))
    assert await recorded(paid("a-2", "same"))
    assert await recorded(paid("a-3", "same"))
    assert not await recorded(paid("a-2", "same"))
    assert ledger("custom_id, request_id") == [("a-1", "same"), ("a-2", None), ("a-3", None)]


async def test_within_a_batch_a_custom_id_counts_once_and_in_another_batch_again(recorded, ledger):
    first = paid("k", None, mode="batch", batch_id="batch_1")
    assert await recorded(first)
    assert not await recorded(first)
    assert await recorded(paid("k", None, mode="batch", batch_id="batch_2"))
    assert ledger("batch_id") == [("batch_1",), ("batch_2",)]


async def test_what_was_bought_is_known_by_question_version_and_model(
    database: Database, account: AccountId, other_account: AccountId, recorded
):
    await recorded(paid())

    async def bought(whose: AccountId = account, **changed: object) -> bool:
        asked = {"purpose": "mail.interpret", "subject_id": 7, "version": 1, "model": "small", **changed}
        async with database.as_account(whose) as unit:
            return await is_bought(unit, **asked)  # pyright: ignore

    assert await bought()
    assert not await bought(version=2)
    assert not await bought(model="large")
    assert not await bought(subject_id=8)
    assert not await bought(other_account)


@pytest.mark.parametrize("change", ["UPDATE usage SET estimate = 0", "DELETE FROM usage"])
async def test_nobody_may_change_or_delete_a_row(login_url: str, recorded, account: AccountId, change: str):
    await recorded(paid())
    for role in ("jobtrail_app", "jobtrail_fleet"):
        with psycopg.connect(login_url) as connection:
            connection.execute("SELECT set_config('jobtrail.account', %s, true)", (str(account),))
            connection.execute(f"SET LOCAL ROLE {role}")  # pyright: ignore
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(change)  # pyright: ignore


async def test_the_newest_setting_of_the_switch_holds_and_the_log_keeps_all(
    database: Database, account: AccountId, clock: FixedClock
):
    async def flip(*, allowed: bool, reason: str) -> None:
        async with database.as_fleet() as unit:
            await set_switch(unit, allowed=allowed, actor="ada", reason=reason, now=clock.now())

    async def allows() -> bool:
        async with database.as_account(account) as unit:
            return await may_submit(unit)

    assert await allows()
    await flip(allowed=False, reason="a surprising bill")
    assert not await allows()
    async with database.as_fleet() as unit:
        switch = await current_switch(unit)
    assert switch is not None
    assert (switch.allowed, switch.actor, switch.reason) == (False, "ada", "a surprising bill")
    await flip(allowed=True, reason="it was explained")
    assert await allows()


async def test_an_account_may_not_flip_the_operators_switch(
    database: Database, account: AccountId, clock: FixedClock
):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.as_account(account) as unit:
            await set_switch(unit, allowed=True, actor="ada", reason="please", now=clock.now())
