"""The emulated boards are written with the names the platforms use: an invented shape would prove nothing."""

import json
import re
from xml.etree.ElementTree import Element, fromstring

import pytest
from emulators.feeds import personio_feed, personio_position, pinpoint_posting, recruitee_offer
from emulators.paged_boards import icims_card, manatal_job, teamtailor_item

ICIMS_NAMES = re.compile(r'class="([^"]*)"')


def names(told: object, at: str = "") -> set[str]:
    if isinstance(told, list):
        return set().union(*(names(each, at) for each in told))
    if isinstance(told, dict):
        return set().union(
            {f"{at}/{name}" for name in told}, *(names(v, f"{at}/{k}") for k, v in told.items())
        )
    return set()


def tags(element: Element) -> set[str]:
    return {each.tag for each in element.iter()}


@pytest.mark.parametrize(
    ("folder", "under", "row", "added"),
    [
        ("pinpoint", "data", pinpoint_posting(1), set()),
        ("recruitee", "offers", recruitee_offer(1), set()),
        ("manatal", "results", manatal_job("A"), set()),
        # Described by others of live answers; the one captured feed was cut of them.
        (
            "teamtailor",
            "items",
            teamtailor_item(1),
            {"/content_html", "/_jobposting/employmentType", "/_jobposting/hiringOrganization",
             "/_jobposting/hiringOrganization/@type", "/_jobposting/hiringOrganization/name"},
        ),
    ],
)  # fmt: skip
def test_fields_of_emulated_rows_are_fields_of_captured_ones(shared_data, folder, under, row, added):
    captured = [
        json.loads(file.read_bytes())[under] for file in (shared_data / "ats" / folder).glob("*.json")
    ]
    assert names(row) - names(captured) == added


def test_elements_of_the_emulated_feed_are_elements_of_the_captured_one(shared_data):
    (file,) = (shared_data / "ats" / "personio").glob("*.xml")
    ours, captured = (
        tags(fromstring(personio_feed(personio_position(1)))),
        tags(fromstring(file.read_bytes())),
    )
    # The captured one holds no texts; the vendor documents their names.
    assert ours - captured == {"jobDescription", "value"}


def test_classes_of_emulated_cards_are_classes_of_captured_ones(shared_data):
    captured = "".join(file.read_text() for file in (shared_data / "ats" / "icims").glob("*.html"))
    assert set(ICIMS_NAMES.findall(icims_card(1))) <= set(ICIMS_NAMES.findall(captured))
