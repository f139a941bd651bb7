"""When a new record is an application the person already has, and when it is another one."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from matcher.applications.rules import completed, twin
from matcher.applications.types import Complete, Existing, KnownPosting, NewApplication
from schema.ids import ApplicationId, PostingId

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
URL = "https://job-boards.greenhouse.io/northwind/jobs/4001"


def new(**given: object) -> Complete:
    return completed(NewApplication(**{"origin": "manual", **given}), None)  # type: ignore[arg-type]


def existing(of: Complete, *, number: int = 1, first_mail_at: datetime | None = None) -> Existing:
    shared = {name: getattr(of, name) for name in Existing.__struct_fields__ if hasattr(of, name)}
    return Existing(
        **shared,
        application_id=ApplicationId(number),
        created_at=NOW - timedelta(days=1),
        first_mail_at=first_mail_at,
    )


def test_an_address_in_any_spelling_names_the_posting():
    plain = new(url=URL)
    noisy = new(url=f"{URL}?gh_src=abc&utm_source=x#app")
    assert plain.canonical_url == noisy.canonical_url
    assert (plain.platform, plain.board, plain.vendor_id) == ("greenhouse", "northwind", "4001")
    assert twin(noisy, [existing(plain)], NOW) == 1


def test_the_list_of_an_employer_is_no_posting():
    assert new(url="https://job-boards.greenhouse.io/northwind").canonical_url is None


def test_the_catalog_fills_what_the_person_did_not_say():
    known = KnownPosting(
        posting_id=PostingId(7),
        platform="greenhouse",
        vendor_id="4001",
        board="northwind",
        requisition_id="R-77",
        title="Data Engineer",
        company="Northwind GmbH",
        canonical_url=URL,
    )
    got = completed(NewApplication(origin="tracker", posting_id=PostingId(7), role="My own words"), known)
    assert (got.company, got.company_key, got.role) == ("Northwind GmbH", "northwind", "My own words")
    assert (got.requisition_id, got.requisition_key, got.posting_id) == ("R-77", "R77", 7)


def test_nothing_known_stays_unknown():
    got = new(company="  ", role="\x00")
    assert (got.company, got.company_key, got.role, got.role_key) == (None, None, None, None)
    assert twin(got, [existing(new())], NOW) is None


def test_the_same_posting_long_after_is_a_second_application():
    first = existing(new(url=URL, applied_at=NOW - timedelta(days=40)))
    assert twin(new(url=URL, applied_at=NOW), [first], NOW) is None
    assert twin(new(url=URL, applied_at=NOW - timedelta(days=12)), [first], NOW) == 1


def test_a_posting_is_tracked_once_however_long_ago():
    first = existing(new(origin="tracker", url=URL, applied_at=NOW - timedelta(days=300)))
    assert twin(new(origin="tracker", url=URL), [first], NOW) == 1


def test_two_postings_of_one_employer_are_two():
    first = existing(new(company="Northwind", role="Data Engineer", url=URL))
    second = new(company="Northwind", role="Data Engineer", url=URL.replace("4001", "4002"))
    assert twin(second, [first], NOW) is None


def test_two_roles_under_one_page_of_an_employer_are_two():
    page = "https://www.northwind.example/careers"
    first = existing(new(role="Data Engineer", url=page))
    assert twin(new(role="Designer", url=page), [first], NOW) is None
    assert twin(new(role="data engineer", url=page), [first], NOW) == 1


def test_equal_names_alone_make_no_twin():
    first = existing(new(company="Northwind", role="Data Engineer"))
    assert twin(new(company="Northwind", role="Data Engineer"), [first], NOW) is None


@pytest.mark.parametrize(
    ("first_mail_at", "same"),
    [
        (NOW + timedelta(hours=1), True),
        (NOW - timedelta(hours=12), True),
        (NOW - timedelta(days=3), False),
        (NOW + timedelta(days=60), False),
        (None, True),
    ],
)
def test_a_derived_application_is_taken_over_when_its_mail_can_answer_this_one(
    first_mail_at: datetime | None, same: bool
):
    derived = new(origin="derived", company="Northwind, Inc.", role="Data Engineer")
    other = existing(derived, first_mail_at=first_mail_at)
    mine = new(company="Northwind", role="Data Engineer", applied_at=NOW)
    assert (twin(mine, [other], NOW) == 1) is same


def test_among_several_the_latest_wins_whatever_their_order():
    old = existing(new(url=URL, applied_on=date(2026, 3, 1)), number=5)
    late = existing(new(url=URL, applied_on=date(2026, 3, 9)), number=2)
    assert twin(new(url=URL), [old, late], NOW) == twin(new(url=URL), [late, old], NOW) == 2
    same_day = msgspec.structs.replace(old, applied_on=late.applied_on)
    assert twin(new(url=URL), [same_day, late], NOW) == 5


def test_another_requisition_is_not_what_the_mail_proved():
    from_mail = new(origin="derived", company="Northwind", role="Data Engineer", requisition_id="R-77001")
    other = new(company="Northwind", role="Data Engineer", requisition_id="R-77002")
    unnumbered = new(company="Northwind", role="Data Engineer")
    assert twin(other, [existing(from_mail)], NOW) is None
    assert twin(unnumbered, [existing(from_mail)], NOW) == 1
