"""A catalog of any size in a few minutes: written by the server, with the indexes made afterwards."""

import psycopg

_SOURCES = 2_000
#: Of ten listings two are refused, and two show a posting that another board shows too.
_FILL = """
INSERT INTO sources (platform, board, company, url, enabled, last_pull_at, last_complete_at, created_at)
  SELECT (ARRAY['greenhouse', 'lever', 'workday'])[1 + n %% 3], 'board' || n, 'Company ' || n %% 1500,
    'https://board' || n || '.example', false, now(), now(), now()
  FROM generate_series(1, %(sources)s) n;
INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused, written)
  SELECT id, now(), now(), 'complete', '{}', 500, 100, 500 FROM sources WHERE board LIKE 'board%%';
INSERT INTO descriptions (content_hash, raw, html, text)
  SELECT encode(sha256(n::text::bytea), 'hex'), '<p>' || repeat('Boats and ropes. ', 60) || n || '</p>',
    '<p>' || repeat('Boats and ropes. ', 60) || n || '</p>',
    repeat('Boats and ropes. ', 60) || n
  FROM generate_series(1, %(postings)s / 10) n;
INSERT INTO postings (platform, vendor_id, board, requisition_id, title, company, locations, countries,
    workplace, employment_type, seniority, pay_min, pay_max, pay_currency, pay_interval, pay_source,
    posted_at, posted_meaning, canonical_url, description_state, description_hash, described_at,
    first_seen_at, closed_at, closed_reason, twin_key)
  SELECT s.platform, 'v' || n, s.board, 'R-' || n, x.title, s.company, ARRAY[x.city], ARRAY[x.country],
    (ARRAY['onsite', 'hybrid', 'remote', NULL])[1 + n %% 4], 'full_time',
    (ARRAY['senior', 'mid', NULL, 'lead'])[1 + n %% 4], x.pay, x.pay * 1.3,
    CASE WHEN x.pay IS NOT NULL THEN 'EUR' END, CASE WHEN x.pay IS NOT NULL THEN 'year' END,
    CASE WHEN x.pay IS NOT NULL THEN 'field' ELSE 'none' END, now() - n * interval '20 seconds',
    'first_published', 'https://' || s.board || '.example/' || n, 'stored',
    encode(sha256((1 + n %% (%(postings)s / 10))::text::bytea), 'hex'), now(),
    now() - n * interval '20 seconds',
    CASE WHEN n %% 6 = 0 THEN now() END, CASE WHEN n %% 6 = 0 THEN 'not_listed' END,
    lower(s.company) || ' / ' || lower(x.title)
  FROM generate_series(1, %(postings)s) n
    JOIN sources s ON s.board = 'board' || (1 + n %% %(sources)s),
    LATERAL (SELECT
      (ARRAY['Senior', 'Junior', 'Lead', 'Staff', ''])[1 + n %% 5] || ' '
        || (ARRAY['Data', 'Software', 'Sales', 'Product', 'Support', 'Design', 'Harbour'])[1 + n %% 7] || ' '
        || (ARRAY['Engineer', 'Manager', 'Analyst', 'Specialist', 'Pilot'])[1 + (n / 7) %% 5]
        || CASE WHEN n %% 9973 = 0 THEN ' Oceanographer' ELSE '' END AS title,
      (ARRAY['Oslo', 'Berlin', 'London', 'Toronto', 'Utrecht', 'Lisbon', 'Remote'])[1 + n %% 7] AS city,
      (ARRAY['NO', 'DE', 'GB', 'CA', 'NL', 'PT', 'US'])[1 + n %% 7] AS country,
      CASE WHEN n %% 3 = 0 THEN 40000 + n %% 90000 END AS pay) x;
INSERT INTO listings (source_id, vendor_id, raw_hash, raw, description_hash, posting_id, verdict, rule,
    rule_version, reason, judged_at, first_pull_id, changed_pull_id, first_seen_at)
  SELECT s.id, CASE WHEN n.n %% 10 < 2 THEN 'r' || n.n ELSE p.vendor_id || '-' || n.n END,
    encode(sha256(n.n::text::bytea), 'hex'),
    jsonb_build_object('id', n.n, 'title', 'Engineer', 'team', 'Harbour', 'location', 'Oslo'),
    p.description_hash, CASE WHEN n.n %% 10 < 2 THEN NULL ELSE p.id END,
    CASE WHEN n.n %% 10 < 2 THEN 'refused' ELSE 'admitted' END,
    CASE WHEN n.n %% 10 < 2 THEN 'is_listed' ELSE 'all' END, 2,
    CASE WHEN n.n %% 10 < 2 THEN 'the employer does not list it' END, now(), 1, 1, now()
  FROM generate_series(1, %(listings)s) n
    JOIN sources s ON s.board = 'board' || (1 + n.n %% %(sources)s)
    JOIN postings p ON p.vendor_id = 'v' || (1 + n.n %% %(postings)s) AND p.platform <> 'ashby';
"""
_INDEXES = """SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i
    WHERE i.indrelid IN ('postings'::regclass, 'listings'::regclass) AND NOT i.indisunique"""


def fill(owner_url: str, *, listings: int, postings: int) -> None:
    numbers = {"sources": min(_SOURCES, postings // 10), "listings": listings, "postings": postings}
    with psycopg.connect(owner_url, autocommit=True) as connection:
        made = connection.execute(_INDEXES).fetchall()
        for name, _ in made:
            connection.execute(f"DROP INDEX {name}")  # pyright: ignore[reportCallIssue, reportArgumentType]
        for statement in _FILL.split(";\n"):
            if statement.strip():
                connection.execute(statement, numbers)  # pyright: ignore[reportCallIssue, reportArgumentType]
        for _, definition in made:
            connection.execute(definition)
        connection.execute("VACUUM ANALYZE")
