"""Two spellings of one employer or title compare equal; two different ones do not."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.identity.names import comparable_company, title_parts

SAME_COMPANY = {
    "northwind": """
        Northwind; NORTHWIND INC.; Northwind, Inc; The Northwind Company, LLC; Northwind (UK) Ltd;
        Northwind Careers; Northwind Talent Acquisition Team; Careers at Northwind; Northwind HR;
        northwind.com; Northwind GmbH & Co. KG; Northwind S.A.B. de C.V.; Northwind sp. z o.o.;
        Northwind A/S; Northwind SpA; Northwind Pty. Ltd.; Northwind Pte Ltd; Northwind SE;
        Northwind a.s.; PT Northwind Tbk; Northwind S. Coop.; Northwind SASU; Northwind e.K.;
        Northwind e. K.; Northwind, S. L.; Northwind & Co. KG; Northwind GmbH & Co. KG; Northwind S. A.;
        Northwind, Sociedad Limitada; Northwind S. Coop. And.""",
    "nestle": "Nestlé S.A.; Nestle; NESTLE\u0301",
    "メルカリ": "株式会社メルカリ; メルカリ株式会社; (株)メルカリ; ㈱メルカリ",
    "яндекс": "ООО «Яндекс»; Яндекс",  # noqa: RUF001
    "at and t": "AT&T Inc.; AT & T",
    "mcdonalds": "McDonald's; McDonald\u2019s Corporation",
    "solaria": "Solaria SA; solaria sa; Solaria, S.A.; solaria scop",
    "day spa": "day spa; Day Spa",
    "meyer and sohn": "Meyer & Sohn GmbH; Meyer und Sohn; Meyer et Sohn Personalabteilung",
    "ap moller maersk": "A.P. Møller - Mærsk A/S; AP Moller Maersk",
    "samsung electronics": "Samsung Electronics Co., Ltd.; SAMSUNG ELECTRONICS",
}
KEPT = [
    ("Day Spa", "day spa"), ("Škoda", "skoda"), ("Koda", "koda"), ("Limited", "limited"),
    ("Careers", "careers"),
    ("Ada at Northwind", "ada at northwind"), ("日本電産", "日本電産"), ("भारत बैंक", "भारत बैंक"), ("3M", "3m"),
    ("", ""), ("🚀 !", ""), ("(株)", "株"),
]  # fmt: skip


@pytest.mark.parametrize(("comparable", "listed"), SAME_COMPANY.items())
def test_spellings_of_one_employer_are_equal(comparable, listed):
    spellings = listed.split(";")
    assert {text: comparable_company(text) for text in spellings} == dict.fromkeys(spellings, comparable)


@pytest.mark.parametrize(("text", "comparable"), KEPT)
def test_a_word_that_is_the_name_is_kept(text, comparable):
    assert comparable_company(text) == comparable


def test_real_company_names_never_become_empty_and_stay_apart(shared_data):
    cases = json.loads((shared_data / "ats" / "santifer_career-ops__company-key-corpus.json").read_text())[
        "cases"
    ]
    for name in (case["input"] for case in cases if case["input"]):
        assert bool(comparable_company(name)) == any(letter.isalnum() for letter in name), name
    assert comparable_company("Škoda") != comparable_company("Koda")


TITLES = [
    ("Senior Software Engineer", "software engineer", {"senior"}, ()),
    ("Sr. SWE II", "software engineer", {"senior", "2"}, ()),
    ("Software Engineer III - Backend", "software engineer back end", {"3"}, ()),
    ("Developer (m/w/d) (Agentforce)", "developer", set(), ("agentforce",)),
    ("Entwickler*in m/f/x, C++", "entwickler in cpp", set(), ()),
    ("Software Engineering Intern", "software engineering", {"intern"}, ()),
    ("Internal Auditor", "internal auditor", set(), ()),
    ("Intern", "intern", {"intern"}, ()),
    ("Chief of Staff", "chief of staff", {"chief"}, ()),
    ("Lead Generation Specialist", "lead generation specialist", set(), ()),
    ("Lead Designer", "designer", {"lead"}, ()),
    ("Tech Lead", "tech lead", set(), ()),
    ("Principal Investigator", "principal investigator", set(), ()),
    ("Staff Nurse", "staff nurse", set(), ()),
    ("Director of Product", "director of product", {"director"}, ()),
    ("Sales Associate", "sales associate", set(), ()),
    ("Associate Product Manager", "product manager", {"associate", "manager"}, ()),
    ("C# / .NET Developer", "csharp dotnet developer", set(), ()),
    ("Head of People [Remote-US]", "head of people", {"head"}, ("remote us",)),
    ("Prácticas Diseño gráfico", "diseno grafico", {"intern"}, ()),
    ("Comercial en prácticas", "comercial", {"intern"}, ()),
    ("Tutor de prácticas", "tutor de practicas", set(), ()),
    ("Stage de vente H/F", "vente", {"intern"}, ()),
    ("Comptable en alternance", "comptable", {"trainee"}, ()),
    ("Stage Manager", "stage manager", {"manager"}, ()),
    ("Investor, Early Stage", "investor early stage", set(), ()),
    ("", "", set(), ()),
]


@pytest.mark.parametrize(("text", "role", "levels", "brackets"), TITLES)
def test_a_title_is_taken_apart(text, role, levels, brackets):
    parts = title_parts(text)
    assert (" ".join(parts.role), parts.levels, parts.brackets) == (role, levels, brackets)


def test_a_requisition_in_a_title_is_set_aside():
    parts = title_parts("Senior Controller (R-12345) - REQ-2024-123")
    assert parts.requisitions == ("R12345", "REQ2024123")
    assert parts.key == title_parts("Sr Controller").key


def test_brackets_and_levels_keep_two_openings_apart():
    titles = ["Engineer (Agentforce)", "Engineer (Data Cloud)", "Engineer", "Senior Engineer", "Engineer II"]
    assert len({title_parts(title).key for title in titles}) == len(titles)


def test_real_titles_keep_a_role(shared_data):
    corpus = json.loads((shared_data / "ats" / "santifer_career-ops__title-recall-corpus.json").read_text())
    without = [row["title"] for row in corpus["titles"] if not title_parts(row["title"]).role]
    assert without == []


@given(st.text(max_size=80))
def test_any_text_has_a_comparable_form_in_one_unicode_spelling(text):
    comparable = comparable_company(text)
    parts = title_parts(text)
    assert comparable == comparable_company(unicodedata.normalize("NFD", text))
    assert parts.key == title_parts(unicodedata.normalize("NFD", text)).key
    assert comparable == comparable.strip()


@given(
    st.lists(
        st.sampled_from(["(", ")", "[", "at ", "GmbH", "&", "S.A.", "Team", " ", "m/w/d", "株式会社"]),
        max_size=300,
    )
)
def test_hostile_text_is_read_quickly(parts):
    text = "".join(parts)
    assert comparable_company(text) is not None
    assert title_parts(text) is not None
