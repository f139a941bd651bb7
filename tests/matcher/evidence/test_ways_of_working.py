"""How one is employed, written behind a title, makes no other opening of it."""

import pytest
from fixtures.letters import candidate, judge, letter

from matcher.evidence.role import is_one_title
from matcher.evidence.ways_of_working import titled, without_way_of_working


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Baker - Full Time", "Baker"),
        ("Baker (Full-time)", "Baker"),
        ("Full-time Baker, permanent", "Baker"),
        ("Koch (m/w/d) in Voll- oder Teilzeit", "Koch"),
        ("Pflegefachperson 80-100 %", "Pflegefachperson"),
        ("Vendeuse H/F - CDI", "Vendeur"),
        ("Dependienta a jornada completa", "Dependiente"),
        ("M\u00e9dico (tiempo completo)", "M\u00e9dico"),
    ],
)
def test_the_ordinary_way_of_working_is_no_part_of_a_title(written: str, plain: str):
    assert is_one_title(written, plain)
    assert without_way_of_working(titled(written)) == titled(written)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Koch in Teilzeit", "Koch"),
        ("Permanent Way Engineer", "Way Engineer"),
        ("Full Stack Developer", "Stack Developer"),
        ("Baker (Nights)", "Baker"),
        ("Elektriker 110 kV", "Elektriker"),
    ],
)
def test_what_tells_two_openings_apart_stays(one: str, other: str):
    assert not is_one_title(one, other)


@pytest.mark.parametrize("title", ["Full Time", "CDI", "Vollzeit / Teilzeit"])
def test_nothing_but_a_way_of_working_stays_what_it_is(title: str):
    assert titled(title).role


def test_two_titles_that_go_on_differently_behind_the_one_named_are_not_told_apart():
    own = (candidate(1, role="Baker - Full Time"), candidate(2, role="Baker (Nights)"))
    found = judge(letter("rejection", employer="Northwind", role="Baker"), *own)
    assert (found.outcome, found.pattern.partition(":")[0]) == ("asks", "close")
    named = judge(letter("rejection", employer="Northwind", role="Baker, Full Time"), *own)
    assert named.application_id == 1
