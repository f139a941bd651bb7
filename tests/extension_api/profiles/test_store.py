"""Revisions of the profile: appended, never overwritten unseen, undone by appending."""

import asyncio

import msgspec
import psycopg
import pytest
from fixtures.people import FixedClock

from extension_api.profiles.rules import ProfileInvalid, StaleProfile
from extension_api.profiles.store import current_profile, profile_at, revisions, save_profile, undo_to
from extension_api.profiles.types import Profile
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId

ADA, EVE = Profile(first_name="Ada"), Profile(first_name="Eve")


class Keeper:
    """Saves for one account, each act in its own unit."""

    def __init__(self, database: Database, clock: FixedClock, account: AccountId) -> None:
        self.database, self.clock, self.account = database, clock, account

    async def save(self, revision: int, profile: Profile) -> int:
        async with self.database.as_account(self.account) as unit:
            now = self.clock.now()
            saved = await save_profile(unit, revision=revision, profile=profile, origin="form", now=now)
        return saved.revision

    async def undo(self, revision: int, to_revision: int) -> int:
        async with self.database.as_account(self.account) as unit:
            now = self.clock.now()
            return (await undo_to(unit, revision=revision, to_revision=to_revision, now=now)).revision

    async def current(self) -> tuple[int, Profile]:
        async with self.database.as_account(self.account) as unit:
            found = await current_profile(unit)
        return found.revision, found.profile


@pytest.fixture
def keeper(database: Database, clock: FixedClock, account: AccountId) -> Keeper:
    return Keeper(database, clock, account)


async def test_nobody_has_said_anything_yet(keeper: Keeper):
    assert await keeper.current() == (0, Profile())


async def test_a_save_appends_and_the_older_state_stays(keeper: Keeper):
    assert await keeper.save(0, ADA) == 1
    assert await keeper.save(1, EVE) == 2
    assert await keeper.current() == (2, EVE)
    async with keeper.database.as_account(keeper.account) as unit:
        assert (await profile_at(unit, 1)).profile == ADA
        assert [(row.revision, row.origin) for row in await revisions(unit)] == [(2, "form"), (1, "form")]


async def test_saving_the_same_again_adds_nothing(keeper: Keeper):
    await keeper.save(0, ADA)
    assert await keeper.save(1, Profile(first_name=" Ada ")) == 1


@pytest.mark.parametrize("revision", [0, 2, 99])
async def test_an_edit_of_another_revision_is_stale(keeper: Keeper, revision: int):
    await keeper.save(0, ADA)
    with pytest.raises(StaleProfile) as refused:
        await keeper.save(revision, EVE)
    assert refused.value.revision == 1
    assert await keeper.current() == (1, ADA)


async def test_of_two_edits_at_once_one_is_stale(keeper: Keeper):
    await keeper.save(0, ADA)
    edits = [keeper.save(1, Profile(first_name=name)) for name in ("B", "C", "D")]
    outcomes = await asyncio.gather(*edits, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["StaleProfile", "StaleProfile", "int"]


async def test_undo_appends_the_older_state_and_can_be_undone(keeper: Keeper):
    await keeper.save(0, ADA)
    await keeper.save(1, EVE)
    assert await keeper.undo(2, 1) == 3
    assert await keeper.current() == (3, ADA)
    assert await keeper.undo(3, 2) == 4
    assert await keeper.current() == (4, EVE)


async def test_undo_to_a_state_that_never_was_is_missing(keeper: Keeper):
    with pytest.raises(Missing):
        await keeper.undo(0, 1)


async def test_no_way_into_the_table_skips_the_check(keeper: Keeper):
    with pytest.raises(ProfileInvalid):
        await keeper.save(0, Profile(email="nonsense"))
    assert await keeper.save(0, Profile(first_name="A\x00da", summary="\x00")) == 1
    assert await keeper.current() == (1, ADA)


async def test_accounts_do_not_see_each_others_profile(keeper: Keeper, other_account: AccountId):
    await keeper.save(0, ADA)
    other = Keeper(keeper.database, keeper.clock, other_account)
    assert await other.current() == (0, Profile())
    assert await other.save(0, EVE) == 1
    assert await keeper.current() == (1, ADA)


async def test_a_save_is_announced_with_its_commit(keeper: Keeper, owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as listener:
        listener.execute("LISTEN jobtrail_live")
        await keeper.save(0, ADA)
        (note,) = await asyncio.to_thread(lambda: list(listener.notifies(timeout=10, stop_after=1)))
    hint = msgspec.json.decode(note.payload)
    assert (hint["account_id"], hint["topic"]) == (keeper.account, "profile")
