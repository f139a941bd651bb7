"""Country names as forms write them."""

import pytest

from extension_api.countries import COUNTRIES, country_named


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("United Kingdom", "GB"),
        ("UK", "GB"),
        ("The Netherlands", "NL"),
        ("Germany (+49)", "DE"),
        ("+44 United Kingdom", "GB"),
        ("Deutschland", "DE"),
        ("Cote D'Ivoire (Ivory Coast)", "CI"),
        ("COTE D IVOIRE", None),
        ("Korea, Republic of", "KR"),
        ("USA", "US"),
        ("usa", "US"),
        ("IN", "IN"),
        ("in", None),
        ("and", None),
        ("AND", "AD"),
        ("no", None),
        ("No", None),
        ("Atlantis", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_a_country_is_known_by_its_whole_name(text: str, code: str | None):
    found = country_named(text)
    assert (found.alpha_2 if found else None) == code


def test_every_name_leads_back_to_its_own_country():
    for country in COUNTRIES:
        for name in (*country.names, country.alpha_2, country.alpha_3):
            assert country_named(name) is country, name


def test_every_country_is_complete_and_codes_are_unique():
    assert len({country.alpha_2 for country in COUNTRIES}) == len(COUNTRIES) == 250
    assert len({country.alpha_3 for country in COUNTRIES}) == 250
    assert all(country.calling_code.isdigit() for country in COUNTRIES)
