"""Readiness asks the database what it is, not what somebody hopes it is."""

import psycopg
from fixtures.database import at
from psycopg import sql

from backend.processes.store import login_role
from schema.db import Database
from schema.health import role_is_restricted, schema_is_current
from schema.migrate import files
from schema.settings import DatabaseSettings


async def test_a_migrated_database_and_its_login_role_are_fine(database: Database):
    async with database.as_fleet() as unit:
        assert await schema_is_current(unit)
        assert await role_is_restricted(unit)


async def test_the_owner_of_the_tables_is_not_restricted(owner_url: str, empty_database: None):
    async with Database.opened(DatabaseSettings(url=owner_url)) as database, database.as_fleet() as unit:
        assert not await role_is_restricted(unit)


async def test_a_role_that_can_choose_to_be_the_owner_is_not_restricted(
    owner_url: str, database_name: str, empty_database: None
):
    role = sql.Identifier(f"climber_{database_name}")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(sql.SQL("CREATE ROLE {} LOGIN NOINHERIT").format(role))
        try:
            owner.execute(sql.SQL("GRANT jobtrail_app, jobtrail_fleet, jobtrail_owner TO {}").format(role))
            url = at(owner_url, database_name, f"climber_{database_name}")
            async with Database.opened(DatabaseSettings(url=url)) as database, database.as_fleet() as unit:
                assert not await role_is_restricted(unit)
            assert login_role(url).unbound
        finally:
            owner.execute(sql.SQL("DROP ROLE {}").format(role))


async def test_a_schema_that_lacks_something_is_not_current(database: Database, owner_url: str):
    newest = files()[-1]
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("DELETE FROM schema_migrations WHERE number = %s", (newest.number,))
        try:
            async with database.as_fleet() as unit:
                assert not await schema_is_current(unit)
        finally:
            row = (newest.number, newest.name, newest.sha256)
            owner.execute("INSERT INTO schema_migrations (number, name, sha256) VALUES (%s, %s, %s)", row)


async def test_a_newer_schema_is_current_for_an_old_process(database: Database, owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("INSERT INTO schema_migrations VALUES (9999, 'later', '')")
        try:
            async with database.as_fleet() as unit:
                assert await schema_is_current(unit)
        finally:
            owner.execute("DELETE FROM schema_migrations WHERE number = 9999")
