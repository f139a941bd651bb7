"""Words find what somebody who types them means: other forms, other spellings, and no other jobs."""

import random

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.catalog.search.forms import forms
from pipeline.catalog.search.words import MOST_CHARS, searched, words_query

#: What is typed, what it finds, and what it must not find.
MEANT = [
    ("engineer", ["Software Engineers", "Engineering Lead", "SoftwareEngineer"], ["Train Engines"]),
    ("engineers", ["Engineer"], []),
    ("develop", ["Java Developer", "Developers", "Business Development"], ["Envelopes"]),
    ("developer", ["Developers (m/w/d)", "Webdeveloper", "Developer:in"], ["Development Aid"]),
    ("nurse", ["Nurses", "Nursing Assistant"], ["Nursery Teacher"]),
    ("product manager", ["Product Managers", "Produkt/Product Manager:in"], ["Production Manager"]),
    ("accountant", ["Accountants", "Accounting Clerk"], ["Account Executive", "Accounts Payable"]),
    ("account", ["Accounts Payable", "Key Account Manager"], ["Accountant", "Accounting Clerk"]),
    ("consulting", ["Consultant"], []),
    ("java", ["Java/Kotlin Engineer", "Senior Java-Entwickler"], ["JavaScript Engineer"]),
    ("C++", ["C++ Developer", "C/C++ Engineer"], ["C Developer", "C# Developer"]),
    ("c#", ["C#/.NET Developer"], ["C++ Developer"]),
    (".net", ["ASP.NET Developer", ".Net-Entwickler"], ["Net Control"]),
    ("node", ["Node.js Engineer", "NodeJS Developer"], []),
    ("node.js", ["NodeJS Developer"], []),
    ("AI", ["AI/ML Engineer"], ["Chair Maker"]),
    ("front-end", ["Front End Developer", "Front-End/Back-End", "Frontend Engineer"], ["Front Desk"]),
    ("entwickler", ["Softwareentwicklerin", "Entwickler/in", "Java-Entwickler:innen", "ENTWICKLER*IN"], []),
    ("Entwicklerin", ["Entwickler", "Backend-Entwickler (w/m/d)"], []),
    ("ingenieur", ["Bauingenieure", "Vertriebsingenieurin", "Ingénieur d\u2019études"], ["Ingenuity"]),
    ("kaufmann", ["Kauffrau", "Industriekaufleute"], []),
    ("krankenpfleger", ["Krankenpfleger/-in", "Gesundheits- und Krankenpflegerin"], []),
    ("ärztin", ["Arzt", "Aerztin"], []),
    ("kuechenhilfe", ["Küchenhilfe"], []),
    ("straßenbau", ["Strassenbau"], []),
    ("développeur", ["Developpeuse", "Développeurs", "Développeur(se)"], []),
    ("directrice", ["Directeur"], []),
    ("infirmier", ["Infirmière", "Infirmier(ère)"], []),
    ("d'études", ["Chargé d\u2019études", "Étude"], []),
    ("ingeniera", ["Ingeniero/a", "Ingenieros"], []),
    ("director", ["Directora", "Directores"], []),
    ("programador", ["Programadora web"], []),
    ("engin*", ["Engineer", "Engines"], ["Bengine"]),
    ('"data engineer"', ["Senior Data Engineer"], ["Data Engineers", "Engineer, Data"]),
    ("engineer -manager", ["Engineer"], ["Engineer and Managers"]),
    ("pilot or cook", ["Pilots", "Cooks"], ["Baker"]),
    ("инженер", ["Инженер"], []),
    ("R&D", ["R&D Lead"], ["Lead"]),
]


def found(owner: psycopg.Connection, query: str, title: str) -> bool:
    row = owner.execute(
        "SELECT posting_search(%s, NULL, 'x', '{}', '{}', 'ashby', NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
        " NULL) @@ %s::tsquery",
        (title, query),
    ).fetchone()
    assert row
    return row[0]


def test_words_find_what_is_meant_and_no_other_jobs(owner_url: str, empty_database: None):
    wrong: list[str] = []
    with psycopg.connect(owner_url, autocommit=True) as owner:
        for typed, meant, other in MEANT:
            query = words_query(typed)
            wrong += [f"{typed}: not {title}" for title in meant if not found(owner, query, title)]
            wrong += [f"{typed}: also {title}" for title in other if found(owner, query, title)]
    assert not wrong


def test_what_is_asked_is_read_as_what_is_stored(owner_url: str, empty_database: None):
    draw = random.Random(5)
    letters = [chr(n) for n in (*range(1, 0x250), *range(0x300, 0x310), *range(0x1E00, 0x1E20))]
    letters += [chr(n) for n in (*range(0x2000, 0x2060), 0x2122, 0x30A8, 0xFB01, 0xFF11, 0x1F680, 0xFE0F)]
    texts = ["".join(draw.choices(letters, k=12)) for _ in range(400)]
    texts += ["C++/c# .NET Node.js", "ASP.net x.js vuejs", "Straße Œuvre Łódź"]
    with psycopg.connect(owner_url, autocommit=True) as owner:
        read = owner.execute(
            "SELECT search_words(t) FROM unnest(%s::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n", [texts]
        ).fetchall()
    for text, (stored,) in zip(texts, read, strict=True):
        # A server may know how to make letters beyond ASCII small; both spellings are asked for.
        assert searched(text).lower() == stored.lower(), text


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=MOST_CHARS))
def test_whatever_is_typed_is_a_query(words: str):
    query = words_query(words)
    assert query.count("(") >= 1 or not query
    assert words_query("'") == words_query('"') == words_query("-") == words_query("* :*") == ""


def test_hostile_words_are_refused_by_no_server(owner_url: str, empty_database: None):
    hostile = ["a' | 'b", "\\'", "!!", "(((", "a:*b", "<->", "x" * 300, "'='", "=open", "-a -b", "or or or"]
    with psycopg.connect(owner_url, autocommit=True) as owner:
        for each in (*hostile, " ".join(hostile)):
            owner.execute("SELECT %s::tsquery", [words_query(each)])


@pytest.mark.parametrize("word", ["data", "class", "business", "sales", "ios", "b2b", "berlin", "it"])
def test_a_word_stands_first_among_its_forms(word: str):
    assert forms(word)[0] == word
    assert len(forms(word)) <= 16
