"""Every closed set in Python is the same set in the schema."""

import re
from typing import get_args

import psycopg
import pytest

from schema import vocabulary

WHERE = {
    "ActAbout": [("acts", "about")],
    "EventKind": [("events", "kind")],
    "SpanSource": [("events", "span_source"), ("facts", "span_source"), ("evidence", "span_source")],
    "ReadingStage": [("readings", "stage")],
    "FactName": [("facts", "name")],
    "Stage": [("applications", "status")],
    "ApplicationOrigin": [("applications", "origin")],
    "MatchOutcome": [("match_decisions", "outcome")],
    "Choice": [("match_decisions", "choice")],
    "EvidenceName": [("evidence", "name")],
    "Direction": [("evidence", "direction")],
    "AskKind": [("asks", "kind")],
    "ContinuedBy": [("messages", "kept_because")],
    "Coverage": [("pulls", "coverage")],
    "TaskStatus": [("tasks", "status")],
}


def test_every_set_is_compared():
    assert {name for name in vars(vocabulary) if name[0].isupper() and name != "Literal"} == set(WHERE)


@pytest.mark.parametrize(
    ("name", "table", "column"), [(name, *place) for name, places in WHERE.items() for place in places]
)
def test_the_schema_allows_the_same_words(owner_url: str, name: str, table: str, column: str):
    with psycopg.connect(owner_url) as connection:
        rows = connection.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype = 'c' AND conrelid = %s::regclass",
            (table,),
        ).fetchall()
    pattern = re.compile(rf"CHECK \(\({column} = ANY \(ARRAY\[(.*?)\]\)\)")
    found = [match.group(1) for (text,) in rows if (match := pattern.search(text))]
    assert len(found) == 1, f"no list of words holds {table}.{column}"
    assert set(re.findall(r"'([a-z_]+)'::text", found[0])) == set(get_args(getattr(vocabulary, name)))
