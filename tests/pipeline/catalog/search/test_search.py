"""Both ways of finding postings give the same pages and true counts, whatever is asked."""

import random
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from pipeline.catalog.search import store
from pipeline.catalog.search.rules import at_least, index_filters, row_filters, typed
from pipeline.catalog.search.store import count_postings, postings_page
from pipeline.catalog.types import After, Count, Wanted
from schema.db import Database
from schema.ids import AccountId

NOW = datetime(2026, 3, 1, tzinfo=UTC)
COUNTRIES, LEVELS = ("DE", "CH", "FR"), ("senior", "intern", None)
ROLES, PLACES = ("Engineer", "Nurse", "Köchin"), ("Zürich", "Bad O'Malley", "Paris")


class Row:
    """One posting as it was drawn, to find it without a database."""

    def __init__(self, number: int, draw: random.Random) -> None:
        self.vendor_id = f"v{number}"
        self.role, self.place = draw.choice(ROLES), draw.choice(PLACES)
        self.country, self.level = draw.choice(COUNTRIES), draw.choice(LEVELS)
        self.pay = draw.choice((None, 40_000, 80_000))
        self.at = NOW - timedelta(days=draw.randrange(40))
        self.is_closed = draw.random() < 0.3

    @property
    def values(self) -> tuple[object, ...]:
        closed = (NOW, "filled") if self.is_closed else (None, None)
        pay = (self.pay, "EUR", "year", "field") if self.pay else (None, None, None, "none")
        url = f"https://x.example/{self.vendor_id}"
        head = (self.vendor_id, f"{self.level or 'Some'} {self.role}", [self.place], [self.country])
        return (*head, self.level, *pay, self.at, *closed, url)


@pytest.fixture
def rows(owner_url: str, empty_database: None) -> list[Row]:
    draw = random.Random(7)
    made = [Row(number, draw) for number in range(160)]
    with psycopg.connect(owner_url, autocommit=True) as owner, owner.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO postings (platform, board, vendor_id, title, locations, countries, seniority,"
            " pay_max, pay_currency, pay_interval, pay_source, posted_at, posted_meaning, closed_at,"
            " closed_reason, canonical_url, first_seen_at) VALUES ('ashby', 'it''s', %s, %s, %s, %s, %s,"
            " %s, %s, %s, %s, %s, 'first_published', %s, %s, %s, now())",
            [row.values for row in made],
        )
    return made


ASKED = [
    (Wanted(words="nurse"), lambda row: row.role == "Nurse"),
    (Wanted(words="kochin -paris"), lambda row: row.role == "Köchin" and row.place != "Paris"),
    (Wanted(words='engineer "o\'malley"'), lambda row: row.role == "Engineer" and "O'" in row.place),
    (Wanted(place="zurich", country="CH"), lambda row: row.place == "Zürich" and row.country == "CH"),
    (Wanted(place="engineer"), lambda row: False),
    (Wanted(seniority="intern", with_pay=True), lambda row: row.level == "intern" and row.pay),
    (Wanted(pay_from=80_000, pay_currency="EUR"), lambda row: row.pay == 80_000),
    (Wanted(pay_from=80_001, pay_currency="EUR"), lambda row: False),
    (Wanted(since=NOW - timedelta(days=9)), lambda row: row.at >= NOW - timedelta(days=9)),
    (
        Wanted(board="ashby/It's", words="nurse", country="FR"),
        lambda r: (r.role, r.country) == ("Nurse", "FR"),
    ),
    (Wanted(words="zebra or nothing"), lambda row: False),
    (Wanted(words="---"), lambda row: True),
]


@pytest.mark.parametrize("walked", [1, 9, store.WALKED])
@pytest.mark.parametrize("with_closed", [False, True])
async def test_a_walk_and_the_index_find_the_same(
    database: Database,
    account: AccountId,
    rows: list[Row],
    monkeypatch: pytest.MonkeyPatch,
    walked: int,
    with_closed: bool,
):
    monkeypatch.setattr(store, "WALKED", walked)
    async with database.as_account(account) as unit:
        for wanted, fits in ASKED:
            asked = Wanted(
                **{name: getattr(wanted, name) for name in wanted.__struct_fields__}
                | {"with_closed": with_closed}
            )
            expected = [row for row in rows if fits(row) and (with_closed or not row.is_closed)]
            assert await _walked(unit, asked) == [
                row.at for row in sorted(expected, key=lambda row: row.at, reverse=True)
            ], wanted
            count = await count_postings(unit, asked)
            assert count.number <= len(expected), wanted
            assert count.is_more or count.number == len(expected), wanted


async def _walked(unit, wanted: Wanted) -> list[datetime | None]:
    found: dict[int, datetime | None] = {}
    after: After | None = None
    while True:
        page = await postings_page(unit, wanted, after=after, rows=7)
        assert not found.keys() & {line.id for line in page.items}
        found |= {line.id: line.posted_at for line in page.items}
        after = page.next
        if after is None:
            return list(found.values())


async def test_hidden_postings_are_neither_found_nor_counted(
    database: Database, account: AccountId, rows: list[Row], owner_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store, "WALKED", 5)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO user_jobs (account_id, posting_id, hidden_at, updated_at)"
            " SELECT %s, id, now(), now() FROM postings WHERE title LIKE '%%Nurse'",
            (account,),
        )
    async with database.as_account(account) as unit:
        page = await postings_page(unit, Wanted(words="nurse"))
        hidden = await count_postings(unit, Wanted(words="nurse", shelf="hidden"))
    assert (page.items, page.count) == ([], Count(number=0, is_more=False))
    assert hidden.number == sum(row.role == "Nurse" for row in rows)


@pytest.mark.parametrize(
    ("number", "told"), [(0, 0), (7, 7), (51, 50), (213, 200), (999, 900), (5_000, 1_000)]
)
def test_a_count_that_was_not_finished_tells_a_round_number_that_is_not_too_high(number: int, told: int):
    assert at_least(number) == Count(number=told, is_more=True)


def test_filters_cannot_be_broken_out_of():
    hostile = Wanted(board="a' | 'b\\", platform="x & y", country="D'E")
    for filters in (row_filters(hostile), index_filters(hostile)):
        assert filters.count("''") == 3
        assert "\\\\" in filters
    assert typed(Wanted(words="  \x00— ", place="-")) == ""
