"""Accounts full of applications and read mail, written by a few statements past the product's doors.

Each employer that is written about has two applications; every other application is at an employer of its own
that no message names, so that what grows is only what is not touched.
"""

import psycopg

from schema.ids import AccountId

FILL = """
INSERT INTO mailboxes (account_id, door, created_at) VALUES (%(account)s, 'archive', now());
INSERT INTO applications (account_id, origin, company, company_key, role, role_key, requisition_id,
    requisition_key, applied_at, created_at, updated_at)
  SELECT %(account)s, 'manual', c.company, lower(c.company),
    CASE WHEN n %% 2 = 0 THEN 'Data Engineer' ELSE 'Product Designer' END,
    CASE WHEN n %% 2 = 0 THEN 'data engineer' ELSE 'product designer' END, 'R-' || 100000 + n,
    'r' || 100000 + n, now() - interval '60 days', now(), now()
  FROM generate_series(1, %(applications)s) n,
    LATERAL (SELECT CASE WHEN n <= %(written_about)s THEN 'Veltrano' || (n - 1) / 2 ELSE 'Quorvex' || n END
      AS company) c;
INSERT INTO standings (account_id, application_id, stage, mail_stage, by_person, dismissed, messages,
    activity_at)
  SELECT account_id, id, 'applied', 'applied', false, false, 0, applied_at FROM applications
  WHERE account_id = %(account)s;
INSERT INTO messages (account_id, mailbox_id, message_key, rfc_message_id, content_sha256, sent_at,
    sent_at_source, sender_address, sender_name, subject, body, kept, size_bytes, first_seen_at,
    examined_version)
  SELECT %(account)s, (SELECT id FROM mailboxes WHERE account_id = %(account)s), 'key' || n,
    'key' || n || '@relay.example', repeat('a', 64), now() - interval '59 days' + n * interval '1 minute',
    'date', 'no-reply@relay.example', c.company || ' Talent Team',
    'Your application to ' || c.company,
    'Dear Ada,' || chr(10) || chr(10) || 'Thank you for applying for the ' || t.role || ' role at '
    || c.company || '. ' || repeat('We read every application with care, and a person looks at each. ', 20)
    || chr(10) || 'Kind regards,' || chr(10) || 'The hiring team', 'whole', 3000, now(), 1
  FROM generate_series(1, %(messages)s) n,
    LATERAL (SELECT CASE n %% 3 WHEN 0 THEN 'Data Engineer' WHEN 1 THEN 'Product Designer' ELSE 'open' END
      AS role) t, LATERAL (SELECT 'Veltrano' || n %% (%(written_about)s / 2) AS company) c;
INSERT INTO readings (account_id, message_id, stage, version, state, created_at)
  SELECT account_id, id, 'rules', 1, 'decided', now() FROM messages WHERE account_id = %(account)s;
INSERT INTO events (account_id, reading_id, message_id, kind, rule, span_source, span_start, span_end,
    span_text)
  SELECT account_id, id, message_id, 'acknowledgement', 'benchmark', 'text', 11, 33, 'Thank you for applying'
  FROM readings WHERE account_id = %(account)s;
INSERT INTO facts (account_id, reading_id, message_id, name, value, comparable, span_source, span_start,
    span_end)
  SELECT r.account_id, r.id, r.message_id, f.name, f.value, lower(f.value), 'text', f.place,
    f.place + length(f.value)
  FROM readings r JOIN messages g ON g.account_id = r.account_id AND g.id = r.message_id,
    LATERAL (VALUES ('employer', substring(g.subject FROM 'Veltrano[0-9]+$')),
      ('role', substring(g.body FROM 'Data Engineer|Product Designer'))) n (name, value),
    LATERAL (SELECT n.name, n.value, position(n.value IN g.body) - 1 AS place) f
  WHERE r.account_id = %(account)s AND f.value IS NOT NULL;
"""


def filled(owner_url: str, *, applications: int, written_about: int, messages: int) -> AccountId:
    """A new account; of its messages two in three name their role, the third leaves two applications open."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, created_at)"
            " SELECT 'ada' || count(*) || '@example.org', 'Ada', 'none', now() FROM accounts RETURNING id"
        ).fetchone()
        assert row
        numbers = {"applications": applications, "messages": messages, "written_about": written_about}
        for statement in FILL.split(";\n"):
            if statement.strip():
                connection.execute(statement, {**numbers, "account": row[0]})  # pyright: ignore[reportArgumentType]
        connection.execute("VACUUM ANALYZE")
    return AccountId(row[0])


def mark_stale(owner_url: str, account: AccountId) -> None:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("UPDATE matches SET stale = true WHERE account_id = %s", (account,))
        connection.execute("VACUUM ANALYZE matches")


def outcomes(owner_url: str, account: AccountId) -> dict[str, int]:
    with psycopg.connect(owner_url) as connection:
        rows = connection.execute(
            "SELECT outcome, count(*) FROM matches WHERE account_id = %s AND NOT stale GROUP BY outcome",
            (account,),
        ).fetchall()
    return {str(outcome): int(count) for outcome, count in rows}
