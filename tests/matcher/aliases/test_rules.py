"""Which other name a confirmed message teaches, and which names count for anything."""

import itertools

import pytest
from fixtures.letters import day, letter

from matcher.aliases.rules import Lesson, lesson_of, other_names
from matcher.aliases.types import Alias
from schema.ids import AliasId


def alias(number: int, name: str, company: str, *, by_person: bool = True) -> Alias:
    return Alias(
        alias_id=AliasId(number),
        alias=name,
        alias_key=name.casefold(),
        company=company,
        company_key=company.casefold(),
        origin="person" if by_person else "confirmed",
        created_at=day(number),
    )


def told(found: list[Alias], *used: str) -> set[tuple[str, str]]:
    return {(name.used_key, name.key) for name in other_names(found, frozenset(used))}


def test_the_one_employer_named_for_sure_is_learned():
    found = lesson_of(letter("rejection", employer="Globex GmbH"), "Initech")
    assert found == Lesson(alias="Globex GmbH", alias_key="globex")


@pytest.mark.parametrize(
    ("employer", "company"),
    [
        ("Initech Ltd", "Initech"),  # the same name
        (("Globex", "Umbrella"), "Initech"),  # which of both nobody knows
        ("Greenhouse", "Initech"),  # a platform
        ("Globex Recruitment", "Initech"),  # an agency
        ("Talent Acquisition", "Initech"),  # a desk
        ("Globex", None),  # another name of nothing
    ],
)
def test_what_names_no_other_employer_for_sure_teaches_nothing(
    employer: str | tuple[str, ...], company: str | None
):
    assert lesson_of(letter("rejection", employer=employer), company) is None


def test_what_only_a_model_read_or_the_person_wrote_teaches_nothing():
    assert lesson_of(letter("rejection", employer="Globex", sure=False), "Initech") is None
    assert lesson_of(letter("rejection", employer="Globex", from_owner=True), "Initech") is None


def test_an_agency_that_writes_about_its_client_from_its_own_domain_is_no_name_of_the_client():
    message = letter(
        "rejection", employer="Globex", sender="ada@globex.example", body="Our client decided otherwise."
    )
    assert lesson_of(message, "Initech") is None
    own = letter("rejection", employer="Globex", sender="ada@globex.example", body="We decided otherwise.")
    assert lesson_of(own, "Initech") is not None


def test_a_name_works_both_ways():
    known = [alias(1, "Globex", "Initech")]
    assert told(known, "globex") == {("globex", "initech")}
    assert told(known, "initech") == {("initech", "globex")}
    assert told(known, "umbrella") == set()


def test_a_name_of_two_employers_counts_for_none():
    known = [alias(1, "Globex", "Initech"), alias(2, "Globex", "Umbrella"), alias(3, "Hooli", "Initech")]
    assert told(known, "globex", "initech") == {("initech", "hooli")}


def test_the_order_of_what_is_known_does_not_matter_and_the_first_ground_is_told():
    known = [alias(2, "Globex", "Initech", by_person=False), alias(1, "Globex", "Initech")]
    for order in itertools.permutations(known):
        (name,) = other_names(order, frozenset({"globex"}))
        assert (name.origin, name.since) == ("person", day(1))
