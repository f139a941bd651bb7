"""How much of a table the planner expects of an account that no ANALYZE has seen."""

import re

import psycopg

from schema.db import Database
from schema.ids import AccountId

ROWS = 2_000
FILL = """INSERT INTO application_names (account_id, application_id, key)
          SELECT account_id, id, 'key' || n FROM applications, generate_series(1, %(rows)s) n"""


async def test_rows_of_an_account_that_was_never_counted_are_expected_to_be_many(
    database: Database, owner_url: str, account: AccountId, other_account: AccountId
):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO applications (account_id, origin, created_at, updated_at)"
            " VALUES (%s, 'manual', now(), now())",
            (account,),
        )
        owner.execute(FILL, {"rows": ROWS})
        owner.execute("ANALYZE application_names")
    async with database.as_account(other_account) as unit:
        cursor = await unit.connection.execute("EXPLAIN SELECT FROM application_names")
        row = await cursor.fetchone()
    expected = re.search(r"rows=(\d+)", str(row))
    assert expected is not None
    assert int(expected[1]) >= ROWS
