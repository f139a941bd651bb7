"""Finding an application by words: same employer first, one's own only, each once, however paged."""

import pytest
from fixtures.samples import Samples, day

from backend.http.paging import key_of
from backend.review.store import Found, Place, find
from schema.db import Database
from schema.ids import AccountId


async def all_found(database: Database, account: AccountId, words: str, limit: int) -> list[Found]:
    found: list[Found] = []
    after: Place | None = None
    while True:
        async with database.as_account(account) as unit:
            page = await find(unit, words, companies=["Northwind Inc."], after=after, limit=limit)
        found += page.items
        if page.next is None:
            return found
        after = key_of(page.next, Place)


@pytest.fixture
def several(samples: Samples, other_account: AccountId) -> Samples:
    for number in range(7):
        samples.application("Contoso", f"Writer {number}", applied=20 + number)
    for number in range(5):
        samples.application("Northwind", f"Engineer {number}", applied=5)
    samples.of(other_account).application("Northwind", "Engineer of somebody else")
    return samples


@pytest.mark.parametrize("limit", [1, 3, 5, 50])
async def test_every_application_is_found_once_and_the_same_employer_first(
    database: Database, account: AccountId, several: Samples, limit: int
):
    found = await all_found(database, account, "", limit)
    assert len({row.application_id for row in found}) == len(found) == 12
    assert [row.company for row in found] == ["Northwind"] * 5 + ["Contoso"] * 7
    assert [row.same_company for row in found] == [True] * 5 + [False] * 7
    assert found[5].role == "Writer 6"


async def test_every_word_must_occur(database: Database, account: AccountId, several: Samples):
    assert [row.role for row in await all_found(database, account, "writ 3 contoso", 50)] == ["Writer 3"]
    assert await all_found(database, account, "%", 50) == []
    assert await all_found(database, account, "somebody", 50) == []


async def test_merged_dismissed_and_named_ones_are_left_out(
    database: Database, account: AccountId, samples: Samples
):
    kept, merged = samples.application("A", "B"), samples.application("A", "C")
    gone, besides = samples.application("A", "D"), samples.application("A", "E")
    samples.rows("UPDATE applications SET merged_into_id = %s WHERE id = %s", kept, merged)
    samples.rows("UPDATE applications SET dismissed_at = %s WHERE id = %s", day(9), gone)
    samples.rows("UPDATE standings SET dismissed = true WHERE application_id = %s", gone)
    async with database.as_account(account) as unit:
        page = await find(unit, "", companies=["A"], besides=[besides])
    assert [row.application_id for row in page.items] == [kept]
