"""What a posting is found by, as the server makes it while it writes the row."""

import random
import re
from pathlib import Path
from typing import Any

import psycopg

MIGRATIONS = Path(__file__).parents[4] / "schema" / "migrations"
ARGUMENTS = (
    "title, company, board, locations, countries, platform, workplace, employment_type, seniority, pay_min,"
    " pay_max, pay_currency, pay_interval, closed_at"
)
INSERT = (
    "INSERT INTO postings (title, company, board, locations, countries, platform, workplace, employment_type,"
    " seniority, pay_min, pay_max, pay_currency, pay_interval, closed_at, vendor_id, canonical_url,"
    " pay_source, first_seen_at, closed_reason)"
    " VALUES (%s, %s, %s, %s, %s, 'ashby', %s, %s, 'senior', %s, %s, %s, %s, %s, %s, 'x', %s, now(), %s)"
)
WORDS = (
    "Engineer", "Softwareentwicklerin", "C++", "C#/.NET", "node.js", "Straße", "Œuvre", "d\u2019études",
    "(m/w/d)", "\u2013", "R&D", "😀", "日本語エンジニア", "Łódź", "x" * 70, "a=b", "=open", "'", "\\",
    "é" * 9, "", "  ", "nine\tletters",
)  # fmt: skip


def row(draw: random.Random, number: int) -> list[Any]:
    def words(most: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, most)))

    pay = draw.choice((None, 0, 95_000, 10**14))
    closed = draw.choice((None, "2026-05-01"))
    return [
        words(8),
        draw.choice((None, words(2))),
        words(2),
        draw.choices((words(2), None, "Oslo, Norway", "o" * 1500), k=draw.randint(0, 4)),
        draw.choices(("NO", "US", None, "c" * 60), k=draw.randint(0, 3)),
        draw.choice((None, "remote", "hybrid")),
        draw.choice((None, "full_time", "t" * 500)),
        pay,
        None if pay is None else draw.choice((None, pay)),
        draw.choice((None, "EUR", "currency of a far country")),
        draw.choice((None, "hour", "year", "once")),
        closed,
        str(number),
        "none" if pay is None else "field",
        closed and "not_listed",
    ]


def test_what_older_releases_stored_is_what_is_made_now(owner_url: str, empty_database: None):
    before = (MIGRATIONS / "0023_search_words.sql").read_text()
    with psycopg.connect(owner_url) as owner:
        owner.execute("CREATE SCHEMA before")
        for name in ("title_ends", "posting_search"):
            (made,) = re.findall(rf"CREATE FUNCTION {name}\(.*?;\n", before, re.DOTALL)
            ours = made.replace(f"FUNCTION {name}", f"FUNCTION before.{name}")
            owner.execute(ours.replace("title_ends(title)\n", "before.title_ends(title)\n").encode())
        draw = random.Random(3)
        owner.cursor().executemany(INSERT, [row(draw, number) for number in range(600)])
        other = owner.execute(
            f"SELECT title, search FROM postings WHERE search <> before.posting_search({ARGUMENTS})".encode()
        ).fetchall()
        assert other == []
        owner.rollback()


def test_it_is_made_within_the_statement_that_writes_the_row(owner_url: str, empty_database: None):
    """A function that is called instead is set up anew for every row, at twice the cost of its words."""
    with psycopg.connect(owner_url) as owner:
        plan = owner.execute(f"EXPLAIN VERBOSE SELECT posting_search({ARGUMENTS}) FROM postings".encode())
        told = " ".join(str(line) for (line,) in plan.fetchall())
    assert "to_tsvector" in told
    assert "posting_search(" not in told
    assert "title_ends(" not in told
