"""The catalog of the migrated database, table by table: who may see what, and how rows are keyed."""

import re

import psycopg
import pytest

# Shared by everybody on this installation, and holding nothing of a person.
SHARED = {"descriptions", "gmail_quota", "gmail_turns", "host_budgets", "host_paces", "installation",
          "listings", "mail_daemons", "platform_circuits", "posting_events", "posting_probes",
          "postings", "pulls", "robots_files", "schema_migrations", "source_previews", "sources",
          "submission_switches", "suspicions", "task_events", "task_ticks", "throttles",
          "twin_suggestions", "workers"}  # fmt: skip
# Keyed by their own id: an account's first column is the id itself; work of the fleet has no account.
OWN_KEY = {"accounts", "task_archive", "tasks"}


@pytest.fixture(scope="module")
def connection(owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as opened:
        yield opened


def tables(connection: psycopg.Connection) -> set[str]:
    rows = connection.execute(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
    )
    return {name for (name,) in rows.fetchall()}


def test_every_table_is_private_or_known_to_be_shared(connection: psycopg.Connection):
    rows = connection.execute(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        " AND relrowsecurity AND relforcerowsecurity"
    )
    forced = {name for (name,) in rows.fetchall()}
    assert tables(connection) - forced == SHARED


def test_every_private_table_has_a_policy_for_its_account(connection: psycopg.Connection):
    rows = connection.execute("SELECT tablename, qual FROM pg_policies WHERE 'jobtrail_app' = ANY(roles)")
    covered = {table for table, qual in rows.fetchall() if qual and "jobtrail_account()" in qual}
    assert covered == tables(connection) - SHARED


def test_private_keys_start_with_the_account(connection: psycopg.Connection):
    rows = connection.execute(
        """SELECT c.relname, a.attname FROM pg_constraint k
           JOIN pg_class c ON c.oid = k.conrelid
           JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
           WHERE k.contype IN ('p', 'u') AND c.relnamespace = 'public'::regnamespace"""
    )
    wrong = {(table, first) for table, first in rows.fetchall() if first != "account_id"}
    assert {table for table, _ in wrong} <= SHARED | OWN_KEY


def test_no_foreign_key_crosses_accounts(connection: psycopg.Connection):
    rows = connection.execute(
        """SELECT k.conrelid::regclass::text, k.confrelid::regclass::text,
                  (SELECT array_agg(a.attname::text ORDER BY u.ord)
                   FROM unnest(k.conkey) WITH ORDINALITY u (n, ord)
                   JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n)
           FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace"""
    )
    for table, target, columns in rows.fetchall():
        if target in SHARED or target in OWN_KEY:
            continue
        assert columns[0] == "account_id", f"{table} points into {target} without its account"


def test_the_restricted_roles_own_nothing_and_bypass_nothing(connection: psycopg.Connection):
    rows = connection.execute(
        "SELECT rolname, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin"
        " FROM pg_roles WHERE rolname IN ('jobtrail_app', 'jobtrail_fleet') ORDER BY rolname"
    )
    assert rows.fetchall() == [("jobtrail_app", False), ("jobtrail_fleet", False)]
    owners = connection.execute("SELECT DISTINCT relowner::regrole::text FROM pg_class").fetchall()
    assert not {name for (name,) in owners} & {"jobtrail_app", "jobtrail_fleet"}


def test_the_fleet_has_no_right_on_private_content(connection: psycopg.Connection):
    rows = connection.execute(
        "SELECT DISTINCT table_name FROM information_schema.role_table_grants"
        " WHERE grantee = 'jobtrail_fleet'"
    )
    assert {name for (name,) in rows.fetchall()} <= SHARED | OWN_KEY


def test_every_policy_on_private_rows_asks_for_the_account_or_a_secret(connection: psycopg.Connection):
    rows = connection.execute(
        "SELECT tablename || '.' || policyname, coalesce(qual, 'true'), coalesce(with_check, qual), cmd"
        " FROM pg_policies WHERE permissive = 'PERMISSIVE' AND NOT roles = ARRAY['jobtrail_fleet']::name[]"
    )
    account = r"(jobtrail_account\(\)|\( SELECT jobtrail_account\(\) AS jobtrail_account\))"
    scoped = re.compile(
        rf"\(*\w+ = ({account}|jobtrail_presented\(\))\)*( OR \(\w+ = jobtrail_presented\(\)\)\))?"
    )
    for policy, qual, check, command in rows.fetchall():
        for condition in (check,) if command == "INSERT" else (qual, check):
            assert scoped.fullmatch(condition), f"{policy} opens rows by {condition}"


def test_every_policy_looks_the_account_up_once_for_a_statement(connection: psycopg.Connection):
    """The planner would read it as well, and take an account that ANALYZE has not seen for one row."""
    rows = connection.execute(
        "SELECT tablename || '.' || policyname FROM pg_policies"
        " WHERE qual ~ 'jobtrail_account\\(\\)' AND qual !~ 'SELECT jobtrail_account'"
    )
    assert rows.fetchall() == []


def test_nothing_reads_with_the_rights_of_its_owner(connection: psycopg.Connection):
    """The owner may be a superuser, whom no policy binds: such a view or function shows every row."""
    rows = connection.execute(
        """SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
             AND relkind IN ('m', 'v') AND 'security_invoker=true' <> ALL(coalesce(reloptions, '{}'))
           UNION ALL
           SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"""
    )
    assert rows.fetchall() == []


# Deleted one by one, or many at a time, while the account stays; everything else leaves with its account.
DELETED_ALONE = {
    "messages",
    "readings",
    "events",
    "facts",
    "match_decisions",
    "matches",
    "attachments",
    "asks",
}


def test_deleting_a_row_never_reads_a_whole_table(connection: psycopg.Connection):
    rows = connection.execute(
        """SELECT k.conrelid::regclass || '.' || k.conname FROM pg_constraint k
           WHERE k.contype = 'f' AND k.confrelid::regclass::text = ANY(%s) AND NOT EXISTS (
             SELECT FROM pg_index i WHERE i.indrelid = k.conrelid
               AND (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)""",
        (sorted(DELETED_ALONE),),
    )
    assert [name for (name,) in rows.fetchall()] == []
