"""What earlier releases shared out of people's pages becomes theirs, once, when the migration runs."""

from pathlib import Path

import psycopg
import pytest
from fixtures.database import at

import schema.migrate
from schema.migrate import migrate

EARLIER = """
INSERT INTO accounts (email, display_name, password_hash, created_at)
  SELECT n || '@x.example', 'A', 'none', now() FROM generate_series(1, 2) n;
INSERT INTO postings (platform, vendor_id, board, title, company, canonical_url, first_seen_at)
  SELECT 'web', n::text, 'x.example', 'Title ' || n, 'Co', 'https://x.example/' || n, now()
  FROM generate_series(1, 3) n;
INSERT INTO sources (platform, board, url, created_at) VALUES ('web', 'b', 'u', now());
INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused, written)
  VALUES (1, now(), now(), 'complete', '{}', 1, 0, 1);
INSERT INTO listings (source_id, vendor_id, raw_hash, raw, posting_id, verdict, rule, rule_version, judged_at,
    first_pull_id, changed_pull_id, first_seen_at)
  VALUES (1, '3', repeat('a', 64), '{}', 3, 'admitted', 'all', 1, now(), 1, 1, now());
INSERT INTO user_jobs (account_id, posting_id, saved_at, note, updated_at)
  SELECT a, p, now(), 'n' || a, now() FROM generate_series(1, 2) a, generate_series(1, 3) p
  WHERE (a, p) <> (2, 2);
INSERT INTO applications (account_id, origin, posting_id, canonical_url, created_at, updated_at)
  VALUES (1, 'tracker', 1, 'https://x.example/1', now(), now());
"""
"""Three postings: two out of people's pages, kept by one and by both; the third stands on a board."""


@pytest.fixture
def before(scratch_database: str, server_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database as it stood before the migration."""
    url = at(server_url, scratch_database)
    for file in Path(schema.migrate.__file__).parent.glob("migrations/*.sql"):
        if file.name < "0020":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    migrate(url, tmp_path)
    return url


def test_postings_of_no_board_go_to_those_who_kept_them(before: str):
    with psycopg.connect(before, autocommit=True) as owner:
        owner.execute(EARLIER)
    migrate(before)
    with psycopg.connect(before, autocommit=True) as owner:
        own = owner.execute(
            "SELECT account_id, title, company, url, note, application_id IS NOT NULL FROM own_postings"
            " ORDER BY account_id, url"
        ).fetchall()
        assert own == [
            (1, "Title 1", "Co", "https://x.example/1", "n1", True),
            (1, "Title 2", "Co", "https://x.example/2", "n1", False),
            (2, "Title 1", "Co", "https://x.example/1", "n2", False),
        ]
        assert owner.execute("SELECT id FROM postings").fetchall() == [(3,)]
        assert owner.execute("SELECT count(*) FROM user_jobs").fetchall() == [(2,)]
        assert owner.execute("SELECT posting_id, canonical_url FROM applications").fetchall() == [
            (None, "https://x.example/1")
        ]
        unforced = owner.execute(
            "SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity"
        )
        assert unforced.fetchall() == []
