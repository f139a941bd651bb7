"""Saved views: each name once, each verb on one's own only."""

import asyncio

import pytest
from fixtures.people import FixedClock

from matcher.views import store
from matcher.views.store import (
    VIEWS_MOST,
    NameTaken,
    TooManyViews,
    delete_view,
    rename_view,
    replace_view,
    save_view,
    saved_view,
    saved_views,
    view_named,
)
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, SavedViewId


async def test_views_are_kept_by_name(database: Database, account: AccountId, clock: FixedClock):
    async with database.as_account(account) as unit:
        await save_view(unit, "waiting", "silent=14", now=clock.now())
        await save_view(unit, "Offers", "stage=offer", now=clock.now())
        assert [view.name for view in await saved_views(unit)] == ["Offers", "waiting"]
        found = await view_named(unit, "WAITING")
    assert found is not None
    assert found.query == "silent=14"


async def test_a_name_is_taken_once_whatever_its_capitals(
    database: Database, account: AccountId, other_account: AccountId, clock: FixedClock
):
    async with database.as_account(account) as unit:
        await save_view(unit, "Offers", "stage=offer", now=clock.now())
        second = await save_view(unit, "Others", "", now=clock.now())
        with pytest.raises(NameTaken):
            await save_view(unit, "OFFERS", "", now=clock.now())
        with pytest.raises(NameTaken):
            await rename_view(unit, second, "offers")
        assert (await rename_view(unit, second, "OTHERS")).name == "Others"
    async with database.as_account(other_account) as unit:
        await save_view(unit, "Offers", "", now=clock.now())


async def test_there_is_an_end_to_how_many(
    database: Database, account: AccountId, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store, "VIEWS_MOST", 2)
    assert VIEWS_MOST > 20
    async with database.as_account(account) as unit:
        for name in ("a", "b"):
            await save_view(unit, name, "", now=clock.now())
        with pytest.raises(TooManyViews):
            await save_view(unit, "c", "", now=clock.now())


async def test_every_verb_tells_what_was_before(database: Database, account: AccountId, clock: FixedClock):
    async with database.as_account(account) as unit:
        made = await save_view(unit, "Offers", "stage=offer", now=clock.now())
        assert (await replace_view(unit, made, "q=x")).query == "stage=offer"
        assert (await saved_view(unit, made)).query == "q=x"
        gone = await delete_view(unit, made)
        assert (gone.name, gone.query) == ("Offers", "q=x")
        with pytest.raises(Missing):
            await delete_view(unit, made)


async def test_another_accounts_view_is_missing_to_every_verb(
    database: Database, account: AccountId, other_account: AccountId, clock: FixedClock
):
    async with database.as_account(other_account) as unit:
        theirs = await save_view(unit, "Theirs", "stage=offer", now=clock.now())
    async with database.as_account(account) as unit:
        assert await saved_views(unit) == []
        assert await view_named(unit, "Theirs") is None
        for act in (
            saved_view(unit, theirs),
            rename_view(unit, theirs, "Mine"),
            replace_view(unit, theirs, ""),
            delete_view(unit, theirs),
        ):
            with pytest.raises(Missing):
                await act
    async with database.as_account(other_account) as unit:
        assert (await saved_view(unit, theirs)).name == "Theirs"


async def test_two_that_want_one_name_at_once_get_it_once(
    database: Database, account: AccountId, clock: FixedClock
):
    async with database.as_account(account) as unit:
        ids = [await save_view(unit, name, "stage=offer", now=clock.now()) for name in ("One", "Two")]

    async def renamed(view_id: SavedViewId) -> bool:
        try:
            async with database.as_account(account) as unit:
                await rename_view(unit, view_id, "Three")
        except NameTaken:
            return False
        return True

    assert sorted(await asyncio.gather(*map(renamed, ids))) == [False, True]
