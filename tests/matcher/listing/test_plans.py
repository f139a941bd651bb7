"""What the lists read: a page deep down costs what the first one does, in every order."""

from datetime import UTC, datetime

import msgspec
import psycopg
import pytest
from fixtures.plans import explained

from matcher.listing.rules import asked
from matcher.listing.store import COUNTS_OF_ALL, LISTS, NEWEST_BOARD
from matcher.listing.types import Lens, Sort
from matcher.silence.store import PACE
from schema.ids import AccountId

APPLICATIONS = 20_000
SHOWN = 51
FILL = """
INSERT INTO applications (account_id, origin, company, company_key, role, applied_at, created_at, updated_at)
  SELECT %(account)s, 'manual', 'C' || n, 'c' || lpad(n::text, 5, '0'), 'Engineer',
    '2026-03-01'::timestamptz - n * interval '1 hour', now(), now() FROM generate_series(1, %(many)s) n;
INSERT INTO standings (account_id, application_id, stage, mail_stage, by_person, dismissed, messages,
    activity_at, began_at)
  SELECT account_id, id, (ARRAY['applied', 'interviewing', 'rejected'])[1 + id %% 3], 'applied', false, false,
    0, applied_at, applied_at FROM applications;
"""


@pytest.fixture
def filled(owner_url: str, account: AccountId) -> AccountId:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for statement in FILL.strip().split(";\n"):
            connection.execute(statement, {"account": account, "many": APPLICATIONS})  # pyright: ignore
        connection.execute("ANALYZE applications, standings, asks")
    return account


@pytest.mark.parametrize("sort", ["news", "applied", "company", "silence"])
def test_a_page_reads_what_it_shows_wherever_it_lies(owner_url: str, filled: AccountId, sort: Sort):
    params = {**msgspec.structs.asdict(asked(Lens(sort=sort))), "limit": SHOWN}
    middle = {"at": datetime(2025, 12, 10, tzinfo=UTC), "name": "c02000", "application_id": 2000}
    for place in ({"at": None, "name": None, "application_id": None}, middle):
        plan = explained(owner_url, LISTS[sort], account=filled, **params, **place)
        assert set(plan.whole_reads) <= {"asks"}, plan  # it is empty
        assert plan.most_sorted() <= SHOWN, plan
        assert plan.read("standings") <= 3 * SHOWN, plan
        assert plan.read("applications") <= 3 * SHOWN, plan


def test_a_board_reads_the_beginning_of_each_column(owner_url: str, filled: AccountId):
    stages = ["applied", "interviewing", "rejected", "offer"]
    plan = explained(owner_url, NEWEST_BOARD, account=filled, dismissed=False, stages=stages, limit=8)
    assert plan.read("standings") <= 3 * 2 * 8, plan
    assert plan.read("applications") <= 3 * 8, plan


def test_the_counts_and_the_pace_read_no_application(owner_url: str, filled: AccountId):
    assert explained(owner_url, COUNTS_OF_ALL, account=filled, dismissed=False).read("applications") == 0
    assert explained(owner_url, PACE, account=filled).read("applications") == 0
