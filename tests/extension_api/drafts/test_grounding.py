"""What a text states that stands in none of its sources is found; what stands there is left alone."""

import pytest

from extension_api.drafts.grounding import not_in_sources
from extension_api.drafts.types import Fact, Task

TASK = Task(
    question="Why Engines Inc?",
    company="Engines Inc",
    role="Staff Engineer",
    max_chars=None,
    facts=[
        Fact(
            id="P1",
            label="Work: Programmer at Difference Ltd",
            text="Difference Ltd, London, 2019 to 2023. Cut costs by 30% for 1,200 customers in 4 years.",
            is_persons=True,
        ),
        Fact(id="P2", label="Education", text="BSc, Mathematics, University of London", is_persons=True),
        Fact(id="P3", label="Skills", text="Python, PostgreSQL, C++, CI/CD", is_persons=True),
        Fact(
            id="J1",
            label="Posting: Staff Engineer",
            text="We need 12 years of experience, a PhD and Kubernetes. 40 people work in Berlin.",
            is_persons=False,
        ),
    ],
)


@pytest.mark.parametrize(
    "text",
    [
        "At Difference Ltd I cut costs by 30% for 1.200 customers. Python\u2019s fine; I've used PostgreSQL.",
        "I hold a BSc in Mathematics. In January I read of your 40 people in Berlin.",
        "My bachelor's degree is in mathematics. For 4 years I wrote C++ with CI/CD.",
        "I worked for four years in London. I want to learn Kubernetes at Engines Inc.",
        "Ich habe bei Difference Ltd mit Python gearbeitet und die Kosten für die Kunden gesenkt.",
        "To master a craft takes time. I'd like to.",
        "Chez Difference Ltd, j'ai réduit les coûts de 30%.",
        "",
    ],
)
def test_what_stands_in_the_sources_is_left_alone(text: str):
    assert not_in_sources(text, TASK) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Before that I worked at Google.", ["Google"]),
        ("I led teams at Goldman Sachs in London.", ["Goldman Sachs"]),
        ("IBM taught me a lot.", ["IBM"]),
        ("I have 12 years of experience.", ["12 years"]),
        ("For ten years I wrote Python.", ["ten years"]),
        ("I served 5000 customers.", ["5000"]),
        ("I hold a PhD in Mathematics.", ["PhD"]),
        ("With my master's degree I can lead.", ["master's degree"]),
        ("Après mon doctorat, j'ai travaillé.", ["doctorat"]),
        ("Ich habe bei Siemens gearbeitet und die Kosten gesenkt.", ["Siemens"]),
        ("Ich habe acht Jahre mit Python gearbeitet und die Kosten gesenkt.", ["acht jahre"]),
    ],
)
def test_what_stands_nowhere_is_found(text: str, found: list[str]):
    assert not_in_sources(text, TASK) == found


def test_only_the_first_ten_are_told():
    text = " ".join(f"I worked at Company{letter}." for letter in "ABCDEFGHIJKLMNOP")
    assert len(not_in_sources(text, TASK)) == 10
