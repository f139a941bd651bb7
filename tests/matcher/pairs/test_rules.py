"""Which records of one employer are asked about as one application."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from matcher.pairs.rules import APART, Record, pairs_among
from schema.ids import ApplicationId

DAY = datetime(2026, 3, 1, tzinfo=UTC)
BY_HAND = Record(
    application_id=ApplicationId(1),
    origin="manual",
    company_key="northwind",
    company="Northwind",
    role="Data Engineer",
    requisition_key=None,
    vendor_id=None,
    applied_at=DAY,
    applied_on=None,
    first_mail_at=None,
)
FROM_MAIL = msgspec.structs.replace(
    BY_HAND, application_id=ApplicationId(2), origin="derived", applied_at=None, first_mail_at=DAY
)


def test_a_record_concluded_from_mail_beside_one_of_the_same_title_is_asked_about():
    found = pairs_among([FROM_MAIL, BY_HAND])
    assert [(pair.application_id, pair.other_application_id) for pair in found] == [(1, 2)]
    assert found[0].says == (
        "Both are at Northwind (Data Engineer), and one of them was concluded from mail."
    )


def test_two_that_the_person_entered_are_two():
    assert not pairs_among([BY_HAND, msgspec.structs.replace(BY_HAND, application_id=ApplicationId(2))])


@pytest.mark.parametrize(
    "differing",
    [
        {"role": "Designer"},
        {"role": "Data Engineer Intern"},
        {"role": None},
        {"first_mail_at": DAY + APART + timedelta(days=1)},
    ],
)
def test_another_title_or_months_between_are_two(differing: dict[str, object]):
    assert not pairs_among([BY_HAND, msgspec.structs.replace(FROM_MAIL, **differing)])


@pytest.mark.parametrize("number", ["requisition_key", "vendor_id"])
def test_two_numbers_are_two_openings(number: str):
    one = msgspec.structs.replace(BY_HAND, **{number: "r1"})
    assert not pairs_among([one, msgspec.structs.replace(FROM_MAIL, **{number: "r2"})])
    assert pairs_among([one, msgspec.structs.replace(FROM_MAIL, **{number: "r1"})])
