"""Platforms as people read them."""

import pytest

from schema.identity.platforms import PLATFORMS
from schema.identity.spelling import spelled


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ashby", "Ashby"),
        ("greenhouse", "Greenhouse"),
        ("icims", "iCIMS"),
        ("bamboohr", "BambooHR"),
        ("", ""),
    ],
)
def test_a_platform_is_spelled_as_it_spells_itself(name: str, shown: str):
    assert spelled(name) == shown


def test_no_platform_is_shown_by_the_name_programs_use():
    assert not [each.name for each in PLATFORMS if spelled(each.name) == each.name]
